package registry

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

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
