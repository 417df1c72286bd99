package ui_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"
	"google.golang.org/genai"

	"goated/ui"
)

// A turn that the user stopped has a button for another answer, whether or not the model had
// begun. The button disappears when the conversation continues.
func TestStoppedTurnCanBeRetried(t *testing.T) {
	for name, began := range map[string]string{"before a word": "", "after some words": "Once upon a time"} {
		t.Run(name, func(t *testing.T) {
			s, _ := archive(t)
			var calls atomic.Int32
			d := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions(func(ctx context.Context, h []*genai.Content, yield func(string, error) bool) {
				if n := calls.Add(1); n != 1 && n != 3 {
					yield(fmt.Sprintf("I have %d message", len(h)), nil)
					return
				}
				if began != "" {
					yield(began, nil)
				}
				<-ctx.Done()
				yield("", ctx.Err())
			})}})
			d.send("Tell me a story")
			d.until("the model is asked", func() bool { return calls.Load() == 1 && (began == "" || d.Reads(began)) })
			d.Key(fyne.KeyEscape)
			d.settled()
			d.sees("You stopped this turn.")
			d.Press("Retry")
			d.settled()
			d.sees("I have 1 message")
			if d.Reads("Retry") || d.Reads("You stopped this turn.") {
				t.Errorf("the stopped turn is still shown: %q", d.transcript())
			}
			d.send("And now?")
			d.until("the model is asked again", func() bool { return calls.Load() == 3 })
			d.Key(fyne.KeyEscape)
			d.settled()
			d.until("the stopped turn offers a retry", func() bool { return d.Reads("Retry") })
			d.says("Something else.")
			if d.Reads("Retry") {
				t.Error("a stop in the past offers a retry")
			}
		})
	}
}

// goated quits while one conversation asks a question and the user writes in another. On
// restart, the other one opens. The call of the first is shown as not run rather than as
// failed.
func TestQuitDuringAQuestionOfAnotherConversation(t *testing.T) {
	s, _ := archive(t)
	d, _ := calling(t, ui.Options{History: s}, sendMessage())
	d.send("Weekly report")
	d.sees(allowThis)
	d.newChat()
	d.send("The other one")
	d.until("both turns run", func() bool { return d.title() == "The other one" && d.Reads(allowThis) })
	d.later()
	d.Ctrl(fyne.KeyReturn)
	d.idle()
	d.sees("Finished.")
	d.window.Close()

	again := shown(t, ui.Options{History: s})
	again.until("the history is shown", func() bool { return again.title() != "New chat" })
	if got := again.title(); got != "The other one" {
		t.Fatalf("%q opens", got)
	}
	again.Press("Weekly report")
	again.sees("This call did not run, because goated quit.")
	again.sees("goated quit before this turn ended.")
	if !again.Reads("Stopped") || again.Reads("Failed") || again.Says("You stopped") || !again.Reads("Retry") {
		t.Errorf("the card says %q", again.transcript())
	}
}
