//go:build !darwin && !windows

package main

// systemLocale is nothing: these systems tell it in the environment.
func systemLocale() string { return "" }
