package form

import (
	"time"

	"goated/ui/kit"
	"goated/ui/shell"
)

// A Leaving keeps one key from losing what the user entered. It belongs to the UI goroutine.
type Leaving struct {
	Warning *kit.Paragraph // the owner places it near its buttons; hidden: nothing is about to be lost
	sh      *shell.Shell
	resize  func()    // runs when Warning appears or goes
	entered bool      // the user changed a value
	warned  time.Time // when Warning appeared
}

// NewLeaving returns a Leaving of something into which the user has entered nothing. It calls resize when its warning
// appears or goes.
func NewLeaving(sh *shell.Shell, resize func()) *Leaving {
	l := &Leaving{Warning: kit.NewText("Press Esc again to close this form. What you entered is lost then.", 12, 18, kit.ColorWarn), sh: sh, resize: resize}
	l.Warning.Hide()
	return l
}

// Leave reports whether Esc may close the form. It may if the user entered nothing. Otherwise
// the first Esc only shows a warning, and the next one may. A repeated key press does not confirm.
func (l *Leaving) Leave() bool {
	switch {
	case !l.entered:
		return true
	case l.Warned():
		return l.sh.Now().Sub(l.warned) >= shell.GuardTime
	}
	l.warned = l.sh.Now()
	l.Warning.Show()
	l.resize()
	return false
}

// Warned reports whether the next Esc loses what the user entered.
func (l *Leaving) Warned() bool { return !l.Warning.Hidden }

// Entered reports whether the user changed a value.
func (l *Leaving) Entered() bool { return l.entered }

// Sent notes that the values are in use: leaving loses nothing.
func (l *Leaving) Sent() {
	l.entered = false
	l.unwarn()
}

// Edited notes that the user goes on with the form.
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
