package registry

import (
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// One server of a hundred changes its hundred tools.
func BenchmarkSet(b *testing.B) {
	var r Registry
	tools := make([]*mcp.Tool, 100)
	for i := range tools {
		tools[i] = &mcp.Tool{Name: fmt.Sprintf("tool_%d", i)}
	}
	for i := range 100 {
		r.Set(fmt.Sprintf("server-%d", i), false, tools)
	}
	for b.Loop() {
		r.Set("server-50", false, tools)
	}
}

func BenchmarkLookup(b *testing.B) {
	var r Registry
	tools := make([]*mcp.Tool, 1000)
	for i := range tools {
		tools[i] = &mcp.Tool{Name: fmt.Sprintf("tool_%d", i)}
	}
	r.Set("s", false, tools)
	for b.Loop() {
		if _, ok := r.Lookup("s__tool_500"); !ok {
			b.Fatal("not found")
		}
	}
}
