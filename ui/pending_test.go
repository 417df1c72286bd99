package ui_test

import (
	"context"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"google.golang.org/genai"

	"goated/ui"
)

// While the model has sent nothing, a line appears in the place of the answer. It counts the
// seconds of a long wait. The first word replaces it.
func TestTranscriptShowsTheWaitForTheModel(t *testing.T) {
	began, ended := make(chan struct{}), make(chan struct{})
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(func(ctx context.Context, _ []*genai.Content, yield func(string, error) bool) {
		for _, next := range []chan struct{}{began, ended} {
			select {
			case <-next:
			case <-ctx.Done():
				return
			}
			if !yield("A word. ", nil) {
				return
			}
		}
	})}})
	d.write("What is new?")
	d.Key(fyne.KeyReturn)
	d.until("the turn begins", d.busy)
	d.beats(1)
	still := d.Spinners()
	if d.Says("Waiting for") {
		t.Errorf("a wait without a duration is shown: %q", d.transcript())
	}
	d.clock = d.clock.Add(2 * time.Second)
	d.beats(1)
	d.sees("Waiting for gemini-flash-latest…")
	if got := d.Spinners(); got != still+1 {
		t.Errorf("the screen has %d spinners, and %d before the line", got, still)
	}
	d.clock = d.clock.Add(6 * time.Second)
	d.beats(1)
	d.sees("Waiting for gemini-flash-latest… 8 s")
	close(began)
	d.sees("A word.")
	if d.Says("Waiting for") {
		t.Errorf("the line stays beside the answer: %q", d.transcript())
	}
	close(ended)
	d.idle()
}
