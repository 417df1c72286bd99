package registry

import (
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkSet measures how one of a hundred servers changes its hundred tools.
func BenchmarkSet(b *testing.B) {
	var r Registry
	tools := make([]*mcp.Tool, 100)
	for i := range tools {
		tools[i] = &mcp.Tool{Name: fmt.Sprintf("tool_%d", i)}
	}
	for i := range 100 {
		r.Set(fmt.Sprintf("server-%d", i), false, Origin{}, tools)
	}
	for b.Loop() {
		r.Set("server-50", false, Origin{}, tools)
	}
}

func BenchmarkLookup(b *testing.B) {
	var r Registry
	tools := make([]*mcp.Tool, 1000)
	for i := range tools {
		tools[i] = &mcp.Tool{Name: fmt.Sprintf("tool_%d", i)}
	}
	r.Set("s", false, Origin{}, tools)
	for b.Loop() {
		if _, ok := r.Lookup("s__tool_500"); !ok {
			b.Fatal("not found")
		}
	}
}

// BenchmarkHundredServers measures how ten or a hundred servers with a hundred tools each connect
// and are listed once. The time for a tool must not grow with the number of servers.
func BenchmarkHundredServers(b *testing.B) {
	for _, servers := range []int{10, 100} {
		b.Run(fmt.Sprint(servers), func(b *testing.B) {
			tools := make([]*mcp.Tool, 100)
			for i := range tools {
				tools[i] = &mcp.Tool{Name: fmt.Sprintf("tool_%d", i)}
			}
			for b.Loop() {
				var r Registry
				for i := range servers {
					r.Set(fmt.Sprintf("server-%d", i), false, Origin{}, tools)
				}
				if len(r.All()) != servers*len(tools) {
					b.Fatal("tools are lost")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*servers*len(tools)), "ns/tool")
		})
	}
}
