//go:build !headless

package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"goated/client"
	"goated/internal/config"
	"goated/internal/instance"
	"goated/internal/terminal"
	"goated/internal/waittest"
)

// A second start reports a missing script in its own terminal too, not only in the window. It fails
// if none of its servers can start.
func TestSecondStartSaysWhatIsMissing(t *testing.T) {
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	data, dir := t.TempDir(), t.TempDir()
	script, missing := filepath.Join(dir, "there.py"), filepath.Join(dir, "missing.py")
	if err := os.WriteFile(script, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	in, err := instance.Claim(data)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	heard, done := make(chan handover, 2), make(chan struct{})
	go func() {
		defer close(done)
		instance.Serve(ctx, in, func(k handover) { heard <- k })
	}()
	defer func() { cancel(); waittest.Receive(t, "the socket is closed", done) }()
	for _, tt := range []struct {
		servers []string
		fails   bool
	}{
		{[]string{missing}, true},
		{[]string{missing, script}, false},
		{[]string{missing, "http://127.0.0.1:9/mcp"}, false},
	} {
		var o options
		cmd := new(cobra.Command)
		o.register(cmd)
		args := []string{"--data", data}
		for _, s := range tt.servers {
			args = append(args, "--server", s)
		}
		if err := cmd.ParseFlags(args); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		err := o.handOverServers(t.Context(), &out)
		if status := terminal.ExitStatus(0); errors.As(err, &status) != tt.fails {
			t.Errorf("%q: the error is %v", tt.servers, err)
		}
		if k := waittest.Receive(t, "the first start hears of the second", heard); len(k.Servers) != len(tt.servers) {
			t.Errorf("%q: the window hears of %+v", tt.servers, k.Servers)
		}
		if says := out.String(); !strings.Contains(says, missing) || !strings.Contains(says, "Check the path") || strings.Contains(says, script) {
			t.Errorf("%q: the terminal says %q", tt.servers, says)
		}
	}
}

// A command that restarts a bundled server, or turns off one of its tools, used to turn the server off
// in the open window.
func TestEditsLeaveABundledServerOn(t *testing.T) {
	p := newPlace(t)
	a := &app{options: &options{data: p.home}, host: client.New(client.Options{Unconfined: func(context.Context, string, client.Config) bool { return true }}), self: program, later: new(background)}
	t.Cleanup(a.host.Close)
	runs := func(e edit, want bool) {
		t.Helper()
		a.applyEdit(t.Context(), e)
		a.later.Wait()
		if !want {
			if s := a.host.Snapshot().Servers; len(s) > 0 {
				t.Errorf("after %+v, the servers are %+v", e, s)
			}
			return
		}
		waittest.Until(t, e.Verb+" leaves llmem on", func() bool {
			s := a.host.Snapshot().Servers
			return len(s) == 1 && s[0].Bundled && s[0].Status == client.Connected
		})
	}
	runs(edit{Verb: "enable", Name: "llmem"}, true)
	runs(edit{Verb: "restart", Name: "llmem"}, true)
	runs(edit{Verb: "off", Name: "llmem", Tool: "read", Of: config.Launch{Name: "llmem"}}, true)
	runs(edit{Verb: "disable", Name: "llmem"}, false)
}
