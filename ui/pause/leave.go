package pause

import (
	"reflect"

	"goated/servers/pause/dialog"
)

// escape handles Esc. It cancels if the user entered nothing. Otherwise the first Esc only shows a
// warning, and the second one cancels.
func (c *card) escape() {
	if c.open() && c.leaving.LeaveIf(reflect.DeepEqual(c.Draft(), dialog.Answer{})) {
		c.cancel()
	}
}
