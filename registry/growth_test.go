package registry

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Ten times as many servers, each listed after it connects, cost about ten times as much. Earlier,
// the registry sifted the tools of all servers again for each server. The test measures memory
// instead of time, because other programs do not affect it.
func TestListingGrowsLinearly(t *testing.T) {
	tools := make([]*mcp.Tool, 100)
	for i := range tools {
		tools[i] = &mcp.Tool{Name: fmt.Sprintf("tool_%d", i)}
	}
	list := func(servers int) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		var r Registry
		for i := range servers {
			r.Set(fmt.Sprintf("server-%d", i), false, Origin{}, tools)
		}
		if len(r.All()) != servers*len(tools) {
			t.Fatal("tools are lost")
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	few, many := list(10), list(100)
	t.Logf("1,000 tools: %.0f kB, 10,000: %.0f kB, ratio %.1f", few/1e3, many/1e3, many/few)
	if many > 15*few {
		t.Errorf("ten times as many servers cost %.0f times as much", many/few)
	}
}
