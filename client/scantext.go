package client

import (
	"bytes"
	"encoding/json"
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

// text scans a string, and returns where it is without its quotes.
func (s *scanner) text() (span, error) {
	from := s.i + 1
	for i := from; i < len(s.data); i++ {
		switch c := s.data[i]; {
		case c == '"':
			s.i = i + 1
			return span{from, i}, nil
		case c < ' ':
			return span{}, errSyntax
		case c == '\\':
			i++
			if i >= len(s.data) {
				return span{}, errSyntax
			}
			switch s.data[i] {
			case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			case 'u':
				if i+4 >= len(s.data) || !hex(s.data[i+1:i+5]) {
					return span{}, errSyntax
				}
				i += 4
			default:
				return span{}, errSyntax
			}
		}
	}
	return span{}, errSyntax
}

func hex(digits []byte) bool {
	for _, c := range digits {
		if (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'f') {
			return false
		}
	}
	return true
}

// plain scans a number, true, false or null.
func (s *scanner) plain() bool {
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

// number reports whether text is one by JSON's grammar.
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

// unique checks a key against those of its object before it.
func (s *scanner) unique(at span) error {
	m := len(s.base) - 1
	before := s.keys[s.base[m]:]
	key := s.data[at.from:at.to]
	s.keys = append(s.keys, at)
	if escaped := bytes.IndexByte(key, '\\') >= 0; s.seen[m] == nil && (escaped || len(before) == 16) {
		// Many keys, or one that can be written in several ways.
		set := make(keySet, 2*len(before))
		for _, k := range before {
			set[plainKey(s.data[k.from:k.to])] = struct{}{}
		}
		s.seen[m] = &set
	}
	set := s.seen[m]
	if set == nil {
		for _, k := range before {
			if bytes.Equal(s.data[k.from:k.to], key) {
				return errTwice
			}
		}
		return nil
	}
	if len(*set) >= maxKeys {
		return nil
	}
	name := plainKey(key)
	if _, ok := (*set)[name]; ok {
		return errTwice
	}
	(*set)[name] = struct{}{}
	return nil
}

// plainKey is a key without its escapes.
func plainKey(key []byte) string {
	if bytes.IndexByte(key, '\\') < 0 {
		return string(key)
	}
	var name string
	quoted := append(append([]byte{'"'}, key...), '"')
	if json.Unmarshal(quoted, &name) != nil {
		return string(key)
	}
	return name
}
