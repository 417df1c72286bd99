package client

import (
	"bytes"
	"errors"
	"strings"
)

// maxDepth bounds how deep a message may be nested. Syntax trees, the deepest
// things that tools send in earnest, have some two hundred levels; what reads a
// message after us recurses, and 512 levels are nothing to a stack.
const maxDepth = 512

// maxKeys is how many keys of one object are compared with each other. Objects
// beyond it are tables, whose keys nobody looks up by name.
const maxKeys = 1 << 16

// What is wrong with a message; the words follow "the server's message".
var (
	errSyntax   = errors.New("is not JSON")
	errDepth    = errors.New("is nested more than 512 levels deep")
	errTwice    = errors.New("has a key twice")
	errVariant  = errors.New("has a key in wrong capital letters")
	errNotOne   = errors.New("is not a JSON-RPC message")
	errVersion  = errors.New(`does not say "jsonrpc": "2.0"`)
	errBadID    = errors.New("has an id that is neither a whole number nor a text")
	errNeither  = errors.New("has neither a result nor an error")
	errBoth     = errors.New("has both a result and an error")
	errTooLarge = errors.New("is too large")
)

// An envelope is the outside of a message: its members as they are written,
// which alias the line that was scanned.
type envelope struct {
	version, id, method, params, result, failure []byte
}

// member is where a top-level key's value goes; nil for keys that mean nothing.
func (e *envelope) member(key []byte) *[]byte {
	switch string(key) {
	case "jsonrpc":
		return &e.version
	case "id":
		return &e.id
	case "method":
		return &e.method
	case "params":
		return &e.params
	case "result":
		return &e.result
	case "error":
		return &e.failure
	}
	return nil
}

// A scanner goes once over a JSON text, without recursion. It takes exactly what
// encoding/json takes, except for what is nested too deep and for objects with
// a key twice: two readers would understand those differently.
type scanner struct {
	data []byte
	i    int
	open []byte    // '{' or '[' for each level
	keys []span    // of the objects that are open
	base []int     // where in keys each open object begins
	seen []*keySet // of each open object that has many keys
}

type span struct{ from, to int }

type keySet map[string]struct{}

// scan reads one message. With an error, what was found before it is returned
// as well, so that the call which it answers can be told.
func scan(data []byte) (envelope, error) {
	s := scanner{data: data}
	var e envelope
	s.space()
	if s.i >= len(data) || data[s.i] != '{' {
		return e, errSyntax
	}
	err := s.message(&e)
	if err == nil {
		if s.space(); s.i < len(data) {
			err = errSyntax
		}
	}
	return e, err
}

// message scans the outermost object.
func (s *scanner) message(e *envelope) error {
	s.i++
	s.push('{')
	for first := true; ; first = false {
		s.space()
		if s.i >= len(s.data) {
			return errSyntax
		}
		if s.data[s.i] == '}' && first {
			s.i++
			return nil
		}
		key, err := s.key()
		if err != nil {
			return err
		}
		s.space()
		from := s.i
		if err := s.any(); err != nil {
			return err
		}
		value := s.data[from:s.i]
		s.space()
		if s.i >= len(s.data) || s.data[s.i] != ',' && s.data[s.i] != '}' {
			return errSyntax // and a number may go on where the text was cut
		}
		if bytes.IndexByte(key, '\\') >= 0 {
			key = []byte(plainKey(key))
		}
		if to := e.member(key); to != nil {
			*to = value
		} else if e.member(fold(key)) != nil {
			return errVariant
		}
		s.i++
		if s.data[s.i-1] == '}' {
			return nil
		}
	}
}

// fold is a key as careless readers compare it, which takes a long s for an s.
func fold(key []byte) []byte {
	return []byte(strings.ReplaceAll(strings.ToLower(string(key)), "ſ", "s"))
}

// any scans one value, whatever is in it.
func (s *scanner) any() error {
	bottom := len(s.open)
	for {
		// A value begins here.
		s.space()
		if s.i >= len(s.data) {
			return errSyntax
		}
		switch c := s.data[s.i]; c {
		case '{', '[':
			if len(s.open) >= maxDepth {
				return errDepth
			}
			s.i++
			s.push(c)
			s.space()
			if s.i < len(s.data) && s.data[s.i] == c+2 { // "{}" and "[]" are two apart in ASCII
				s.i++
				s.pop()
				break
			}
			if c == '{' {
				if _, err := s.key(); err != nil {
					return err
				}
			}
			continue
		case '"':
			if _, err := s.text(); err != nil {
				return err
			}
		default:
			if !s.plain() {
				return errSyntax
			}
		}
		// A value has ended here; so may the containers around it.
		for {
			if len(s.open) == bottom {
				return nil
			}
			s.space()
			if s.i >= len(s.data) {
				return errSyntax
			}
			c, in := s.data[s.i], s.open[len(s.open)-1]
			s.i++
			if c == in+2 {
				s.pop()
				continue
			}
			if c != ',' {
				return errSyntax
			}
			if in == '{' {
				if _, err := s.key(); err != nil {
					return err
				}
			}
			break
		}
	}
}

func (s *scanner) push(c byte) {
	s.open = append(s.open, c)
	if c == '{' {
		s.base = append(s.base, len(s.keys))
		s.seen = append(s.seen, nil)
	}
}

func (s *scanner) pop() {
	n := len(s.open) - 1
	if s.open[n] == '{' {
		m := len(s.base) - 1
		s.keys, s.base, s.seen = s.keys[:s.base[m]], s.base[:m], s.seen[:m]
	}
	s.open = s.open[:n]
}

// key scans an object's key and the colon behind it.
func (s *scanner) key() ([]byte, error) {
	s.space()
	if s.i >= len(s.data) || s.data[s.i] != '"' {
		return nil, errSyntax
	}
	at, err := s.text()
	if err != nil {
		return nil, err
	}
	s.space()
	if s.i >= len(s.data) || s.data[s.i] != ':' {
		return nil, errSyntax
	}
	s.i++
	return s.data[at.from:at.to], s.unique(at)
}
