package sandbox

import "testing"

// A server written for an older library failed because of a bug, and goated asked for each file
// that an interpreter had not found.
func TestMistakeOfAProgramAsksForNothing(t *testing.T) {
	e := Evidence{Blocked: []Permission{{Kind: ToRead, Path: "/opt/pyenv/shims"}}}
	for text, want := range map[string]int{
		"Traceback (most recent call last):\n  File \"server.py\", line 250\nAttributeError: 'Server' object has no attribute 'list_tools'": 0,
		"server.js:3\nReferenceError: x is not defined\n    at server.js:3":                                                                 0,
		"AttributeError: 'NoneType' object has no attribute 'read'":                                                                         1,
		"TypeError: Cannot read properties of undefined (reading 'x')":                                                                      1,
		"it failed": 1,
	} {
		e.Text = []string{text}
		if got := Needs(Policy{Network: NamedHosts}, e); len(got) != want {
			t.Errorf("%q asks for %v", text, got)
		}
	}
}
