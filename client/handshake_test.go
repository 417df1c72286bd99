//go:build unix

package client_test

import (
	"strings"
	"testing"
	"time"

	"goated/client"
	"goated/internal/wording"
)

// A server that answered initialize and then failed was said not to answer, or to refuse the
// connection. One that ended then kept a second process for 20 seconds.
func TestFailureAfterInitializeNamesItsStep(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ method, instead, want string }{
		"silent":  {"tools/list", "silent", "It answered initialize, but did not answer tools/list in time."},
		"refuses": {"tools/list", `{"jsonrpc":"2.0","id":ID,"error":{"code":-32603,"message":"database not ready"}}`, "It answered tools/list with an error: database not ready."},
		"ends":    {"notifications/initialized", "exit 3", "It answered initialize and ended right after that, with exit status 3."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			_, err := wrong(t, client.Options{Timeouts: client.Timeouts{Connect: 3 * time.Second}}, tt.method, tt.instead)
			if why := wording.Why(err); why != tt.want {
				t.Errorf("%v: %s, want %s", err, why, tt.want)
			}
			if took := time.Since(began); took > 15*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// A server that does not declare its tools was said to lack a setting.
func TestUndeclaredToolsAreNamed(t *testing.T) {
	t.Parallel()
	h, err := wrong(t, client.Options{}, "initialize", `{"jsonrpc":"2.0","id":ID,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"w","version":"1"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	if got := wording.NoTools(h.Snapshot().Servers[0]); !strings.Contains(got, "does not declare tools in capabilities") {
		t.Errorf("goated says %q", got)
	}
	if got := wording.NoTools(client.Server{}); !strings.Contains(got, "may lack a setting") {
		t.Errorf("of another server, goated says %q", got)
	}
}
