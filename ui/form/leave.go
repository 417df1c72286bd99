package form

import (
	"time"

	"goated/ui/kit"
	"goated/ui/shell"
)

// leaving keeps one key from losing what the user entered.
type leaving struct {
	Warning *kit.Paragraph // the owner places it near its buttons; hidden: nothing is about to be lost
	entered bool           // the user changed a value
	warned  time.Time      // when Warning appeared
}

// Leave reports whether Esc may close the form. It may if the user entered nothing. Otherwise
// the first Esc only shows a warning, and the next one may. A repeated key press does not confirm.
func (f *Form) Leave() bool {
	switch {
	case !f.entered:
		return true
	case f.Warned():
		return f.sh.Now().Sub(f.warned) >= shell.GuardTime
	}
	f.warned = f.sh.Now()
	f.Warning.Show()
	f.resize()
	return false
}

// Warned reports whether the next Esc loses what the user entered.
func (f *Form) Warned() bool { return !f.Warning.Hidden }

// Entered reports whether the user changed a value.
func (f *Form) Entered() bool { return f.entered }

// Sent notes that the values are in use: leaving loses nothing.
func (f *Form) Sent() { f.entered = false }

// enteredNow notes that the user goes on with the form.
func (f *Form) enteredNow() {
	f.entered = true
	if f.Warned() {
		f.Warning.Hide()
		f.resize()
	}
}

func newLeaving() leaving {
	l := leaving{Warning: kit.NewText("Press Esc again to close this form. What you entered is lost then.", 12, 18, kit.ColorWarn)}
	l.Warning.Hide()
	return l
}
