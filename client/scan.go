package client

import (
	"bytes"
	"errors"
)

// maxDepth bounds how deep a message may be nested. Syntax trees, the deepest
// things that tools send in earnest, have some two hundred levels; what reads a
// message after us recurses, and 512 levels are nothing to a stack.
const maxDepth = 512

// What is wrong with a message; the words follow "the server's message".
var (
	errSyntax   = errors.New("is not JSON")
	errDepth    = errors.New("is nested more than 512 levels deep")
	errTwice    = errors.New("has a key twice")
	errVariant  = errors.New("has a key in wrong capital letters")
	errNUL      = errors.New("has a key with a NUL in it")
	errKeys     = errors.New("has more than 65,536 keys in one object and those around it")
	errLongKey  = errors.New("has a key of more than 64 KiB")
	errNotOne   = errors.New("is not a JSON-RPC message")
	errVersion  = errors.New(`does not say "jsonrpc": "2.0"`)
	errBadID    = errors.New("has an id that is neither a whole number nor a short text")
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

// A scanner goes once over a JSON text, without recursion, and holds nothing of
// it but where the keys of the open objects are. It takes exactly what
// encoding/json takes, except for what is nested too deep, and for objects whose
// keys two readers would understand differently, or that have too many.
type scanner struct {
	data []byte
	i    int
	open []level
	keys keys
	name []byte // of the member whose value begins, where its object is the protocol's
}

// A level is an object or a list that is open.
type level struct {
	c    byte // '{' or '['
	in   place
	base int // where in keys those of an object begin
}

// scan reads one message. With an error, what was found before it is returned
// as well, so that the call which it answers can be told.
func scan(data []byte) (envelope, error) {
	var e envelope
	s := scanner{data: data}
	s.space()
	if s.i >= len(data) || data[s.i] != '{' {
		return e, errSyntax
	}
	err := s.object(inEnvelope, func(key, value []byte) {
		if to := e.member(key); to != nil {
			*to = value
		}
	})
	if err == nil {
		if s.space(); s.i < len(data) {
			err = errSyntax
		}
	}
	return e, err
}

// object scans the outermost object.
func (s *scanner) object(in place, visit func(key, value []byte)) error {
	s.i++
	s.open = append(s.open, level{c: '{', in: in})
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
		value := s.data[from:s.i:s.i]
		s.space()
		if s.i >= len(s.data) || s.data[s.i] != ',' && s.data[s.i] != '}' {
			return errSyntax // and a number may go on where the text was cut
		}
		visit(plainKey(key), value)
		s.i++
		if s.data[s.i-1] == '}' {
			return nil
		}
	}
}

// members are those of an object that was scanned before, by their exact names:
// encoding/json would take others for them that are written in other letters.
func members(object []byte, visit func(key, value []byte)) {
	s := scanner{data: object}
	if s.space(); s.i < len(object) && object[s.i] == '{' {
		_ = s.object(inData, visit)
	}
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
			c, in := s.data[s.i], s.open[len(s.open)-1].c
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
	around := s.open[len(s.open)-1]
	l := level{c: c, in: around.in, base: len(s.keys.all)}
	if around.c == '{' {
		l.in = around.in.member(s.name)
	}
	s.open = append(s.open, l)
}

func (s *scanner) pop() {
	n := len(s.open) - 1
	if l := s.open[n]; l.c == '{' {
		s.keys.drop(l.base)
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

// unique checks a key by itself, and against those of its object before it.
func (s *scanner) unique(at span) error {
	if at.to-at.from > maxKey {
		return errLongKey
	}
	name := plainKey(s.data[at.from:at.to])
	if bytes.IndexByte(name, 0) >= 0 {
		return errNUL
	}
	l := s.open[len(s.open)-1]
	if l.in == inData {
		return s.keys.add(s.data, at, name, l.base, false)
	}
	s.name = name
	if l.in.varies(s.name) {
		return errVariant
	}
	return s.keys.add(s.data, at, name, l.base, true)
}
