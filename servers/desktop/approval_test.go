package desktop

import (
	"strings"
	"testing"
)

// Every tool that runs commands or macros, or reads the clipboard, needs an approval of
// each call. A tool that comes later is found by its name.
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
