package ui_test

import "fyne.io/fyne/v2"

// A lifecycle has the functions with which Fyne's desktop driver reports the focus of windows
// to the app.
type lifecycle interface {
	OnEnteredForeground() func()
	OnExitedForeground() func()
}

func (d *desk) lifecycle() lifecycle {
	d.T.Helper()
	l, ok := fyne.CurrentApp().Lifecycle().(lifecycle)
	if !ok {
		d.T.Fatal("Fyne's app tells nothing of its windows")
	}
	return l
}

// leave brings the window of another program to the front.
func (d *desk) leave() { d.T.Helper(); d.lifecycle().OnExitedForeground()() }

// comeBack brings the window to the front again.
func (d *desk) comeBack() { d.T.Helper(); d.lifecycle().OnEnteredForeground()() }
