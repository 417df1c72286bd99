//go:build !headless

package main

import (
	"os"
	"strconv"

	"fyne.io/fyne/v2"
)

// newScale returns a function that sets the window's scale, in percent of the scale in the user's
// environment. Fyne reads the scale when its theme changes.
func newScale() func(percent int) {
	const variable = "FYNE_SCALE"
	base, err := strconv.ParseFloat(os.Getenv(variable), 64)
	usual, set := os.LookupEnv(variable)
	if err != nil || base <= 0 {
		base = 1
	}
	return func(percent int) {
		switch {
		case percent != 100:
			_ = os.Setenv(variable, strconv.FormatFloat(base*float64(percent)/100, 'f', 2, 64))
		case set:
			_ = os.Setenv(variable, usual)
		default:
			_ = os.Unsetenv(variable)
		}
	}
}

// notifier returns a function that shows desktop notifications, or nil if there is no session bus.
func notifier(a fyne.App) func(title, text string) {
	if !sessionBus() {
		return nil
	}
	return func(title, text string) { a.SendNotification(fyne.NewNotification(title, text)) }
}
