package ui_test

import (
	"context"
	"image/color"
	"reflect"
	"testing"

	"fyne.io/fyne/v2"
	"google.golang.org/genai"

	"goated/ui"
	"goated/ui/internal/samplechat"
)

// ground returns the background colour of the row of a conversation in the sidebar.
func (d *desk) ground(title string) color.Color {
	d.T.Helper()
	at, size, seen := d.Place(title)
	if !seen || at.X > sidebarWidth {
		d.T.Fatalf("the sidebar does not show %q", title)
	}
	return d.Picture().At(int(at.X)-4, int(at.Y+size.Height/2))
}

// While a page covers a conversation, the sidebar shows that the conversation asks a question.
// Only the row of the page is selected.
func TestAPageLeavesTheQuestionBehindItInSight(t *testing.T) {
	d, m := calling(t, ui.Options{}, sendMessage())
	d.send("Weekly report")
	d.sees(allowThis)
	selected := d.ground("Weekly report")
	d.run("Tools")
	d.until("the sidebar says that the conversation asks", func() bool { return d.Reads("Asks you") })
	if d.ground("Weekly report") == selected {
		t.Error("the sidebar selects the conversation and the page")
	}
	d.Press("Weekly report")
	if d.Reads("Asks you") || !d.Reads(allowThis) || d.ground("Weekly report") != selected {
		t.Errorf("the conversation is back, and the screen shows %q", d.Texts())
	}
	d.later()
	d.Key(fyne.KeyEscape)
	d.answer(m)
}

// While the sidebar is hidden, the header of every page and of every other conversation leads
// to the question that is out of sight.
func TestHeaderLeadsToAQuestionOutOfSight(t *testing.T) {
	for name, hide := range map[string]func(*desk){
		"folded": func(d *desk) { d.Ctrl(fyne.KeyB) },
		"narrow": func(d *desk) { d.Window.Resize(fyne.NewSize(640, 480)) },
	} {
		for place, leave := range map[string]func(*desk){
			"page":         func(d *desk) { d.run("Tools") },
			"conversation": func(d *desk) { d.Ctrl(fyne.KeyN) },
		} {
			t.Run(name+" "+place, func(t *testing.T) {
				d, m := calling(t, ui.Options{}, sendMessage())
				hide(d)
				d.send("Weekly report")
				d.sees(allowThis)
				if d.Reads("Asks you") {
					t.Error("a question in sight is shown as one that is not")
				}
				leave(d)
				d.sees("Asks you")
				if got := d.Misfits(); len(got) > 0 {
					t.Errorf("these do not fit: %q", got)
				}
				d.Press("Asks you")
				d.sees(allowThis)
				if d.Reads("Asks you") {
					t.Error("a question in sight is shown as one that is not")
				}
				d.later()
				d.Key(fyne.KeyEscape)
				d.answer(m)
			})
		}
	}
}

// If a turn ends while a page covers its conversation, the conversation is unread until the
// user returns to it. It lost its mark when the user came back from another window to the page.
func TestTurnThatEndsBehindAPageIsUnread(t *testing.T) {
	release, unread := make(chan struct{}), make(chan int, 10)
	d := shown(t, ui.Options{Desktop: ui.DesktopOptions{Unread: func(n int) { unread <- n }}, Agent: ui.AgentOptions{NewSession: sessions(
		func(ctx context.Context, h []*genai.Content, yield func(string, error) bool) {
			select {
			case <-release:
				samplechat.Echo(ctx, h, yield)
			case <-ctx.Done():
			}
		})}})
	d.send("hello")
	d.run("Tools")
	close(release)
	d.until("the conversation is unread", func() bool { return len(unread) == 1 })
	marked := d.Picture()
	d.leave()
	d.comeBack()
	if !reflect.DeepEqual(d.Picture(), marked) {
		t.Error("the mark in the sidebar is gone, and the page still covers the conversation")
	}
	d.Key(fyne.KeyEscape)
	d.until("it is read", func() bool { return len(unread) == 2 })
	if first, then := <-unread, <-unread; first != 1 || then != 0 {
		t.Errorf("%d conversations are unread, then %d", first, then)
	}
}
