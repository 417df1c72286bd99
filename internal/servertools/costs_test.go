package servertools

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/registry"
)

// The terminal and a program read what each tool costs, what the model gets in words, and
// why it does not get a tool.
func TestCosts(t *testing.T) {
	entry := func(name string, schema any) registry.Entry {
		return registry.Entry{Server: "dice", Name: "dice__" + name, Tool: &mcp.Tool{Name: name, InputSchema: schema}}
	}
	tools := slices.Values([]registry.Entry{
		entry("plain", map[string]any{"type": "object"}),
		entry("roll", map[string]any{"type": "object", "properties": map[string]any{"sides": map[string]any{"type": "integer", "multipleOf": 2}}}),
		entry("never", false),
	})
	var text strings.Builder
	Costs(&text, tools)
	for _, want := range []string{"dice\n  plain ", "  roll ", "      sides: the model reads the rule \"multipleOf\" in the description.\n", "      The model can't receive this tool: ", "3 tools, about "} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	text.Reset()
	if err := JSON(&text, tools); err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Tokens  int
		Changes []string
	}
	if err := json.Unmarshal([]byte(text.String()), &list); err != nil || len(list) != 3 {
		t.Fatalf("%v\n%s", err, text.String())
	}
	if list[0].Tokens == 0 || list[0].Changes != nil || list[1].Tokens <= list[0].Tokens || len(list[1].Changes) != 1 || list[2].Tokens != 0 || len(list[2].Changes) != 1 {
		t.Errorf("%+v", list)
	}
}
