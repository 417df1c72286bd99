package ui

import (
	"context"
	"testing"

	"goated/agent"
	"goated/internal/config"
)

// Where the key is still being looked for, the window asks what it led to as
// soon as it is there, and takes it over.
func TestUnsureStartBecomesSure(t *testing.T) {
	sure := &agent.Session{}
	d := newDesk(t, Options{
		Agent: AgentOptions{Model: "…", Unsure: true, Remake: func(context.Context, config.Settings) (Answering, error) {
			return Answering{Model: "gemini-pro", NewSession: func() *agent.Session { return sure }}, nil
		}},
	})
	d.show()
	d.until("the model is known", func() bool { return d.frame.model.Text == "gemini-pro" })
	if d.Window.chats.Conversation().Session != sure {
		t.Error("the conversation goes on with the session of before")
	}
}
