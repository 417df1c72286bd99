package ui_test

import (
	"context"
	"testing"

	"goated/internal/config"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// The window starts without a model while goated still looks for the key. It adopts the model
// as soon as it is available, even in the shown conversation.
func TestUnsureStartBecomesSure(t *testing.T) {
	sure := sessions(samplechat.Echo)
	d := shown(t, ui.Options{
		Agent: ui.AgentOptions{Model: "…", Unsure: true, Remake: func(context.Context, config.Settings) (ui.Answering, error) {
			return ui.Answering{Model: "gemini-pro", NewSession: sure}, nil
		}},
	})
	d.sees("gemini-pro")
	d.send("hello")
	d.sees("You said: hello")
}
