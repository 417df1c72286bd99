// Package markdown parses Markdown into blocks of styled text, updates them while the text grows,
// and writes blocks as Markdown again. It also highlights code. It has no side effects, fetches
// nothing, and depends on neither conversations nor Fyne.
package markdown

import (
	"strings"
	"unicode/utf8"

	"goated/ui/richtext"
	"goated/ui/view/formula"
)

// A BlockKind determines the layout of a block of text.
type BlockKind int

// The kinds of block. A block has Spans or Blocks, never both.
const (
	Paragraph BlockKind = iota
	Heading             // Level 1 to 6
	Code                // one verbatim span; Marker is the language
	Quote
	List
	ListItem // an item of a List; Marker is "•" or the number in the source
	Table
	TableRow
	TableCell
	Rule
	Formula // the spans are its text on one line
	Image   // Picture is the image, and the spans are its description
)

// An Align is the horizontal alignment of a table cell.
type Align int

// The alignments. The zero value is the default of a cell.
const (
	AlignLeft Align = iota
	AlignCenter
	AlignRight
)

// A Task is the state of a list item's checkbox.
type Task int

// The states of a checkbox.
const (
	NoTask Task = iota
	TaskOpen
	TaskDone
)

// A Block is one part of a text. Callers must not change its blocks and spans, because a
// [Document] returns the same ones again.
type Block struct {
	Kind   BlockKind
	Level  int
	Marker string
	Task   Task
	Align  Align
	Head   bool // for a TableRow: it contains the column names
	Loose  bool // for a List: there is space between its items
	Spans  []richtext.Span
	Blocks []Block

	Formula formula.Row // the parsed Formula, for drawing

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

// Text returns the block as plain text for the clipboard. Tabs separate the cells of a table,
// code is verbatim, and a list item begins with its marker.
func (b Block) Text() string {
	w := plainWriter{}
	w.block(&b, 0)
	return w.text.String()
}

// seal sets At of b and of all blocks within it.
func (b *Block) seal() {
	w := plainWriter{mark: true}
	w.block(b, 0)
}

// A plainWriter writes blocks as plain text. It defines all offsets.
type plainWriter struct {
	text strings.Builder
	at   int  // the number of characters written
	mark bool // sets At of each block
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

// Lead returns the marker or checkbox at the beginning of a ListItem's text.
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
