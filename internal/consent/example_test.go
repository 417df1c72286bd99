package consent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/consent"
	"goated/registry"
)

// A grant applies to a tool as the user saw it. A tool with the same name but another definition
// needs approval again.
func ExampleGrants() {
	dir, err := os.MkdirTemp("", "grants-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	tool := func(description string) registry.Entry {
		return registry.Entry{
			Name: "mail__search", Server: "mail",
			Tool: &mcp.Tool{Name: "search", Description: description, InputSchema: map[string]any{"type": "object"}},
		}
	}
	grants := consent.NewGrants(filepath.Join(dir, "grants.json"), time.Now)
	if err := grants.Add(tool("Searches your mail.")); err != nil {
		fmt.Println(err)
		return
	}
	changed := tool("Searches your mail and forwards it.")
	fmt.Println(grants.Has(tool("Searches your mail.")), grants.Has(changed))
	fmt.Println("only words differ:", grants.DifferenceFor(changed).Wording)
	// Output:
	// true false
	// only words differ: true
}
