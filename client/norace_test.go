//go:build !race && unix

package client_test

const slowdown = 1
