package inspector

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"goated/internal/safetext"
	"goated/ui/kit"
	"goated/ui/richtext"
	"goated/ui/view"
	"goated/ui/view/format"
)

// foldedFrom is the number of elements from which on an array is initially folded.
const foldedFrom = 6

// secret is the replacement for a redacted value; see client.Redact.
const secret = `"[secret]"`

// A block is a value of a JSON text that can be folded: an object, an array, or a long string.
type block struct {
	name string // with quotes and colon; empty for an element
	node view.Node
	open bool
	kids []*block // nil until the block is first opened
}

func newBlock(n view.Node, name string) *block {
	return &block{name: name, node: n, open: n.Nested() && (n.Kind == view.ObjectNode && name != `"_meta": ` || n.Kind == view.ArrayNode && n.Size < foldedFrom)}
}

func (b *block) children() []*block {
	if b.kids == nil {
		for _, c := range b.node.Children() {
			name := ""
			if b.node.Kind == view.ObjectNode {
				name = view.FormatJSON(c.Name) + ": "
			}
			b.kids = append(b.kids, newBlock(c, name))
		}
	}
	return b.kids
}

// lines appends the lines of b. end follows the value: a comma, or nothing.
func (b *block) lines(out []line, indent, columns int, end string) []line {
	name := span{safetext.OneLine(b.name), kit.ToneColor(richtext.ToneName)}
	if !b.node.Nested() {
		return b.scalar(out, indent, columns, end, name)
	}
	open, shut, many := "{", "}", format.Plural(b.node.Size, "%d field", "%d fields")
	if b.node.Kind == view.ArrayNode {
		open, shut, many = "[", "]", format.Plural(b.node.Size, "%d item", "%d items")
	}
	if !b.open {
		return append(out, line{indent: indent, fold: b, parts: []span{name, {open + " ", kit.ColorText}, {many, kit.ColorFaint}, {" " + shut + end, kit.ColorText}}})
	}
	out = append(out, line{indent: indent, fold: b, parts: []span{name, {open, kit.ColorText}}})
	kids := b.children()
	for i, k := range kids {
		comma := ","
		if i == len(kids)-1 {
			comma = ""
		}
		out = k.lines(out, min(indent+2, columns/2), columns, comma)
	}
	return append(out, line{indent: indent, parts: []span{{shut + end, kit.ColorText}}})
}

// scalar appends a value without children. A long string can be folded.
func (b *block) scalar(out []line, indent, columns int, end string, name span) []line {
	value := b.node.JSON()
	if value == secret {
		return append(out, line{indent: indent, secret: true, parts: []span{name, {"hidden", kit.ColorWarn}, {end, kit.ColorText}}})
	}
	color := valueColor(b.node.Kind)
	room := max(columns-indent-utf8.RuneCountInString(name.text)-len(end), 8)
	if utf8.RuneCountInString(value) <= room {
		return append(out, line{indent: indent, parts: []span{name, {safetext.OneLine(value), color}, {end, kit.ColorText}}})
	}
	if utf8.RuneCountInString(value) <= wholeTo {
		return wrapped(out, indent, columns, room, value+end, name, color)
	}
	if !b.open {
		size := fmt.Sprintf(" … %s", bytesOf(len(value)))
		return append(out, line{indent: indent, fold: b, parts: []span{name, {cut(value, room-utf8.RuneCountInString(size)), color}, {size + end, kit.ColorFaint}}})
	}
	out = append(out, line{indent: indent, fold: b, parts: []span{name, {bytesOf(len(value)), kit.ColorFaint}, {end, kit.ColorText}}})
	inner := min(indent+2, columns/2)
	for _, l := range wrap(strings.TrimRight(b.node.Plain(), "\n"), columns-inner) {
		out = append(out, line{indent: inner, fold: b, parts: []span{{l, color}}})
	}
	return out
}

// wholeTo is the maximal length, in characters, of a string that is shown completely, on several
// lines.
const wholeTo = 240

// wrapped appends a value that is too long for its line. room is the number of characters that
// fit after the name; the rest goes below.
func wrapped(out []line, indent, columns, room int, value string, name span, color fyne.ThemeColorName) []line {
	value = safetext.OneLine(value)
	first := cut(value, room)
	out = append(out, line{indent: indent, parts: []span{name, {first, color}}})
	inner := min(indent+2, columns/2)
	for _, l := range wrap(value[len(first):], columns-inner) {
		out = append(out, line{indent: inner, parts: []span{{l, color}}})
	}
	return out
}

// cut returns the beginning of a text on one line.
func cut(s string, n int) string {
	s = safetext.OneLine(s[:min(len(s), 4*max(n, 1))])
	for utf8.RuneCountInString(s) > max(n, 1) {
		_, last := utf8.DecodeLastRuneInString(s)
		s = s[:len(s)-last]
	}
	return s
}

func valueColor(k view.NodeKind) fyne.ThemeColorName {
	switch k {
	case view.StringNode:
		return kit.ToneColor(richtext.ToneString)
	case view.NumberNode:
		return kit.ToneColor(richtext.ToneNumber)
	case view.BoolNode, view.NullNode:
		return kit.ToneColor(richtext.ToneKeyword)
	}
	return kit.ColorText
}
