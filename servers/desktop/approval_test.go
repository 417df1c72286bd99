package desktop

import (
	"strings"
	"testing"
)

// Every tool that runs commands or macros, or reads the clipboard, needs approval for each call.
// The test recognizes tools that are added later by their names.
func TestDangerousToolsNeedEachApproval(t *testing.T) {
	n := 0
	for _, tool := range append(compactTools(), allTools()...) {
		dangerous := tool.name == "run" || tool.name == "clipboard" || strings.HasPrefix(tool.name, "execute_") || strings.HasPrefix(tool.name, "get_clipboard")
		if each := tool.approval() != nil; each != (dangerous || tool.script) {
			t.Errorf("%s needs an approval of each call: %v", tool.name, each)
		}
		if dangerous {
			n++
		}
	}
	if n < 8 {
		t.Errorf("%d dangerous tools are known", n)
	}
}

// The annotations describe what a tool may do. A client that trusts them asks before a tool acts,
// but not before it looks.
func TestAnnotationsFollowTheEffect(t *testing.T) {
	for _, c := range []struct {
		effect                            effect
		reads, destroys, again, openWorld bool
	}{
		{knows, true, false, true, false},
		{looks, true, false, true, true},
		{arranges, false, false, true, false},
		{acts, false, true, false, true},
	} {
		a := (&tool{effect: c.effect}).annotations()
		destroys := a.DestructiveHint != nil && *a.DestructiveHint
		if a.ReadOnlyHint != c.reads || destroys != c.destroys || a.IdempotentHint != c.again || *a.OpenWorldHint != c.openWorld {
			t.Errorf("effect %d: %+v, destroys %v", c.effect, a, destroys)
		}
	}
}
