package registry_test

import (
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/registry"
)

// Two servers offer tools with the same name; each tool has its own qualified name. If one server
// offers a name twice, neither tool can be called, and Reason explains why.
func Example() {
	var r registry.Registry
	r.Set("files", false, registry.Origin{}, []*mcp.Tool{{Name: "search"}, {Name: "read"}, {Name: "read"}})
	r.Set("web", false, registry.Origin{}, []*mcp.Tool{{Name: "search"}})
	for _, e := range r.All() {
		fmt.Println(e.Name)
	}
	for _, p := range r.Uncallable("files") {
		fmt.Println("uncallable:", p.Reason)
	}

	r.Remove("files")
	_, ok := r.Lookup("files__search")
	fmt.Println("files__search after Remove:", ok)
	// Output:
	// files__search
	// web__search
	// uncallable: The server offers 2 tools named "read", so none of them can be called.
	// uncallable: The server offers 2 tools named "read", so none of them can be called.
	// files__search after Remove: false
}

// A name that no model accepts gets a digest, which is the same in every run.
func ExampleQualify() {
	fmt.Println(registry.Qualify("ghost", "manage_memory"))
	fmt.Println(registry.Qualify("fs", "read.file"))
	// Output:
	// ghost__manage_memory
	// fs__read-file-xh3hr5vjne0ak4skf
}
