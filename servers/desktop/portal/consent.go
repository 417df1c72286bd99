package portal

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/godbus/dbus/v5"

	"goated/internal/state"
)

// untilRevoked asks the desktop to remember the user's consent until they revoke it.
const untilRevoked = uint32(2)

// maxToken is the size of the longest token that is kept. Those of desktops are UUIDs.
const maxToken = 4 << 10

// A consent is the path of the file with the token by which the desktop knows that the user
// agreed before. A token holds once. Empty: none is kept.
type consent string

// token reads the token; "" without one, or if other users of the computer can read it.
func (c consent) token() string {
	if c == "" {
		return ""
	}
	f, err := os.Open(string(c))
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o077 != 0 {
		return ""
	}
	b, err := io.ReadAll(io.LimitReader(f, maxToken+1))
	if err != nil || len(b) > maxToken {
		return ""
	}
	return strings.ToValidUTF8(strings.ReplaceAll(string(b), "\x00", ""), "")
}

// keep saves a token; an empty one forgets. If it cannot be saved, the user is asked at the next
// start, as before.
func (c consent) keep(token string) {
	c.forget() // the old one was used
	if c == "" || token == "" || len(token) > maxToken {
		return
	}
	if os.MkdirAll(filepath.Dir(string(c)), 0o700) != nil {
		return
	}
	_ = state.ReplaceBytes(string(c), []byte(token))
}

// forget removes the token.
func (c consent) forget() {
	if c != "" {
		_ = os.Remove(string(c)) // what stays is used once more, and then it is no longer valid
	}
}

// version returns the version of an interface of the portals, or 0 if it does not exist.
func (p *Portal) version(ctx context.Context, face string) uint32 {
	var version dbus.Variant
	call := p.conn.Object(service, object).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, face, "version")
	if call.Store(&version) != nil {
		return 0
	}
	n, _ := version.Value().(uint32)
	return n
}
