package ui

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/ui/kit"
	"goated/ui/view"
)

// A toast covered the foot of an approval, with the buttons that answer it, and later
// pushed a conversation that is shorter than the window down. A toast covers nothing of a
// question, and moves nothing of it, however long the conversation is.
func TestToastsLeaveAQuestionAlone(t *testing.T) {
	for name, before := range map[string]int{"alone": 0, "almost full": 4, "full": 12} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, Options{})
			d.show()
			driver := fyne.CurrentApp().Driver()
			toast := func() (at fyne.Position, size fyne.Size) {
				return driver.AbsolutePositionForObject(d.shell.Toasts.List), d.shell.Toasts.List.Size()
			}
			d.shell.Toasts.Say("info", "A short message")
			if at, size := toast(); at.Y+size.Height < d.frame.win.Canvas().Size().Height/2 {
				t.Fatalf("without a question the toast is at %v", at)
			}
			d.asking("sort", strings.Repeat("One more line.\n\n", before), pendingCalls()) // while the toast is shown
			d.clock = d.clock.Add(time.Second)
			allow := func() fyne.Position {
				if l, ok := find(d, func(l *kit.Label) bool { return l.Text == "Allow all 3" }); ok {
					return driver.AbsolutePositionForObject(l)
				}
				t.Fatal("there is no button that allows")
				return fyne.Position{}
			}
			check := func() {
				t.Helper()
				at, size := toast()
				view := &d.chats.Transcript.View
				body := driver.AbsolutePositionForObject(d.chats.Transcript.Root)
				end := body.Y + min(view.Tall(), d.chats.Transcript.Root.Size().Height)
				if size.Height < 20 || at.Y < 0 || at.Y < end && at.Y+size.Height > max(body.Y, headerHeight) {
					t.Errorf("the toast is at %v, %v, and the conversation goes from %v to %v", at, size, body.Y, end)
				}
				if foot := driver.AbsolutePositionForObject(d.frame.foot); at.Y+size.Height > foot.Y {
					t.Errorf("the toast is at %v, %v, and covers the composer at %v", at, size, foot.Y)
				}
			}
			check()
			d.shell.Clock.Tick(100) // the toast goes
			still := allow()
			d.shell.Toasts.Say("info", "A message of another conversation")
			check()
			if now := allow(); now != still {
				t.Errorf("the toast moves the button from %v to %v", still, now)
			}
			d.hurry()
			if at, _ := toast(); at.Y < d.frame.win.Canvas().Size().Height/2 {
				t.Errorf("after the answer the toast is at %v", at)
			}
		})
	}
}

// A toast covered the last line of a long answer. The conversation makes room for it, also
// when the answer grows while the toast is shown, and takes the room back.
func TestToastsLeaveTheEndOfAnAnswerAlone(t *testing.T) {
	for name, lines := range map[string]int{"short": 1, "almost full": 17, "full": 20, "long": 200} {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t, Options{})
			d.show()
			driver := fyne.CurrentApp().Driver()
			answer := func(lines int) {
				d.chats.Chats[0].Chat = view.Chat{}.Say("Explain it.").Apply(agent.TextDelta{Text: strings.Repeat("One more line.\n\n", lines) + "The last line."})
				d.chats.Refresh()
			}
			check := func(when string) {
				t.Helper()
				at := driver.AbsolutePositionForObject(d.shell.Toasts.List)
				body := d.chats.Transcript.Root
				view := &d.chats.Transcript.View
				top := driver.AbsolutePositionForObject(body).Y
				end := top + min(view.Tall()-transcriptFoot, body.Size().Height)
				if len(d.shell.Toasts.List.Objects) > 0 && at.Y < end {
					t.Errorf("%s the toast is at %v, and the conversation ends at %v", when, at.Y, end)
				}
				if foot := driver.AbsolutePositionForObject(d.frame.foot).Y; at.Y+d.shell.Toasts.List.Size().Height > foot {
					t.Errorf("%s the toast is at %v and covers the composer at %v", when, at.Y, foot)
				}
				if view.Tall() > body.Size().Height && !view.Scroll.AtBottom() {
					t.Errorf("%s the end of the answer is out of sight", when)
				}
			}
			answer(lines)
			before := d.chats.Transcript.Root.Size()
			d.shell.Toasts.Say("info", "A short message")
			check("at first")
			d.shell.Toasts.Say("info", strings.Repeat("A long message. ", 20))
			check("with two messages")
			answer(lines + 5)
			check("after the answer grew")
			d.shell.Clock.Tick(100) // the toasts go
			if after := d.chats.Transcript.Root.Size(); after != before {
				t.Errorf("after the toasts the conversation has %v, and had %v", after, before)
			}
		})
	}
}

// transcriptFoot is the margin below the last line of a conversation.
const transcriptFoot = 8
