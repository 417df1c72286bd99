package desktop

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// TestToolsOfSeed002 compares the tools with the list in the document. Every tool exists, takes
// each argument in the list, and requires the arguments that the list requires. There are two
// exceptions: an element may be described by its appearance instead of its id, and the content of
// the clipboard need not be text.
func TestToolsOfSeed002(t *testing.T) {
	list, err := os.ReadFile("macosusesdk/testdata/seed002.txt")
	if err != nil {
		t.Fatal(err)
	}
	words := func(s string) []string {
		return strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' })
	}
	all, n := allByName(), 0
	for line := range strings.Lines(string(list)) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), "tool ")
		if !ok {
			continue
		}
		n++
		name, args, _ := strings.Cut(rest, ":")
		tool := all[name]
		if tool == nil {
			t.Errorf("the tool %s is missing", name)
			continue
		}
		delete(all, name)
		in := tool.definition().InputSchema.(*jsonschema.Schema)
		needs, more, _ := strings.Cut(args, "|")
		want, requires := words(needs), slices.Clone(in.Required)
		slices.Sort(want)
		slices.Sort(requires)
		if !slices.Equal(want, requires) {
			t.Errorf("%s requires %v, want %v", name, requires, want)
		}
		for _, arg := range words(more) {
			has := func(arg string) bool { return in.Properties[arg] != nil }
			if !has(arg) && !slices.ContainsFunc(argumentAliases[arg], has) {
				t.Errorf("%s does not take %s", name, arg)
			}
		}
	}
	if n < 78 {
		t.Errorf("the list has %d tools", n)
	}
	for name := range all {
		t.Errorf("%s is not in the document", name)
	}
}
