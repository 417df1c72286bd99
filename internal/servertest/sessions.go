package servertest

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// CloseSessions closes the sessions of a server when the test ends. A session can stay open if the
// test makes its handler forget it, or if the computer is too busy for the request with which
// goated ends the session. Call CloseSessions before the test creates its host, because cleanups
// run in reverse order. Otherwise the host is still running, replaces each closed session with a
// new one, and nothing closes that.
func CloseSessions(t testing.TB, s *mcp.Server) {
	t.Cleanup(func() {
		for session := range s.Sessions() {
			_ = session.Close()
		}
	})
}
