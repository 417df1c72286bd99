package jsonscan

import "bytes"

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

// text scans a string, and returns its position without the quotes.
func (s *scanner) text() (span, error) {
	from := s.i + 1
	for i := from; i < len(s.data); i++ {
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

// number reports whether text is a number of JSON's grammar.
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
