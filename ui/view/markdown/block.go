// Package markdown parses Markdown into blocks of styled text, keeps them current
// while the text grows, and writes blocks as Markdown again. It also highlights
// code. It is pure, fetches nothing, and knows neither conversations nor Fyne.
package markdown

import (
	"strings"
	"unicode/utf8"

	"goated/ui/richtext"
	"goated/ui/view/formula"
)

// A BlockKind says how a block of text is laid out.
type BlockKind int

// The kinds of block. A block has Spans or Blocks, never both.
const (
	Paragraph BlockKind = iota
	Heading             // Level 1 to 6
	Code                // one verbatim span; Marker is the language
	Quote
	List
	ListItem // of a List; Marker is "•" or a number as written
	Table
	TableRow
	TableCell
	Rule
	Formula // the spans are its text on one line
	Image   // Picture is the image, the spans are its description
)

// An Align is the horizontal alignment of a table cell.
type Align int

// The alignments. The zero value is the default of a cell.
const (
	AlignLeft Align = iota
	AlignCenter
	AlignRight
)

// A Task is the check box of a list item.
type Task int

// The states of a check box.
const (
	NoTask Task = iota
	TaskOpen
	TaskDone
)

// A Block is one part of a text. Callers must not change its blocks and spans: a
// [Document] returns the same ones again.
type Block struct {
	Kind   BlockKind
	Level  int
	Marker string
	Task   Task
	Align  Align
	Head   bool // a TableRow that names the columns
	Loose  bool // a List with space between its items
	Spans  []richtext.Span
	Blocks []Block

	Formula formula.Row // of a Formula, to draw it

	Picture       string // a data URI
	Width, Height int    // of Picture, in pixels

	// At is the offset of the block's text in the text of its outermost block, in
	// characters. The text of a ListItem begins with its marker.
	At int
}

// Plain returns text without marks as a block.
func Plain(text string) Block {
	return Block{Spans: []richtext.Span{{Text: text}}}
}

// Text returns the block as plain text for the clipboard: tabs separate the
// cells of a table, code is verbatim, and an item begins with its marker.
func (b Block) Text() string {
	w := plainWriter{}
	w.block(&b, 0)
	return w.text.String()
}

// seal sets At of b and of every block in it.
func (b *Block) seal() {
	w := plainWriter{mark: true}
	w.block(b, 0)
}

// A plainWriter writes blocks as plain text. All offsets come from it.
type plainWriter struct {
	text strings.Builder
	at   int  // characters written
	mark bool // set At of each block
}

func (w *plainWriter) write(s string) {
	w.text.WriteString(s)
	w.at += utf8.RuneCountInString(s)
}

func (w *plainWriter) block(b *Block, depth int) {
	between := "\n\n"
	switch b.Kind {
	case List:
		between = "\n"
	case ListItem:
		w.write(strings.Repeat("  ", depth-1))
		between = "\n"
	case Table:
		between = "\n"
	case TableRow:
		between = "\t"
	}
	if w.mark {
		b.At = w.at
	}
	if b.Kind == ListItem {
		w.write(b.Lead())
	}
	for _, s := range b.Spans {
		w.write(s.Text)
	}
	for i := range b.Blocks {
		if i > 0 {
			w.write(between)
		}
		inner := depth
		if b.Kind == List {
			inner++
		}
		w.block(&b.Blocks[i], inner)
	}
}

// Lead returns the marker or check box that a ListItem's text begins with.
func (b Block) Lead() string {
	switch b.Task {
	case TaskOpen:
		return "[ ] "
	case TaskDone:
		return "[x] "
	}
	return b.Marker + " "
}

// Gather returns one block that contains blocks, and sets their At.
func Gather(blocks []Block) Block {
	b := Block{Blocks: blocks}
	b.seal()
	return b
}
