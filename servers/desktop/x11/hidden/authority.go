package hidden

import (
	"crypto/rand"
	"encoding/binary"
	"os"
)

// cookieSize is the length of a cookie, in bytes.
const cookieSize = 16

// newCookie returns a random secret that grants access to a display.
func newCookie() []byte {
	cookie := make([]byte, cookieSize)
	_, _ = rand.Read(cookie) // never fails
	return cookie
}

// writeAuthority writes an authority file (Xau(3)) that only the user can read. Its only entry contains
// the cookie for any host and display.
func writeAuthority(path string, cookie []byte) error {
	const wild = 65535
	b := binary.BigEndian.AppendUint16(nil, wild)
	for _, field := range [][]byte{nil, nil, []byte("MIT-MAGIC-COOKIE-1"), cookie} {
		b = binary.BigEndian.AppendUint16(b, uint16(len(field)))
		b = append(b, field...)
	}
	return os.WriteFile(path, b, 0o600)
}
