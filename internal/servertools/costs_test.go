package servertools

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/quarantine"
	"goated/registry"
)

// The costs stood under the ids of the servers, which the user does not choose.
func TestCostsHaveTheNamesOfServers(t *testing.T) {
	var text strings.Builder
	tools := slices.Values([]registry.Entry{{Server: "my_dice", Name: "my_dice__roll", Tool: &mcp.Tool{Name: "roll", InputSchema: map[string]any{"type": "object"}}}})
	Costs(&text, tools, quarantine.New(filepath.Join(t.TempDir(), "quarantine.json")), func(id string) string { return map[string]string{"my_dice": "My dice"}[id] })
	if !strings.HasPrefix(text.String(), "My dice\n  roll ") {
		t.Error(text.String())
	}
}

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
	refused := quarantine.New(filepath.Join(t.TempDir(), "quarantine.json"))
	if err := refused.Refuse("", "gemini-3.5-flash", entry("plain", map[string]any{"type": "object"}), "too odd"); err != nil {
		t.Fatal(err)
	}
	Costs(&text, tools, refused, func(id string) string { return id })
	for _, want := range []string{"dice\n  plain ", "  roll ", "      sides: the model reads the rule \"multipleOf\" in the description.\n", "      The model can't receive this tool: ", "Only its server can correct the schema.",
		"      Gemini 3.5 Flash refused this tool on ", "The answer was: too odd. To try it again: goated tools --retry dice__plain\n", "3 tools, about "} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	text.Reset()
	if err := JSON(&text, tools, refused); err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Tokens  int
		Changes []string
		LeftOut []string
	}
	if err := json.Unmarshal([]byte(text.String()), &list); err != nil || len(list) != 3 {
		t.Fatalf("%v\n%s", err, text.String())
	}
	if list[0].Tokens == 0 || list[0].Changes != nil || list[1].Tokens <= list[0].Tokens || len(list[1].Changes) != 1 || list[2].Tokens != 0 || len(list[2].Changes) != 1 {
		t.Errorf("%+v", list)
	}
	if len(list[0].LeftOut) != 1 || list[1].LeftOut != nil || len(list[2].LeftOut) != 1 {
		t.Errorf("left out: %+v", list)
	}
	plain := entry("plain", map[string]any{"type": "object"})
	for _, want := range []string{"Conversations get dice__plain again from their next message on.\n", "No model refused dice__plain.\n"} {
		text.Reset()
		if err := Retry(&text, refused, plain); err != nil || text.String() != want {
			t.Errorf("%q, %v", text.String(), err)
		}
	}
	if got := LeftOut(refused, plain); got != nil {
		t.Errorf("after the retry: %q", got)
	}
}
