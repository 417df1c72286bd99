package direct

import "github.com/godbus/dbus/v5"

// A reader decodes little-endian values. It sets bad if the input is malformed.
type reader struct {
	b   []byte
	at  int
	bad bool
}

func (r *reader) align(to int) { r.at = align(r.at, to) }

// skip returns the next n bytes and moves past them.
func (r *reader) skip(n int) []byte {
	if r.bad || n < 0 || n > len(r.b)-r.at {
		r.bad = true
		return nil
	}
	r.at += n
	return r.b[r.at-n : r.at]
}

func (r *reader) byte() byte {
	if b := r.skip(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) uint32() uint32 {
	r.align(4)
	if b := r.skip(4); b != nil {
		return le.Uint32(b)
	}
	return 0
}

func (r *reader) string() string { return r.text(int(r.uint32())) }

func (r *reader) signature() string { return r.text(int(r.byte())) }

// text reads n bytes and the zero byte after them.
func (r *reader) text(n int) string {
	b := r.skip(n + 1)
	if r.bad || b[n] != 0 {
		r.bad = true
		return ""
	}
	return string(b[:n])
}

// list reads the elements of an array. Each element starts at a multiple of to bytes.
func (r *reader) list(to int, element func()) {
	n := int(r.uint32())
	r.align(to)
	if n < 0 || r.at > len(r.b) || n > len(r.b)-r.at {
		r.bad = true
	}
	for end := r.at + n; r.at < end && !r.bad; {
		r.align(to)
		element()
		r.bad = r.bad || r.at > end
	}
}

// value decodes a value with one of the signatures that most answers have. Its result is the same as
// from godbus. ok is false for other signatures.
func (r *reader) value(signature string) (v any, ok bool) {
	switch signature {
	case "u":
		return r.uint32(), true
	case "s":
		return r.string(), true
	case "i":
		return int32(r.uint32()), true
	case "au":
		list := []uint32{}
		r.list(4, func() { list = append(list, r.uint32()) })
		return list, true
	case "as":
		list := []string{}
		r.list(4, func() { list = append(list, r.string()) })
		return list, true
	case "a(so)":
		list := [][]any{}
		r.list(8, func() { list = append(list, []any{r.string(), dbus.ObjectPath(r.string())}) })
		return list, true
	case "v":
		inner := r.signature()
		if inner == "v" {
			return nil, false
		}
		v, ok := r.value(inner)
		if !ok || r.bad {
			return nil, false
		}
		return dbus.MakeVariant(v), true
	}
	return nil, false
}
