package offline

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/internal/waittest"
	"goated/registry"
)

// Without a model, goated reads the same schemas to find arguments. None takes it long, or makes it
// connect to another host (F36, F37).
func TestHostileSchemas(t *testing.T) {
	elsewhere, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer elsewhere.Close()
	connected := make(chan string, 1) // the address of the first connection
	go func() {                       // ends with the listener
		for {
			conn, err := elsewhere.Accept()
			if err != nil {
				return
			}
			select {
			case connected <- conn.RemoteAddr().String():
			default:
			}
			_ = conn.Close()
		}
	}()
	remote := "http://" + elsewhere.Addr().String() + "/schema"

	fewer := 1
	if testing.Short() { // the race detector slows the reductions more than ten times
		fewer = 20
	}
	values := make([]any, 200000/fewer)
	for i := range values {
		values[i] = fmt.Sprint("value-", i)
	}
	doubled, properties := map[string]any{}, map[string]any{}
	for i := range 60 {
		next := map[string]any{"$ref": fmt.Sprintf("#/$defs/d%d", i+1)}
		doubled[fmt.Sprint("d", i)] = map[string]any{"allOf": []any{next, next}, "anyOf": []any{next, next}, "properties": map[string]any{"a": next, "b": next}}
	}
	for i := range 50000 / fewer {
		properties[fmt.Sprint("p", i)] = map[string]any{"type": "string", "description": "one of many"}
	}
	deep := map[string]any{"type": "string"}
	for range 5000 {
		deep = map[string]any{"type": "array", "items": deep}
	}
	for name, schema := range map[string]map[string]any{
		"huge enum":         {"properties": map[string]any{"v": map[string]any{"enum": values}}},
		"reference loop":    {"properties": map[string]any{"v": map[string]any{"$ref": "#/$defs/a"}}, "$defs": map[string]any{"a": map[string]any{"$ref": "#/$defs/b"}, "b": map[string]any{"$ref": "#/$defs/a"}}},
		"reference to root": {"properties": map[string]any{"v": map[string]any{"$ref": "#"}}},
		"exponential allOf": {"allOf": []any{map[string]any{"$ref": "#/$defs/d0"}}, "$defs": doubled},
		"pattern":           {"properties": map[string]any{"v": map[string]any{"type": "string", "pattern": "^(a+)+$(" + strings.Repeat("(x*)*", 20000) + ")"}}},
		"many properties":   {"properties": properties},
		"deep":              {"properties": map[string]any{"v": deep}},
		"long description":  {"description": strings.Repeat("word ", 1<<20)},
		"remote reference":  {"$ref": remote, "$schema": remote, "$id": remote, "properties": map[string]any{"v": map[string]any{"$ref": remote + "#/$defs/x"}}},
	} {
		box := &toolbox{run: echo}
		box.reg.Set("box", false, registry.Origin{}, []*mcp.Tool{{Name: "x", InputSchema: schema}})
		// A busy machine delays most tries.
		least := time.Hour
		for range 10 {
			began := time.Now()
			_, err = collect(t.Context(), &agent.Session{Model: &Model{}, Tools: box}, `x v="`+strings.Repeat("a", 1000)+`!"`)
			if least = min(least, time.Since(began)); least <= 3*time.Second {
				break
			}
		}
		if err != nil || least > 3*time.Second {
			t.Errorf("%s: it took %v, %v", name, least, err)
		}
	}
	// Connections are accepted in their order, so the first is this one.
	own, err := net.Dial("tcp", elsewhere.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if first := waittest.Receive(t, "a connection", connected); first != own.LocalAddr().String() {
		t.Error("goated followed a reference to another host")
	}
}
