package element

import (
	"cmp"
	"fmt"
)

// Description returns a description of an element for the journal.
func (e Element) Description() string {
	if e.Secure {
		return "a password field"
	}
	return fmt.Sprintf("the %s %q", e.Role, cmp.Or(e.Name, e.Text))
}

// StateText describes the state of an element in words. It returns "" for a password field, and "gone"
// for nil.
func (e *Element) StateText() string {
	switch {
	case e == nil:
		return "gone"
	case e.Secure:
		return ""
	}
	return fmt.Sprintf("text %q, enabled %t, focused %t", e.Text, e.Enabled, e.Focused)
}
