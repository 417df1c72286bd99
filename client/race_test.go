//go:build race && unix

package client_test

// slowdown is how many times longer things may take under the race detector.
const slowdown = 10
