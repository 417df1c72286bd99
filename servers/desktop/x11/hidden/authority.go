package hidden

import (
	"crypto/rand"
	"encoding/binary"
	"os"
)

// writeAuthority writes an authority file (Xau(3)) that only the user reads. Its only entry
// holds a new cookie for any host and display.
func writeAuthority(path string) error {
	const wild = 65535
	cookie := make([]byte, 16)
	_, _ = rand.Read(cookie) // never fails
	b := binary.BigEndian.AppendUint16(nil, wild)
	for _, field := range [][]byte{nil, nil, []byte("MIT-MAGIC-COOKIE-1"), cookie} {
		b = binary.BigEndian.AppendUint16(b, uint16(len(field)))
		b = append(b, field...)
	}
	return os.WriteFile(path, b, 0o600)
}
