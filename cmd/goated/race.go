//go:build race

package main

// raceDetector reports whether this program has the race detector.
const raceDetector = true
