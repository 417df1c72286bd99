// Package schematest provides tool schemas that are designed to be expensive. Every package that
// reads schemas tests them. It imports none of the packages under test.
package schematest

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"goated/internal/waittest"
)

// Hostile calls try with each schema, and fails the test if one of them makes the process connect
// to another host.
func Hostile(t *testing.T, try func(name string, schema map[string]any)) {
	t.Helper()
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
	for name, schema := range schemas("http://" + elsewhere.Addr().String() + "/schema") {
		try(name, schema)
	}
	// Connections are accepted in order, so this one must be the first.
	own, err := net.Dial("tcp", elsewhere.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if first := waittest.Receive(t, "a connection", connected); first != own.LocalAddr().String() {
		t.Error("goated followed a reference to another host")
	}
}

// schemas returns the schemas by name. remote is the URL of a schema on another host.
func schemas(remote string) map[string]map[string]any {
	fewer := 1
	if testing.Short() { // the race detector makes translations more than ten times slower
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
	return map[string]map[string]any{
		"huge enum":         {"properties": map[string]any{"v": map[string]any{"enum": values}}},
		"reference loop":    {"properties": map[string]any{"v": map[string]any{"$ref": "#/$defs/a"}}, "$defs": map[string]any{"a": map[string]any{"$ref": "#/$defs/b"}, "b": map[string]any{"$ref": "#/$defs/a"}}},
		"reference to root": {"properties": map[string]any{"v": map[string]any{"$ref": "#"}}},
		"exponential allOf": {"allOf": []any{map[string]any{"$ref": "#/$defs/d0"}}, "$defs": doubled},
		"pattern":           {"properties": map[string]any{"v": map[string]any{"type": "string", "pattern": "^(a+)+$(" + strings.Repeat("(x*)*", 20000) + ")"}}},
		"many properties":   {"properties": properties},
		"deep":              {"properties": map[string]any{"v": deep}},
		"long description":  {"description": strings.Repeat("word ", 1<<20)},
		"remote reference":  {"$ref": remote, "$schema": remote, "$id": remote, "properties": map[string]any{"v": map[string]any{"$ref": remote + "#/$defs/x"}}},
	}
}
