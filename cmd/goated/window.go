//go:build !headless

package main

import (
	"context"
	"fmt"
	"os"

	fyneapp "fyne.io/fyne/v2/app"

	"goated/agent"
	"goated/ui"
)

const hasWindow = true

// openWindow runs the window until it is closed, or ctx ends.
func openWindow(ctx context.Context, o *options) error {
	dialogs := ui.NewDialogs()
	a, err := o.open(dialogs.Elicit)
	if err != nil {
		return err
	}
	defer a.close()
	model, name, err := a.newModel(ctx, dialogs.Ask)
	if err != nil {
		return err
	}
	notice := ""
	if name == "offline" {
		notice = "No model is answering: no Gemini key is set. goated finds the tool that fits your words; /tool {…} calls one directly."
	}
	var dark *bool
	if theme := a.settings.Theme; theme != "" {
		d := theme == "dark"
		dark = &d
	}
	w := ui.New(fyneapp.NewWithID("goated"), ui.Options{
		Host:       a.host,
		NewSession: func() *agent.Session { return a.newSession(model, dialogs.Approve) },
		Dialogs:    dialogs,
		Model:      name,
		Notice:     notice,
		Dark:       dark,
	})

	ctx, cancel := context.WithCancel(ctx)
	connected := make(chan struct{})
	go func() { // servers come while the window is already there
		defer close(connected)
		if err := a.connect(ctx, os.Stderr); err != nil && ctx.Err() == nil {
			fmt.Fprintln(os.Stderr, "goated: a server did not connect; Connect tool in the window says why")
		}
	}()
	w.Run(ctx)
	cancel()
	<-connected
	return nil
}
