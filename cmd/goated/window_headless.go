//go:build headless

package main

import (
	"context"
	"errors"
)

const hasWindow = false

func openWindow(context.Context, *options) error {
	return errors.New("this goated was built without the window; use \"goated chat\"")
}
