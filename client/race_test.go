//go:build race && unix

package client_test

// slowdown is the factor by which operations may be slower under the race detector.
const slowdown = 10
