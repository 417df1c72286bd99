package assets

import (
	"bytes"
	"encoding/binary"
)

// WithoutLigatures returns a copy of a TrueType font that draws each letter separately. "->"
// remains two signs, as in the code that a person has to judge. Fyne cannot turn ligatures off,
// so the copy has no substitution table (GSUB of OpenType 1.9).
func WithoutLigatures(font []byte) []byte {
	const head, record = 12, 16
	out := bytes.Clone(font)
	if len(out) < head {
		return out
	}
	for i := range int(binary.BigEndian.Uint16(out[4:])) {
		at := head + i*record
		if at+4 > len(out) {
			break
		}
		if string(out[at:at+4]) == "GSUB" {
			copy(out[at:], "gsub") // readers skip unknown tables
		}
	}
	return out
}
