package ui

import (
	"testing"

	"goated/ui/kit"
)

func TestCommandsAreDistinct(t *testing.T) {
	d := newDesk(t, Options{})
	ids, keys := map[string]bool{}, map[kit.Shortcut]string{}
	for _, c := range d.commands.all() {
		if ids[c.ID] || c.Title == "" || c.Run == nil {
			t.Errorf("command %q", c.ID)
		}
		ids[c.ID] = true
		for _, s := range append([]kit.Shortcut{c.Shortcut}, c.Also...) {
			if other := keys[s]; s.Key != "" && other != "" {
				t.Errorf("%s is for %s and for %s", s, other, c.ID)
			}
			keys[s] = c.ID
		}
		if c.Icon == "" || kit.NewIconCache().Icon(c.Icon, 16, 16) == nil {
			t.Errorf("%s has no icon %q", c.ID, c.Icon)
		}
	}
}
