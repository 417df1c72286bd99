package jsonscan

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

func (s *scanner) space() {
	for s.i < len(s.data) {
		switch s.data[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

type span struct{ from, to int }

// text scans a string and returns its position, without the quotes.
func (s *scanner) text() (span, error) {
	from := s.i + 1
	for i := from; i < len(s.data); i++ {
		if i = plainTo(s.data, i); i == len(s.data) {
			break
		}
		switch c := s.data[i]; {
		case c == '"':
			s.i = i + 1
			return span{from, i}, nil
		case c < ' ':
			return span{}, ErrSyntax
		case c == '\\':
			i++
			if i >= len(s.data) {
				return span{}, ErrSyntax
			}
			switch s.data[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if i+4 >= len(s.data) || !hex(s.data[i+1:i+5]) {
					return span{}, ErrSyntax
				}
				i += 4
			default:
				return span{}, ErrSyntax
			}
		}
	}
	return span{}, ErrSyntax
}

// plainTo returns the index of the first byte from i on that is a quote, a backslash or a control
// character. It examines eight bytes at a time.
func plainTo(data []byte, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(data); i += 8 {
		x := binary.LittleEndian.Uint64(data[i:])
		quote, slash := x^'"'*ones, x^'\\'*ones
		if found := ((x-' '*ones)&^x | (quote-ones)&^quote | (slash-ones)&^slash) & highs; found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(data) && data[i] != '"' && data[i] != '\\' && data[i] >= ' ' {
		i++
	}
	return i
}

func hex(digits []byte) bool {
	for _, c := range digits {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

// literal scans a number, true, false or null.
func (s *scanner) literal() bool {
	from := s.i
	for s.i < len(s.data) {
		if c := s.data[s.i]; c != '-' && c != '+' && c != '.' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			break
		}
		s.i++
	}
	switch word := s.data[from:s.i]; string(word) {
	case "true", "false", "null":
		return true
	case "":
		return false
	default:
		return number(word)
	}
}

// number reports whether text is a number in JSON's grammar.
func number(text []byte) bool {
	digits := func() bool {
		n := 0
		for n < len(text) && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		text = text[n:]
		return n > 0
	}
	text = bytes.TrimPrefix(text, []byte("-"))
	if len(text) > 0 && text[0] == '0' {
		text = text[1:]
	} else if !digits() {
		return false
	}
	if len(text) > 0 && text[0] == '.' {
		if text = text[1:]; !digits() {
			return false
		}
	}
	if len(text) > 0 && text[0]|0x20 == 'e' {
		text = text[1:]
		if len(text) > 0 && (text[0] == '+' || text[0] == '-') {
			text = text[1:]
		}
		if !digits() {
			return false
		}
	}
	return len(text) == 0
}

// StringEnd checks the JSON string that begins at i, and returns the index after it. ok is false if
// there is no valid string at i. The string may contain bytes that are not UTF-8.
func StringEnd(data []byte, i int) (end int, ok bool) {
	if i >= len(data) || data[i] != '"' {
		return i, false
	}
	s := scanner{data: data, i: i}
	_, err := s.text()
	return s.i, err == nil
}
