package servertest

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// CloseSessions closes the sessions of a server when the test ends. A session stays open if the
// test makes its handler forget it, or if the computer is too busy for the request with which
// goated ends it. Call CloseSessions before the test creates its host: what is created first
// ends last. A host that still runs replaces a session that was closed, and nothing closes the
// new one.
func CloseSessions(t testing.TB, s *mcp.Server) {
	t.Cleanup(func() {
		for session := range s.Sessions() {
			_ = session.Close()
		}
	})
}
