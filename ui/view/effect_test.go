package view_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/registry"
	"goated/ui/view"
)

// A call that writes a note was shown as one that may delete. goated trusts the claims only of
// bundled tools.
func TestEffectOfATool(t *testing.T) {
	replaces := &mcp.Tool{Name: "t", Meta: mcp.Meta{registry.ReplacesKey: true}, Annotations: &mcp.ToolAnnotations{DestructiveHint: new(true)}}
	for _, tt := range []struct {
		entry registry.Entry
		want  string
	}{
		{registry.Entry{Tool: replaces, Bundled: true}, "May replace a file"},
		{registry.Entry{Tool: replaces}, "May delete"},
		{registry.Entry{Tool: &mcp.Tool{Annotations: replaces.Annotations}, Bundled: true}, "May delete"},
		{registry.Entry{Tool: &mcp.Tool{Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}}, "Reads"},
		{registry.Entry{Tool: new(mcp.Tool)}, "Makes changes"},
	} {
		if got := view.EffectOf(tt.entry).String(); got != tt.want {
			t.Errorf("%+v has the effect %q, want %q", tt.entry, got, tt.want)
		}
	}
}
