package outline

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns a source in UTF-8. It converts UTF-16 with a byte order mark, which Windows writes.
// It treats each byte that is not UTF-8 as a character of Windows-1252, a superset of Latin-1. It
// never changes the line numbers.
func Text(source []byte) []byte {
	switch {
	case bytes.HasPrefix(source, []byte{0xff, 0xfe}):
		return fromUTF16(source[2:], binary.LittleEndian)
	case bytes.HasPrefix(source, []byte{0xfe, 0xff}):
		return fromUTF16(source[2:], binary.BigEndian)
	case utf8.Valid(source) || IsBinary(source):
		return source
	}
	out := make([]byte, 0, len(source)+len(source)/8)
	for len(source) > 0 {
		r, n := utf8.DecodeRune(source)
		if r == utf8.RuneError && n == 1 {
			r = rune(source[0])
			if i := int(r) - 0x80; i < len(windows1252) {
				r = windows1252[i]
			}
		}
		out = utf8.AppendRune(out, r)
		source = source[n:]
	}
	return out
}

func fromUTF16(source []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, len(source)/2)
	for i := range units {
		units[i] = order.Uint16(source[2*i:])
	}
	return []byte(string(utf16.Decode(units)))
}

// windows1252 contains the characters for the bytes 0x80 to 0x9F. All other bytes are as in
// Latin-1, whose numbers are the same in Unicode.
var windows1252 = [...]rune{
	'€', utf8.RuneError, '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', utf8.RuneError, 'Ž', utf8.RuneError,
	utf8.RuneError, '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', utf8.RuneError, 'ž', 'Ÿ',
}
