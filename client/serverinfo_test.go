//go:build unix

package client_test

import (
	"os"
	"path/filepath"
	"testing"

	"goated/client"
	"goated/internal/servertest"
)

// The field shows a name before a server starts. The name stays even if the server reports a
// different one: the filesystem server calls itself secure-filesystem-server. Only a
// meaningless name gives way.
func TestTheShownNameStays(t *testing.T) {
	h := host(t, client.Options{})
	connect(t, h, client.Config{Command: "node", Args: []string{servertest.Filesystem(), t.TempDir()}})
	source, err := os.ReadFile(servertest.Script("raw.py"))
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "server.py")
	if err := os.WriteFile(script, source, 0o600); err != nil {
		t.Fatal(err)
	}
	connect(t, h, client.Config{Path: script})
	var names []string
	for _, s := range h.Snapshot().Servers {
		names = append(names, s.Name)
	}
	if len(names) != 2 || names[0] != "filesystem" || names[1] == "server" {
		t.Errorf("the servers are called %q", names)
	}
}
