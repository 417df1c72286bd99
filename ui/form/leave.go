package form

import (
	"time"

	"goated/ui/kit"
	"goated/ui/shell"
)

// A Leaving prevents a single key press from losing the user's input. It belongs to the UI
// goroutine.
type Leaving struct {
	Warning *kit.Paragraph // the owner places it near its buttons; hidden while nothing is about to be lost
	sh      *shell.Shell
	resize  func()    // runs when Warning appears or disappears
	entered bool      // the user changed a value
	warned  time.Time // when Warning appeared
}

// NewLeaving returns a Leaving without any input. It calls resize when its warning appears or
// disappears.
func NewLeaving(sh *shell.Shell, resize func()) *Leaving {
	l := &Leaving{Warning: kit.NewText("Press Esc again to close this form. What you entered is lost then.", 12, 18, kit.ColorWarn), sh: sh, resize: resize}
	l.Warning.Hide()
	return l
}

// Leave reports whether Esc may close the form. It may if the user entered nothing. Otherwise the
// first Esc only shows a warning, and the second one may close the form. A key repeat does not
// count as the second press.
func (l *Leaving) Leave() bool { return l.LeaveIf(!l.entered) }

// LeaveIf is like Leave for an owner that knows whether the user entered nothing.
func (l *Leaving) LeaveIf(empty bool) bool {
	switch {
	case empty:
		return true
	case l.Warned():
		return l.sh.Now().Sub(l.warned) >= shell.GuardTime
	}
	l.warned = l.sh.Now()
	l.Warning.Show()
	l.resize()
	return false
}

// Warned reports whether the next Esc loses the user's input.
func (l *Leaving) Warned() bool { return !l.Warning.Hidden }

// Entered reports whether the user changed a value.
func (l *Leaving) Entered() bool { return l.entered }

// Sent records that the values were used, so leaving loses nothing.
func (l *Leaving) Sent() {
	l.entered = false
	l.unwarn()
}

// Edited records that the user continues to edit.
func (l *Leaving) Edited() {
	l.entered = true
	l.unwarn()
}

// unwarn hides the warning.
func (l *Leaving) unwarn() {
	if l.Warned() {
		l.Warning.Hide()
		l.resize()
	}
}
