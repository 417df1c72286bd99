package registry

import (
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Only a bundled tool that declares it offers values, and only the lines below its heading are
// values.
func TestOffers(t *testing.T) {
	offering := &mcp.Tool{Name: "t", Meta: mcp.Meta{OffersKey: map[string]any{"key": "Similar names:"}}}
	const result = "Nothing is there.\nSimilar names:\n- a b\n- - c\nend"
	for _, tt := range []struct {
		name     string
		entry    Entry
		result   string
		argument string
		values   []string
	}{
		{"a bundled tool", Entry{Tool: offering, Bundled: true}, result, "key", []string{"a b", "- c"}},
		{"a stranger", Entry{Tool: offering}, result, "", nil},
		{"a tool that offers nothing", Entry{Tool: &mcp.Tool{Name: "t"}, Bundled: true}, result, "", nil},
		{"no tool", Entry{Bundled: true}, result, "", nil},
		{"another result", Entry{Tool: offering, Bundled: true}, "Removed: Similar names: x\n- y", "", nil},
		{"another value of _meta", Entry{Tool: &mcp.Tool{Meta: mcp.Meta{OffersKey: map[string]any{"key": 1}}}, Bundled: true}, "x\n\n- y", "", nil},
	} {
		if argument, values := tt.entry.OfferedValues(tt.result); argument != tt.argument || !slices.Equal(values, tt.values) {
			t.Errorf("%s: %q %q", tt.name, argument, values)
		}
	}
}
