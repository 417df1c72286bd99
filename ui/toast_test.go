package ui

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

// A toast covered the foot of an approval, with the buttons that answer it. While the
// conversation asks something, toasts are at the top, and the conversation gives them room.
func TestToastsCoverNothingOfAQuestion(t *testing.T) {
	d := newDesk(t, Options{})
	d.show()
	driver := fyne.CurrentApp().Driver()
	toast := func() (at fyne.Position, size fyne.Size) {
		return driver.AbsolutePositionForObject(d.shell.Toasts.List), d.shell.Toasts.List.Size()
	}
	body := d.chats.Transcript.Root
	begins := driver.AbsolutePositionForObject(body).Y
	d.shell.Toasts.Say("info", "A short message")
	if at, size := toast(); at.Y+size.Height < d.frame.win.Canvas().Size().Height/2 {
		t.Fatalf("without a question the toast is at %v", at)
	}
	d.asking("sort", "", pendingCalls()) // while the toast is shown
	d.clock = d.clock.Add(time.Second)
	check := func() {
		t.Helper()
		at, size := toast()
		if size.Height < 20 || at.Y < begins {
			t.Fatalf("the toast is at %v, %v", at, size)
		}
		if top := driver.AbsolutePositionForObject(body).Y; at.Y+size.Height > top {
			t.Errorf("the toast ends at %v, and the conversation begins at %v", at.Y+size.Height, top)
		}
	}
	check()
	allow := func() fyne.Position {
		if l, ok := find(d, func(l *kit.Label) bool { return l.Text == "Allow all 3" }); ok {
			return driver.AbsolutePositionForObject(l)
		}
		t.Fatal("there is no button that allows")
		return fyne.Position{}
	}
	d.shell.Toasts.Say("info", "Another message, which makes the stack higher")
	check()
	if at, size := toast(); allow().Y < at.Y+size.Height {
		t.Errorf("the toast covers the button at %v", allow())
	}
	d.hurry()
	if at, _ := toast(); at.Y < d.frame.win.Canvas().Size().Height/2 {
		t.Errorf("after the answer the toast is at %v", at)
	}
	if top := driver.AbsolutePositionForObject(body).Y; top != begins {
		t.Errorf("after the answer the conversation begins at %v", top)
	}
}
