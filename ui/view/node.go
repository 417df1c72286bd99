package view

import (
	"encoding/json"
	"strings"
)

// A Node is one value of a JSON text. Children parses the content on each call, so a closed
// megabyte costs nothing.
type Node struct {
	Name  string // the unescaped name of a member; empty for elements and the root
	Index int    // the index of an element; -1 for members and the root
	Kind  NodeKind
	Size  int    // number of direct children
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

// maxTree is the maximal size of a text that becomes a tree, in bytes. The window shows a longer
// text as text.
const maxTree = 8 << 20

// ParseNode parses one JSON value. ok is false if text is not JSON or too long.
func ParseNode(text string) (Node, bool) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxTree || !json.Valid([]byte(text)) {
		return Node{}, false
	}
	_, size := skip(text, 0)
	return Node{Index: -1, Kind: kindOf(text[0]), Size: size, text: text}, true
}

// Nested reports whether the node has children.
func (n Node) Nested() bool { return n.Size > 0 }

// JSON returns the value as it is in the source.
func (n Node) JSON() string { return n.text }

// Plain returns the value for the clipboard: a string without quotes, or an object or array
// indented.
func (n Node) Plain() string {
	if n.Kind == StringNode {
		return unquote(n.text)
	}
	return indented(n.text)
}

// Children returns the direct children in order.
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
			i = blank(s, blank(s, end)+1) // skip the colon
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

// skip, skipString and blank require valid JSON.

// skip returns the end of the value at i and its number of direct children.
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
