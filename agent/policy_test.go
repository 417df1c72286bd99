package agent

import (
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/registry"
)

func TestGrantsCanBeListedAndRevoked(t *testing.T) {
	entry := func(name string) registry.Entry {
		return registry.Entry{Name: "files__" + name, Server: "files", Tool: &mcp.Tool{Name: name}}
	}
	var p Policy
	if len(p.Grants()) != 0 {
		t.Fatal("something is granted from the start")
	}
	p.Revoke("files__write") // of nothing
	p.Grant(entry("write"))
	p.Grant(entry("move"))
	if got := p.Grants(); !slices.Equal(got, []string{"files__move", "files__write"}) {
		t.Errorf("granted are %v", got)
	}
	p.Revoke("files__write")
	if p.Allows(entry("write")) || !p.Allows(entry("move")) {
		t.Error("another than the revoked one is gone")
	}
}
