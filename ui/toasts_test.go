package ui_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/internal/waittest"
	"goated/ui"
	"goated/ui/internal/screentest"
	"goated/ui/view"
)

// A toaster is a window that shows messages, which disappear after some seconds.
type toaster struct {
	*desk
	dir string
}

func newToaster(t *testing.T) *toaster {
	t.Helper()
	s, _ := archive(t)
	return &toaster{shown(t, ui.Options{History: s}), t.TempDir()}
}

const (
	shortToast = "That file contains no conversations."
	longToast  = "broken.json can't be imported"
)

// toast imports a file that causes a message of one line or of several lines.
func (d *toaster) toast(message string) {
	d.T.Helper()
	path, text := filepath.Join(d.dir, "empty.json"), `{"format":"goated conversations","version":1,"conversations":[]}`
	if message == longToast {
		path, text = filepath.Join(d.dir, "broken.json"), "no conversation"
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		d.T.Fatal(err)
	}
	d.window.Import(path)
	d.until("the message is shown", func() bool { return d.Says(message) })
}

// toasts returns the top and the bottom of the messages, or zeros if there are none.
func (d *toaster) toasts() (top, bottom float32) {
	const padding = 11
	for _, message := range []string{shortToast, longToast} {
		at, size, seen := d.Place(d.Find(message))
		if !seen {
			continue
		}
		if bottom == 0 || at.Y-padding < top {
			top = at.Y - padding
		}
		bottom = max(bottom, at.Y+size.Height+padding)
	}
	return top, bottom
}

// spots returns the visible texts of the conversation.
func (d *toaster) spots() []screentest.VisibleText {
	return d.VisibleTexts(composer, sidebarWidth, headerHeight, 2000, 2000)
}

// headerHeight is the y position where the header ends.
const headerHeight = 57

// check reports a message that covers the conversation or the composer. room is the expected
// distance between the last text of the conversation and its end.
func (d *toaster) check(when string, room float32) {
	d.T.Helper()
	top, bottom := d.toasts()
	if bottom-top < 40 || top < 0 {
		d.T.Errorf("%s no message is in sight: it goes from %v to %v", when, top, bottom)
	}
	for _, s := range d.spots() {
		if from, to := s.At.Y, s.At.Y+s.Size.Height+room; top < to && bottom > from {
			d.T.Errorf("%s the message goes from %v to %v and covers %.40q, from %v to %v", when, top, bottom, s.Text, from, to)
		}
	}
	if at, _, _ := d.PlaceOfField(composer); bottom > at.Y-8 {
		d.T.Errorf("%s the message ends at %v and covers the composer at %v", when, bottom, at.Y)
	}
}

// A message neither covers nor moves any part of a question, whatever the length of the
// conversation. It once covered the buttons. Later it pushed down a conversation that is
// shorter than the window.
func TestToastsLeaveAQuestionAlone(t *testing.T) {
	const cardPadding = 14
	for lines := 0; lines <= 24; lines += 2 {
		t.Run(fmt.Sprintf("after %d lines", lines), func(t *testing.T) {
			d := newToaster(t)
			d.toast(shortToast)
			middle := d.Canvas().Size().Height / 2
			if top, _ := d.toasts(); top < middle {
				t.Fatalf("without a question the message is at %v", top)
			}
			d.window.ShowChat(view.Chat{}.Say("sort").Apply(agent.TextDelta{Text: strings.Repeat("One more line.\n\n", lines)}).
				Apply(agent.ToolCalled{ID: "call-1", Server: "weather", Tool: "forecast"}).
				Apply(agent.ToolDecided{ID: "call-1", Decision: agent.AllowOnce}), true)
			got := d.permits(reachWeather) // while the message is shown
			d.until("the question is shown", func() bool { return d.Reads("Allow for this server") })
			d.later()
			d.check("before the question", cardPadding)
			d.beats(100) // the message disappears
			still, _, _ := d.Place("Allow for this server")
			d.toast(shortToast)
			d.check("after the question", cardPadding)
			if now, _, seen := d.Place("Allow for this server"); now != still || !seen {
				t.Errorf("the message moves the button from %v to %v", still, now)
			}
			d.Ctrl(fyne.KeyReturn)
			if !waittest.Receive(t, "the answer", got) {
				t.Error("Ctrl+Enter does not allow it")
			}
			if top, _ := d.toasts(); top < middle {
				t.Errorf("after the answer the message is at %v", top)
			}
		})
	}
}

// A message does not cover the end of a long answer. The conversation makes room for it, even
// when the answer grows while the message is shown. Afterwards it takes the room back.
func TestToastsLeaveTheEndOfAnAnswerAlone(t *testing.T) {
	const foot = 40 // the buttons below the answer
	for _, lines := range []int{1, 17, 20, 200} {
		t.Run(fmt.Sprintf("%d lines", lines), func(t *testing.T) {
			d := newToaster(t)
			answer := func(lines int) {
				d.window.ShowChat(view.Chat{}.Say("Explain it.").Apply(agent.TextDelta{Text: strings.Repeat("One more line.\n\n", lines) + "The last line."}), false)
			}
			end := func(when string) {
				t.Helper()
				d.check(when, foot)
				if _, _, seen := d.Place("The last line."); !seen {
					t.Errorf("%s the end of the answer is out of sight", when)
				}
			}
			answer(lines + 5)
			grown := d.spots()
			answer(lines)
			d.toast(shortToast)
			end("at first")
			d.toast(longToast)
			end("with two messages")
			answer(lines + 5)
			end("after the answer grew")
			d.beats(100) // the messages disappear
			if after := d.spots(); !slices.Equal(after, grown) {
				t.Errorf("after the messages the conversation shows %v, and showed %v", after, grown)
			}
		})
	}
}
