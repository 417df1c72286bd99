package view

import (
	"fmt"
	"time"

	"goated/ui/view/format"
)

// Pending stands for the next output of the model while there is none yet.
type Pending struct {
	Model string
	Since time.Time // when the last event of the turn arrived
}

// The limits of short and long waits. A short wait shows nothing, so that a quick answer does not
// flicker. A long wait shows the seconds.
const (
	shortWait = 400 * time.Millisecond
	longWait  = 5 * time.Second
)

// Text returns, for example, "Waiting for Gemini Flash… 7 s". It returns "" for a short wait.
func (p Pending) Text(now time.Time) string {
	switch waited := now.Sub(p.Since); {
	case waited < shortWait:
		return ""
	case waited < longWait:
		return fmt.Sprintf("Waiting for %s…", p.Model)
	case waited < time.Minute:
		return fmt.Sprintf("Waiting for %s… %d s", p.Model, int(waited.Seconds()))
	default:
		return fmt.Sprintf("Waiting for %s… %s", p.Model, format.Duration(waited))
	}
}

// Awaiting returns the chat of a running turn. If the model has to send something next, the chat
// ends with [Pending]. A growing answer or thought needs no Pending, and a Wait is shown
// elsewhere. An empty model means that goated asks no model.
func (c Chat) Awaiting(model string, since time.Time) Chat {
	switch c.last().(type) {
	case nil, Answer, Thought, Failure:
		return c
	}
	for _, item := range c.items.live {
		if isOpenCall(item) {
			return c
		}
	}
	if model == "" || c.Wait != (Wait{}) {
		return c
	}
	return c.with(Pending{model, since})
}
