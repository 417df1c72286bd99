package config

import (
	"slices"
	"testing"
)

// A change that makes a server the same as another saved one leaves one of them. goated itself may save
// the changed server first, as one that runs at last, and the form then saves it instead of the old one.
func TestAChangeLeavesOneServer(t *testing.T) {
	was, now := Launch{Command: "python3", Args: []string{"-Z", "a.py"}}, Launch{Command: "python3", Args: []string{"a.py"}}
	other := Launch{Command: "node", Args: []string{"b.js"}}
	both := Settings{Launch: []Launch{was, other, now}}
	for name, s := range map[string]Settings{
		"changed": both.WithReplaced(was, now), "updated": WithUpdated(both, was, now), "updated after the old one was removed": WithUpdated(both.WithoutStart(was), was, now),
	} {
		if n := len(s.Launch); n != 2 || !slices.ContainsFunc(s.Launch, now.Same) || !slices.ContainsFunc(s.Launch, other.Same) {
			t.Errorf("%s: %+v", name, s.Launch)
		}
	}
	if len(both.Launch) != 3 || !both.Launch[2].Same(now) {
		t.Errorf("the settings before the change are %+v", both.Launch)
	}
}
