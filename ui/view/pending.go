package view

import (
	"fmt"
	"time"
)

// Pending is the place of what the model sends next, while it has sent nothing yet.
type Pending struct {
	Model string
	Since time.Time // the last event of the turn
}

// Short and long waits: a short one shows nothing, so that a quick answer does not flicker.
// A long one shows its seconds.
const (
	shortWait = 400 * time.Millisecond
	longWait  = 5 * time.Second
)

// Text returns "Waiting for Gemini Flash… 7 s"; empty for a short wait.
func (p Pending) Text(now time.Time) string {
	switch waited := now.Sub(p.Since); {
	case waited < shortWait:
		return ""
	case waited < longWait:
		return fmt.Sprintf("Waiting for %s…", p.Model)
	case waited < time.Minute:
		return fmt.Sprintf("Waiting for %s… %d s", p.Model, int(waited.Seconds()))
	default:
		return fmt.Sprintf("Waiting for %s… %s", p.Model, Duration(waited))
	}
}

// Awaiting returns the chat of a turn under way. If the model is to send something next, it
// ends with [Pending]. An answer and a thought show by themselves that they grow, and a
// Wait is shown elsewhere. Without the name of a model, none is asked.
func (c Chat) Awaiting(model string, since time.Time) Chat {
	switch c.last().(type) {
	case nil, Answer, Thought, Failure:
		return c
	}
	for _, item := range c.items.live {
		if open(item) {
			return c
		}
	}
	if model == "" || c.Wait != (Wait{}) {
		return c
	}
	return c.with(Pending{model, since})
}
