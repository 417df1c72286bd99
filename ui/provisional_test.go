package ui_test

import (
	"context"
	"testing"

	"goated/internal/config"
	"goated/ui"
	"goated/ui/internal/samples"
)

// While goated still looks for the key, the window starts without a model. It takes over the
// model as soon as it is there, also for the conversation that is shown.
func TestUnsureStartBecomesSure(t *testing.T) {
	sure := sessions(samples.Echo)
	d := shown(t, ui.Options{
		Agent: ui.AgentOptions{Model: "…", Unsure: true, Remake: func(context.Context, config.Settings) (ui.Answering, error) {
			return ui.Answering{Model: "gemini-pro", NewSession: sure}, nil
		}},
	})
	d.sees("gemini-pro")
	d.send("hello")
	d.sees("You said: hello")
}
