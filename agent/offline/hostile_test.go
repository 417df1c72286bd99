package offline

import (
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/agent/modeltest"
	"goated/agent/schematest"
	"goated/agent/turntest"
	"goated/registry"
)

// Without a model, goated reads the same schemas to find arguments. No schema takes long or makes
// goated connect to another host (F36, F37).
func TestHostileSchemas(t *testing.T) {
	schematest.Hostile(t, func(name string, schema map[string]any) {
		box := &turntest.Toolbox{Run: turntest.Echo}
		box.Registry.Set("box", false, registry.Origin{}, []*mcp.Tool{{Name: "x", InputSchema: schema}})
		// A busy machine delays most tries.
		var err error
		least := time.Hour
		for range 10 {
			began := time.Now()
			_, err = modeltest.Collect(t.Context(), &agent.Session{Model: &Model{}, Tools: box}, `x v="`+strings.Repeat("a", 1000)+`!"`)
			if least = min(least, time.Since(began)); least <= 3*time.Second {
				break
			}
		}
		if err != nil || least > 3*time.Second {
			t.Errorf("%s: it took %v, %v", name, least, err)
		}
	})
}
