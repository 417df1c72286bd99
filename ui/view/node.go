package view

import (
	"encoding/json"
	"strings"
)

// A Node is one value of a JSON text. What is in it is read only when it is
// asked for, so that a megabyte costs nothing until someone opens it.
type Node struct {
	Name  string // of a member, as it is meant; empty for elements and the root
	Index int    // of an element; -1 for members and the root
	Kind  NodeKind
	Size  int    // how many values are directly in it
	text  string // valid JSON
}

// A NodeKind is one of the kinds of JSON values.
type NodeKind int

// The kinds of JSON values.
const (
	NullNode NodeKind = iota
	BoolNode
	NumberNode
	StringNode
	ArrayNode
	ObjectNode
)

// maxTree is the longest text that is read as a tree. A longer one is only
// looked at as text.
const maxTree = 4 << 20

// ParseNode reads text that is one JSON value.
func ParseNode(text string) (Node, bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxTree || !json.Valid([]byte(text)) {
		return Node{}, false
	}
	_, size := skip(text, 0)
	return Node{Index: -1, Kind: kindOf(text[0]), Size: size, text: text}, true
}

// Nested reports whether there are values in it.
func (n Node) Nested() bool { return n.Size > 0 }

// JSON is the value as it was written.
func (n Node) JSON() string { return n.text }

// Plain is the value for pasting elsewhere: a string without quotes, an object
// or an array indented.
func (n Node) Plain() string {
	if n.Kind == StringNode {
		return unquote(n.text)
	}
	return indented(n.text)
}

// Children reads the values that are directly in it, in their order.
func (n Node) Children() []Node {
	if n.Size == 0 {
		return nil
	}
	out := make([]Node, 0, n.Size)
	s := n.text
	for i := 1; len(out) < n.Size; i++ {
		i = blank(s, i)
		child := Node{Index: len(out)}
		if n.Kind == ObjectNode {
			end := skipString(s, i)
			child.Name, child.Index = unquote(s[i:end]), -1
			i = blank(s, blank(s, end)+1) // over the colon
		}
		end, size := skip(s, i)
		child.Kind, child.Size, child.text = kindOf(s[i]), size, s[i:end]
		out = append(out, child)
		i = blank(s, end) // at the comma, or the end
	}
	return out
}

func kindOf(c byte) NodeKind {
	switch c {
	case '{':
		return ObjectNode
	case '[':
		return ArrayNode
	case '"':
		return StringNode
	case 't', 'f':
		return BoolNode
	case 'n':
		return NullNode
	}
	return NumberNode
}

// skip, skipString and blank read text that is known to be valid.

// skip finds the end of the value at i, and how many values are directly in it.
func skip(s string, i int) (end, size int) {
	switch s[i] {
	case '"':
		return skipString(s, i), 0
	case '{', '[':
	default:
		for i < len(s) && !strings.ContainsRune(",]} \t\r\n", rune(s[i])) {
			i++
		}
		return i, 0
	}
	depth, empty := 0, true
	for ; ; i++ {
		c := s[i]
		if depth == 1 && empty && c > ' ' && c != '}' && c != ']' {
			empty = false
		}
		switch c {
		case '"':
			i = skipString(s, i) - 1
		case '{', '[':
			depth++
		case ',':
			if depth == 1 {
				size++
			}
		case '}', ']':
			if depth--; depth == 0 {
				if !empty {
					size++
				}
				return i + 1, size
			}
		}
	}
}

func skipString(s string, i int) int {
	for i++; ; i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

func blank(s string, i int) int {
	for i < len(s) && s[i] <= ' ' {
		i++
	}
	return i
}

func unquote(s string) string {
	if !strings.ContainsRune(s, '\\') {
		return strings.ToValidUTF8(s[1:len(s)-1], "\uFFFD")
	}
	var out string
	_ = json.Unmarshal([]byte(s), &out) // known to be valid
	return out
}
