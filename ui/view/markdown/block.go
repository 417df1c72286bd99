package markdown

import (
	"strings"
	"unicode/utf8"

	"goated/ui/richtext"
)

// A BlockKind says how a block of text is set.
type BlockKind int

// The kinds of block. What a block holds is in its Spans or in its Blocks,
// never in both.
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
	Image // Picture is what there is to see, and its spans what it shows
)

// An Align says to which side a cell of a table keeps.
type Align int

// The sides. Most cells say nothing, which is left.
const (
	AlignLeft Align = iota
	AlignCenter
	AlignRight
)

// A Task is the box of an item in a list of tasks.
type Task int

// The states of a box.
const (
	NoTask Task = iota
	TaskOpen
	TaskDone
)

// A Block is one part of a text. Its blocks and spans are not to be changed: a
// [Document] hands out the same ones again.
type Block struct {
	Kind   BlockKind
	Level  int
	Marker string
	Task   Task
	Align  Align
	Head   bool // a Row that names the columns
	Loose  bool // a List with room between its items
	Spans  []richtext.Span
	Blocks []Block

	Picture       string // as a data URI
	Width, Height int    // of it, in pixels

	// At is where its text begins in the text of the outermost block that it is
	// in, in characters. A ListItem begins with its marker.
	At int
}

// Plain is text without any marks in it, as a block.
func Plain(text string) Block {
	return Block{Spans: []richtext.Span{{Text: text}}}
}

// Text is what the block says, as it is copied: a table with a tab between its
// cells, code verbatim, an item with its marker.
func (b Block) Text() string {
	w := plainWriter{}
	w.block(&b, 0)
	return w.text.String()
}

// seal notes in every block within b where its text begins.
func (b *Block) seal() {
	w := plainWriter{mark: true}
	w.block(b, 0)
}

// A plainWriter is the one place that knows what text is made of blocks.
type plainWriter struct {
	text strings.Builder
	at   int  // characters written
	mark bool // note in each block where it begins
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

// Lead is what an item's text begins with.
func (b Block) Lead() string {
	switch b.Task {
	case TaskOpen:
		return "[ ] "
	case TaskDone:
		return "[x] "
	}
	return b.Marker + " "
}

// Gather makes one block of many.
func Gather(blocks []Block) Block {
	b := Block{Blocks: blocks}
	b.seal()
	return b
}
