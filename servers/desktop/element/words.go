package element

import (
	"cmp"
	"fmt"
)

// Words describe an element for the journal.
func (e Element) Words() string {
	if e.Secure {
		return "a password field"
	}
	return fmt.Sprintf("the %s %q", e.Role, cmp.Or(e.Name, e.Text))
}

// Looks returns the words for its state; "" for a password field. That of nil is gone.
func (e *Element) Looks() string {
	switch {
	case e == nil:
		return "gone"
	case e.Secure:
		return ""
	}
	return fmt.Sprintf("text %q, enabled %t, focused %t", e.Text, e.Enabled, e.Focused)
}
