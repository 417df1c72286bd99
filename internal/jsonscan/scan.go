// Package jsonscan reads JSON-RPC messages from servers that goated does not trust.
//
// One pass without recursion checks the grammar and the limits, and rejects keys that two readers
// could understand differently. [Decode] decodes a line into the SDK's message, which aliases the
// line. The package is pure: it keeps no state, and must not know transports, calls or traffic
// limits.
package jsonscan

import (
	"bytes"
	"errors"
)

// maxDepth limits the nesting of a message. Syntax trees, the most deeply nested values of real
// tools, have about 200 levels. Later readers are recursive, and 512 levels fit on any stack.
const maxDepth = 512

// These are the faults of a message. Each text continues the words "the server's message".
var (
	ErrSyntax         = errors.New("is not JSON")
	ErrTooDeep        = errors.New("is nested more than 512 levels deep")
	ErrDuplicateKey   = errors.New("has a duplicate key")
	ErrKeyCase        = errors.New("has a key that differs only in case from another key or from one of the protocol's")
	ErrNULKey         = errors.New("has a key with a NUL in it")
	ErrTooManyKeys    = errors.New("has more than 65,536 keys in nested objects")
	ErrLongKey        = errors.New("has a key of more than 64 KiB")
	ErrNotMessage     = errors.New("is not a JSON-RPC message")
	ErrVersion        = errors.New(`does not say "jsonrpc": "2.0"`)
	ErrBadID          = errors.New("has an id that is neither an integer nor a short string")
	ErrNoResult       = errors.New("has neither a result nor an error")
	ErrResultAndError = errors.New("has both a result and an error")
	ErrTooLarge       = errors.New("is too large")
)

// An envelope contains the raw top-level members of a message. They alias the line.
type envelope struct {
	version, id, method, params, result, failure []byte
}

// member returns the field for a top-level key, or nil for an unknown key.
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

// A scanner passes over a JSON text once, without recursion. It stores only the positions of the
// keys of open objects. It accepts exactly the grammar of encoding/json, with three exceptions: too
// deep nesting, too many keys, and keys that two readers could understand differently.
type scanner struct {
	data []byte
	i    int
	open []level
	keys keys
	name []byte // of the member whose value comes next; only set in protocol objects
}

// A level is an open object or array.
type level struct {
	c    byte // '{' or '['
	in   place
	base int // index in keys of an object's first key
}

// scan reads one message. If it fails, it also returns the members before the error, because they
// may contain the id of the call that the message answers.
func scan(data []byte) (envelope, error) { return new(scanner).message(data) }

// message is like scan, but reuses the memory of an earlier scan.
func (s *scanner) message(data []byte) (envelope, error) {
	var e envelope
	s.data, s.i, s.open = data, 0, s.open[:0]
	s.keys.clear()
	defer func() { s.data, s.name = nil, nil }() // so that the garbage collector can free them
	s.space()
	if s.i >= len(data) || data[s.i] != '{' {
		return e, ErrSyntax
	}
	err := s.object(inEnvelope, func(key, value []byte) {
		if to := e.member(key); to != nil {
			*to = value
		}
	})
	if err == nil {
		if s.space(); s.i < len(data) {
			err = ErrSyntax
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
			return ErrSyntax
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
			return ErrSyntax // a number at the end of a cut text may be incomplete
		}
		visit(unescape(key), value)
		s.i++
		if s.data[s.i-1] == '}' {
			return nil
		}
	}
}

// Members visits the members of an object that was scanned before. It compares names exactly,
// whereas encoding/json ignores their case. Visited values alias object.
func Members(object []byte, visit func(key, value []byte)) {
	s := scanner{data: object}
	if s.space(); s.i < len(object) && object[s.i] == '{' {
		_ = s.object(inData, visit)
	}
}

// any scans one value.
func (s *scanner) any() error {
	bottom := len(s.open)
	for {
		// A value starts here.
		s.space()
		if s.i >= len(s.data) {
			return ErrSyntax
		}
		switch c := s.data[s.i]; c {
		case '{', '[':
			if len(s.open) >= maxDepth {
				return ErrTooDeep
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
			if !s.literal() {
				return ErrSyntax
			}
		}
		// A value ends here. The objects and arrays around it may end too.
		for {
			if len(s.open) == bottom {
				return nil
			}
			s.space()
			if s.i >= len(s.data) {
				return ErrSyntax
			}
			c, in := s.data[s.i], s.open[len(s.open)-1].c
			s.i++
			if c == in+2 {
				s.pop()
				continue
			}
			if c != ',' {
				return ErrSyntax
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

// key scans a key and its colon.
func (s *scanner) key() ([]byte, error) {
	s.space()
	if s.i >= len(s.data) || s.data[s.i] != '"' {
		return nil, ErrSyntax
	}
	at, err := s.text()
	if err != nil {
		return nil, err
	}
	s.space()
	if s.i >= len(s.data) || s.data[s.i] != ':' {
		return nil, ErrSyntax
	}
	s.i++
	return s.data[at.from:at.to], s.unique(at)
}

// unique checks a key, also against the earlier keys of its object.
func (s *scanner) unique(at span) error {
	if at.to-at.from > maxKey {
		return ErrLongKey
	}
	name := unescape(s.data[at.from:at.to])
	if bytes.IndexByte(name, 0) >= 0 {
		return ErrNULKey
	}
	l := s.open[len(s.open)-1]
	if l.in == inData {
		return s.keys.add(s.data, at, name, l.base, false)
	}
	s.name = name
	if l.in.varies(s.name) {
		return ErrKeyCase
	}
	return s.keys.add(s.data, at, name, l.base, true)
}
