package main

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client"
	"goated/internal/consent"
	"goated/registry"
)

// A tool's declaration that it can be repeated counts only if the user has granted the tool
// permanently. --yes allows only one call.
func TestOnlyAGrantRepeatsACall(t *testing.T) {
	t.Parallel()
	entry := func(a *mcp.ToolAnnotations) registry.Entry {
		return registry.Entry{Name: "s__order", Server: "s", Tool: &mcp.Tool{Name: "order", Annotations: a}}
	}
	for _, row := range []struct {
		name                     string
		a                        *mcp.ToolAnnotations
		granted, yes, agrees, ok bool
	}{
		{name: "the user refuses"},
		{name: "the user agrees", agrees: true, ok: true},
		{name: "--yes", yes: true},
		{name: "granted", granted: true},
		{name: "granted, only reads", granted: true, a: &mcp.ToolAnnotations{ReadOnlyHint: true}, ok: true},
		{name: "granted, idempotent", granted: true, a: &mcp.ToolAnnotations{IdempotentHint: true}, ok: true},
		{name: "only reads, as it says", a: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		{name: "--yes, idempotent", yes: true, a: &mcp.ToolAnnotations{IdempotentHint: true}},
	} {
		a := &app{options: &options{}, policy: consent.NewPolicy(filepath.Join(t.TempDir(), "grants.json"), time.Now)}
		a.policy.AllowAll = row.yes
		if row.granted {
			if err := a.policy.Grant(entry(row.a)); err != nil {
				t.Fatal(err)
			}
		}
		if got := repeats(t.Context(), a, client.Asker{}, entry(row.a), nil); got != (row.ok && !row.agrees) {
			t.Errorf("%s: %v where nobody can be asked", row.name, got)
		}
		a.repeat = func(context.Context, client.Asker, string) bool { return row.agrees }
		if got := repeats(t.Context(), a, client.Asker{}, entry(row.a), nil); got != row.ok {
			t.Errorf("%s: %v", row.name, got)
		}
	}
}
