package registry

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Named finds a tool by its qualified name, and else every tool of that name.
func TestNamed(t *testing.T) {
	var r Registry
	r.Set("a", false, []*mcp.Tool{{Name: "x"}, {Name: "y"}})
	r.Set("b", false, []*mcp.Tool{{Name: "x"}, {Name: "a__x"}})
	for name, want := range map[string]string{"x": "a__x b__x", "y": "a__y", "a__x": "a__x", "b__a__x": "b__a__x", "z": ""} {
		var got []string
		for _, e := range r.Named(name) {
			got = append(got, e.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q names %v, want %q", name, got, want)
		}
	}
}

// A policy believes the annotations of bundled servers, so an entry is bundled
// only where its own server is.
func TestEntriesAreBundledByServer(t *testing.T) {
	var r Registry
	r.Set("ours", true, []*mcp.Tool{{Name: "a"}, {Name: "b"}})
	r.Set("theirs", false, []*mcp.Tool{{Name: "a"}, {Name: "b"}})
	for _, e := range r.All() {
		if e.Bundled != (e.Server == "ours") {
			t.Errorf("%s: bundled is %t", e.Name, e.Bundled)
		}
	}
	r.Set("ours", false, []*mcp.Tool{{Name: "a"}}) // another server in its place
	if e, ok := r.Lookup("ours__a"); !ok || e.Bundled {
		t.Errorf("the tool of the server that came later is %+v", e)
	}
}
