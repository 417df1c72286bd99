//go:build !linux

package store_test

// memoryFolder returns "": only Linux has a folder in memory that every program may use.
func memoryFolder() string { return "" }
