//go:build !linux

package main

import "errors"

const landless = "without-landlock"

func withoutLandlock([]string) error { return errors.ErrUnsupported }
