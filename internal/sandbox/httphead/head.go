// Package httphead parses and writes the heads of HTTP/1 messages: the first line and the header
// fields, without the body.
//
// The sandbox's proxy needs nothing else of HTTP, and it runs in each keeper, where net/http would
// be half of the program and a third of its memory. The package must not know hosts or permissions.
package httphead

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxBytes is the size of the largest head that [Read] accepts.
const maxBytes = 64 << 10

// Errors of [Read].
var (
	ErrLarge     = errors.New("the head of the message is larger than 64 kB")
	ErrMalformed = errors.New("the head of the message is not HTTP/1")
)

// A Head is the first part of a message: its first line, and its fields in their original form and
// order.
type Head struct {
	First  string
	Fields []string // "Name: value"
}

// Read parses a head and the empty line after it. It refuses everything that programs parse in
// different ways: folded fields, and spaces before the colon (RFC 9112, sections 5.1 and 5.2).
func Read(r *bufio.Reader) (Head, error) {
	var h Head
	var line []byte
	for total := 0; ; {
		part, err := r.ReadSlice('\n')
		if total += len(part); total > maxBytes {
			return Head{}, ErrLarge
		}
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && total > 0:
			return Head{}, io.ErrUnexpectedEOF
		case err != nil:
			return Head{}, err
		}
		text := strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r")
		line = line[:0]
		switch {
		case strings.ContainsAny(text, "\r\x00"):
			return Head{}, ErrMalformed
		case h.First == "" && text == "": // RFC 9112, section 2.2
		case h.First == "":
			h.First = text
		case text == "":
			return h, nil
		default:
			name, _, ok := strings.Cut(text, ":")
			if !ok || name == "" || strings.ContainsAny(name, " \t") {
				return Head{}, ErrMalformed
			}
			h.Fields = append(h.Fields, text)
		}
	}
}

// Values returns the values of all fields with a name, split at commas and trimmed. The name is
// case-insensitive.
func (h Head) Values(name string) []string {
	var out []string
	for _, f := range h.Fields {
		is, value, _ := strings.Cut(f, ":")
		if !strings.EqualFold(is, name) {
			continue
		}
		for v := range strings.SplitSeq(value, ",") {
			if v = strings.TrimSpace(v); v != "" {
				out = append(out, v)
			}
		}
	}
	return out
}

// Without returns h without the fields that have these names.
func (h Head) Without(names ...string) Head {
	out := Head{First: h.First}
	for _, f := range h.Fields {
		is, _, _ := strings.Cut(f, ":")
		drop := false
		for _, name := range names {
			drop = drop || strings.EqualFold(is, name)
		}
		if !drop {
			out.Fields = append(out.Fields, f)
		}
	}
	return out
}

// WithoutHopByHop returns h in the form in which a proxy forwards it: without hop-by-hop fields, and for a
// single message on its connection. If the message requests a protocol change, as WebSockets do, it
// still does.
func (h Head) WithoutHopByHop() Head {
	connection := "close"
	drop := []string{"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authorization", "Proxy-Authenticate"}
	for _, v := range h.Values("Connection") {
		switch {
		case strings.EqualFold(v, "upgrade") && len(h.Values("Upgrade")) > 0:
			connection = "Upgrade"
		case !strings.EqualFold(v, "transfer-encoding") && !strings.EqualFold(v, "content-length") && !strings.EqualFold(v, "host"):
			drop = append(drop, v)
		}
	}
	if connection == "close" {
		drop = append(drop, "Upgrade")
	}
	out := h.Without(drop...)
	out.Fields = append(out.Fields, "Connection: "+connection)
	return out
}

// WriteTo writes the head and the empty line after it.
func (h Head) WriteTo(w io.Writer) (int64, error) {
	n, err := io.WriteString(w, h.First+"\r\n"+strings.Join(append(h.Fields, "", ""), "\r\n"))
	return int64(n), err
}

// Request splits the first line of a request. ok is false if it is not HTTP/1.
func (h Head) Request() (method, target string, ok bool) {
	method, rest, _ := strings.Cut(h.First, " ")
	target, version, _ := strings.Cut(rest, " ")
	return method, target, method != "" && target != "" && (version == "HTTP/1.1" || version == "HTTP/1.0")
}

// Status returns the status code of a response. ok is false if it is not HTTP/1.
func (h Head) Status() (code int, ok bool) {
	version, rest, _ := strings.Cut(h.First, " ")
	if version != "HTTP/1.1" && version != "HTTP/1.0" || len(rest) < 3 {
		return 0, false
	}
	_, err := fmt.Sscanf(rest[:3], "%3d", &code)
	return code, err == nil && code >= 100
}
