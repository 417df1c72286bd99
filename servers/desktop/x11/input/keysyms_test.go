package input_test

import (
	"errors"
	"strings"
	"testing"

	"goated/servers/desktop/x11/input"
)

// Each spelling of a modifier, and of a key that the guard refuses in a combination, gets the same
// name.
func TestCanonicalNamesOfKeys(t *testing.T) {
	for want, spellings := range map[string][]string{
		"f2":                       {"F2", "f2", "F_2", "f-2", " F2"},
		"f35":                      {"F35", "F_35"},
		"option+f2":                {"alt+F2", "Option+F_2", "opt+ F2"},
		"command+r":                {"super+r", "meta+R", "Win+r", "cmd+R", "command+r"},
		"control+option+t":         {"ctrl+alt+T", "Control+Opt+t"},
		"control+option+delete":    {"ctrl+alt+Del", "ctrl+alt+Delete", "ctrl+alt+forward_delete", "ctrl+alt+ForwardDelete"},
		"control+option+backspace": {"ctrl+alt+BackSpace", "ctrl+alt+back_space", "ctrl+alt+Back-Space"},
		"shift+control++":          {"shift+ctrl++"},
		"é":                        {"é", "É"},
		"日":                        {"日"},
		"return":                   {"Return"},
		"shift":                    {"Shift"},
	} {
		for _, key := range spellings {
			modifiers, name, err := input.Canonical(key)
			if got := strings.Join(append(modifiers, name), "+"); got != want || err != nil {
				t.Errorf("%q is %q, want %q (%v)", key, got, want, err)
			}
		}
	}
	modifiers, name, err := input.Canonical("ctrl+F_2", input.Option, input.Shift)
	if got := strings.Join(modifiers, "+"); got != "control+option+shift" || name != "f2" || err != nil {
		t.Errorf("with more modifiers: %q and %q (%v)", got, name, err)
	}
	if _, _, err := input.Canonical("ctrl+hyperdrive"); !errors.Is(err, input.ErrKey) {
		t.Errorf("a key that does not exist: %v", err)
	}
}
