package ui_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/client"
	"goated/ui"
)

// The question whether a call may run twice appears in the conversation of the call, and gives
// the reason. Only a click or Ctrl+Enter agrees.
func TestARepeatedCallIsAskedAboutInItsConversation(t *testing.T) {
	for _, again := range []bool{true, false} {
		d := shown(t, ui.Options{})
		d.callUnderWay("kitchen", "order")
		got := make(chan bool, 1)
		ctx := background(t)
		go func() {
			got <- d.dialogs.Repeat(ctx, client.Asker{ID: "kitchen", Name: "kitchen"}, "order")
		}()
		d.sees("Run order again?")
		if d.Layers() > 0 || !d.Says("order may already have done a part of its work.") || !d.Says("goated restarts kitchen") {
			t.Errorf("the card does not say what follows: %q", d.Texts())
		}
		d.later()
		if again {
			d.Ctrl(fyne.KeyReturn)
		} else {
			d.Key(fyne.KeyEscape)
		}
		d.until("the call continues", func() bool { return len(got) > 0 })
		if <-got != again || d.Reads("Run order again?") {
			t.Errorf("the answer is not %v, or the question stays", again)
		}
	}
}
