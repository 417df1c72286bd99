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

// maxToken is the maximum size of a token to keep. The tokens of desktops are UUIDs.
const maxToken = 4 << 10

// A consent is the path of the file with the token that proves to the desktop that the user has agreed
// before. A token is valid once. If the path is empty, no token is kept.
type consent string

// token reads the token. It returns "" if there is none, or if other users of the computer can read the
// file.
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

// keep saves a token, or removes the saved token if token is empty. If saving fails, the user is asked
// again at the next start.
func (c consent) keep(token string) {
	c.forget() // the old token has been used
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
		_ = os.Remove(string(c)) // a token that remains is tried once more, but is no longer valid
	}
}

// version returns the version of a portal interface, or 0 if it does not exist.
func (p *Portal) version(ctx context.Context, face string) uint32 {
	var version dbus.Variant
	call := p.conn.Object(service, object).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0, face, "version")
	if call.Store(&version) != nil {
		return 0
	}
	n, _ := version.Value().(uint32)
	return n
}
