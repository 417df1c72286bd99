//go:build linux

package client_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// A server that needs a file says so, is refused, and gets it when the user
// allows it; and loses it when that is taken back.
func TestAllow(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	note := filepath.Join(t.TempDir(), "note.txt")
	if err := os.WriteFile(note, []byte("milk"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "note.js")
	source := "console.error(require('fs').readFileSync(" + quoted(note) + ", 'utf8'))\nrequire(" + quoted(servertest.Script("dice.js")) + ")\n"
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	h := host(t, client.Options{Data: t.TempDir()})
	base := sandbox.Grant{Read: []string{filepath.Dir(servertest.Script("dice.js"))}}
	if _, err := h.Connect(t.Context(), client.Config{Path: script, Grant: base}); err == nil {
		t.Fatal("it read what it may not")
	}
	s := h.Snapshot().Servers[0]
	if !s.Sandbox.Confined() || len(s.Needs) != 1 || s.Needs[0] != (sandbox.Permission{Kind: sandbox.ToRead, Path: note}) {
		t.Fatalf("%s needs %+v", s.Sandbox, s.Needs)
	}
	more := base
	more.Read = append([]string{note}, base.Read...)
	if err := h.Allow(t.Context(), s.ID, more); err != nil {
		t.Fatal(err)
	}
	s = h.Snapshot().Servers[0]
	if s.Status != client.Connected || !strings.Contains(strings.Join(s.Stderr, " "), "milk") {
		t.Errorf("%s: %q", s.Status, s.Stderr)
	}
	if err := h.Allow(t.Context(), s.ID, base); err == nil {
		t.Error("it kept what was taken back")
	}
}

// Without a sandbox a server may do all that the user may, and the snapshot
// says so.
func TestNoSandbox(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	connect(t, h, client.Config{Path: servertest.Script("dice.js"), Name: "free", NoSandbox: true})
	connect(t, h, client.Config{Path: servertest.Script("dice.js"), Name: "held"})
	for _, s := range h.Snapshot().Servers {
		if s.Sandbox.Confined() == s.NoSandbox || s.NoSandbox != (s.Name == "free") {
			t.Errorf("%s: %s", s.Name, s.Sandbox)
		}
	}
}
