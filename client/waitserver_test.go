//go:build unix

package client_test

import (
	"slices"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/waittest"
)

// waitServer polls the state of a server until done accepts it, and returns that state. The
// host reads stderr separately from stdout. Lines that a server wrote before its answer can
// therefore arrive after the answer, and no event announces them.
func waitServer(t *testing.T, h *client.Host, id, what string, done func(client.Server) bool) (found client.Server) {
	t.Helper()
	waittest.Until(t, what, func() bool {
		servers := h.Snapshot().Servers
		i := slices.IndexFunc(servers, func(s client.Server) bool { return s.ID == id })
		if i < 0 {
			return false
		}
		found = servers[i]
		return done(found)
	})
	return found
}

// waitLine waits for a line of a server's stderr that starts with prefix, and returns the state
// that contains it. Lines arrive in order, so all lines before it have arrived, too.
func waitLine(t *testing.T, h *client.Host, id, prefix string) client.Server {
	t.Helper()
	return waitServer(t, h, id, "stderr has a line that starts with "+prefix, func(s client.Server) bool {
		return slices.ContainsFunc(s.Stderr, func(line string) bool { return strings.HasPrefix(line, prefix) })
	})
}
