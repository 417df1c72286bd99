package atspi_test

import (
	"slices"
	"testing"
	"time"

	"goated/servers/desktop/atspi"
	"goated/servers/desktop/atspi/atspitest"
)

// TestWindowsOfABusyProgram checks that Windows lists the windows of a program that answers late, names
// a program that does not answer at all, and waits for that one only once.
func TestWindowsOfABusyProgram(t *testing.T) {
	b := connect(t, atspi.Options{Budget: 50 * time.Millisecond})
	app := &atspitest.App{Item: func(id int) atspitest.Item {
		if id == 0 {
			return atspitest.Item{Role: application, Name: "busy", Toolkit: "test", Children: []int{1}}
		}
		return atspitest.Item{Role: frame, Name: "The window of busy", States: atspitest.Shown}
	}}
	serve(t, b, app)
	list := func() (listed, silent bool) {
		t.Helper()
		all, late, err := atspi.Windows(t.Context(), b)
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(all, func(w atspi.Window) bool { return w.Title == "The window of busy" }), slices.ContainsFunc(late, func(a atspi.Application) bool { return a.Name == "busy" })
	}
	hold := func() (release func()) {
		held, free := make(chan bool), make(chan bool)
		go app.Lock(func() { close(held); <-free })
		<-held
		return func() { close(free) }
	}

	desk.Until(t, "the window of a program that answers late", func() bool {
		time.AfterFunc(400*time.Millisecond, hold())
		listed, _ := list()
		return listed
	})

	release := hold()
	if listed, silent := list(); listed || !silent {
		t.Errorf("while it is silent: listed %v, named %v", listed, silent)
	}
	desk.Until(t, "a list at once, since it is known to be silent", func() bool {
		start := time.Now()
		_, silent := list()
		return silent && time.Since(start) < time.Second
	})
	release()
	desk.Until(t, "the window after it answers", func() bool { listed, _ := list(); return listed })
}
