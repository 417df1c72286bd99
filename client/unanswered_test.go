//go:build linux

package client_test

import (
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/sandbox"
	"goated/internal/wording"
)

// @benborla29/mcp-server-mysql exits without a message if no database is running. The user has
// allowed the address, and goated has seen that nothing answers there, so it reports this. It
// does not report this for a server that exits for another reason.
func TestServerThatEndsForAnAddressWithoutAProgram(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	port := silentPort(t)
	addr := net.JoinHostPort("127.0.0.1", port)
	dial := "import socket\ntry:\n    s = socket.create_connection(('127.0.0.1', " + port + "))\n    s.recv(1)\nexcept OSError:\n    "
	for name, tt := range map[string]struct {
		file, text string
		want       diagnose.Cause
	}{
		"without a word":    {"a.js", "const s = require('net').connect(" + port + ", '127.0.0.1'); s.on('error', () => process.exit(1)); s.on('close', () => process.exit(1))\n", diagnose.HostUnanswered},
		"as if all is well": {"a.py", dial + "pass\n", diagnose.HostUnanswered},
		"with its error":    {"a.py", dial + "raise\n", diagnose.HostUnanswered},
		"another error":     {"a.py", dial + "pass\nraise ValueError('the key is empty')\n", diagnose.UncaughtError},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), tt.file)
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := host(t, client.Options{Data: t.TempDir()}).Connect(t.Context(), client.Config{Path: path, Grant: sandbox.Grant{Hosts: []string{addr}}})
			var e *client.Error
			if !errors.As(err, &e) || e.Report == nil || e.Report.Cause != tt.want {
				t.Fatalf("%v: %+v, want %q", err, e.Report, tt.want)
			}
			if why := wording.ReasonText(err); tt.want == diagnose.HostUnanswered && !strings.Contains(why, "It tried to reach "+addr+", where no program answers.") {
				t.Errorf("the sentence is %q", why)
			}
		})
	}
}
