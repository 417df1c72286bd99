package offline

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent/turntest"
	"goated/registry"
)

// Suggestions are correct English: a title without a verb is quoted as a name.
func TestSuggestionsReadAsEnglish(t *testing.T) {
	b := &turntest.Toolbox{Run: turntest.Echo}
	b.Registry.Set("desktop", true, registry.Origin{}, []*mcp.Tool{
		{Name: "app", Title: "Open applications", InputSchema: object(nil, nil)}, {Name: "clipboard", Title: "Use the clipboard", InputSchema: object(nil, nil)},
	})
	b.Registry.Set("filesystem", false, registry.Origin{}, []*mcp.Tool{
		{Name: "create_directory", Title: "Create Directory", InputSchema: object(nil, nil)}, {Name: "directory_tree", Title: "Directory Tree", InputSchema: object(nil, nil)},
	})
	for _, request := range []string{"hi", "how tall is the Eiffel tower?"} {
		said, _ := planned(t, &Model{Lookup: b.Lookup}, b, request)
		if want := "I can, for example: open applications; use the clipboard; use “Create Directory”; use “Directory Tree”."; !strings.Contains(said, want) {
			t.Errorf("%q: %q", request, said)
		}
	}
}
