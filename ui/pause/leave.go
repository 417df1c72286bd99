package pause

import (
	"reflect"
	"time"

	"goated/servers/pause/dialog"
	"goated/ui/kit"
	"goated/ui/shell"
)

// A leaving prevents a single press of Esc from losing what the user entered in a dialog.
type leaving struct {
	warning *kit.Paragraph // hidden while nothing is about to be lost
	warned  time.Time      // when the warning appeared
}

func newLeaving() leaving {
	l := leaving{warning: kit.NewText("Press Esc again to cancel. What you entered is lost then.", 12, 18, kit.ColorWarn)}
	l.warning.Hide()
	return l
}

// escape handles Esc. It cancels if the user entered nothing. Otherwise the first Esc only shows a
// warning, and the second one cancels. A key repeat does not count as the second press.
func (c *card) escape() {
	warned := c.warning.Visible()
	switch {
	case !c.open():
	case reflect.DeepEqual(c.Draft(), dialog.Answer{}), warned && c.sh.Now().Sub(c.warned) >= shell.GuardTime:
		c.cancel()
	case !warned:
		c.warned = c.sh.Now()
		c.warning.Show()
		c.refit()
	}
}

// edited hides the warning, because the user continues.
func (c *card) edited() {
	if c.warning.Visible() {
		c.warning.Hide()
		c.refit()
	}
}
