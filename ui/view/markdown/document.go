package markdown

import (
	"strings"

	"github.com/yuin/goldmark/parser"

	"goated/ui/richtext"
)

// A Document is Markdown that may still grow. It parses finished blocks once. New text makes it
// parse only the end of the last block again, so the cost does not grow with the length. The zero
// value is an empty document. A Document is not safe for concurrent use.
type Document struct {
	source string
	frozen int // the number of bytes of source whose blocks are final
	kept   int // the number of blocks from those bytes
	going  going
	blocks []Block
	known  []parser.Reference // link definitions in the frozen source
	final  bool
}

// A Growth is the unchanged part of a document: the first Same blocks, then Inner children or
// spans of the next block, then Bytes of the next span. Everything after that is new.
type Growth struct{ Same, Inner, Bytes int }

// If an unfinished block is longer than maxUnfinished bytes and cannot be split, it is parsed
// again only after it has grown by 1/fraction.
const (
	maxUnfinished = 4 << 10
	fraction      = 32
)

// Blocks returns the current blocks. They are valid until the next call of Grow or Finish.
func (d *Document) Blocks() []Block { return d.blocks }

// Grow updates the document to text, which contains the whole text so far.
func (d *Document) Grow(text string) Growth {
	if text == d.source {
		return Growth{Same: len(d.blocks)}
	}
	if d.final || !strings.HasPrefix(text, d.source) {
		*d = Document{}
	}
	open := len(text) - d.frozen
	if d.going.char == 0 && open > maxUnfinished && len(text)-len(d.source) < open/fraction {
		return Growth{Same: len(d.blocks)} // wait until it has grown by 1/fraction
	}
	grown := Growth{Same: d.kept}
	if d.going.char != 0 {
		grown.Bytes = d.going.shown
		d.source = text
		if d.goOnCode(text) {
			return grown
		}
	}
	d.source = text
	tail, known := d.read(text)
	if !d.goOn(tail) {
		d.frozen, d.going = d.going.from, going{}
		tail, known = d.read(text)
	} else if grown.Same == d.kept {
		grown.Inner = d.going.inner()
	}
	d.blocks = d.blocks[:d.kept]
	for _, b := range tail {
		d.blocks = append(d.blocks, b.Block)
	}
	if at, n := freezable(text[d.frozen:], tail); n > 0 {
		d.frozen += at
		d.kept += n
		d.known, d.going = known, going{}
		tail = tail[n:]
		for i := range tail {
			tail[i].from, tail[i].item = tail[i].from-at, tail[i].item-at
		}
	}
	if len(tail) == 1 && pending(text[d.frozen:]) < 0 {
		d.part(text[d.frozen:], tail[0])
	}
	return grown
}

// read parses the part of text that is not frozen.
func (d *Document) read(text string) ([]placed, []parser.Reference) {
	head := d.going.head
	tail, known := read(head+text[d.frozen:], d.known)
	for i := range tail {
		tail[i].from = max(tail[i].from-len(head), min(tail[i].from, 0))
		tail[i].item -= len(head)
	}
	return tail, known
}

// freezable finds the last block of a text that begins on a complete line. The n blocks before
// it, up to offset at, can no longer change. Definitions of links and footnotes do affect earlier
// text; [Document.Finish] applies them.
func freezable(text string, blocks []placed) (at, n int) {
	complete := strings.LastIndexByte(text, '\n')
	if open := pending(text); open >= 0 {
		complete = min(complete, open)
	}
	for i := len(blocks) - 1; i > 0; i-- {
		b := blocks[i]
		if b.from <= 0 || b.from == blocks[i-1].from || b.from > complete {
			continue
		}
		if strings.IndexByte(text[b.from:], '\n') < 0 {
			continue
		}
		// A table begins as the end of a paragraph: keep both together until another block
		// follows.
		if b.Kind == Table && !strings.HasSuffix(text[:b.from], "\n\n") {
			continue
		}
		return b.from, i
	}
	return 0, 0
}

// Finish parses the complete text in one piece. It returns the number of leading blocks that did
// not change.
func (d *Document) Finish(text string) int {
	if d.final && text == d.source {
		return len(d.blocks)
	}
	blocks := Parse(text)
	same := 0
	for same < min(len(blocks), len(d.blocks)) && blocks[same].equal(d.blocks[same]) {
		same++
	}
	*d = Document{source: text, blocks: blocks, kept: len(blocks), final: true}
	return same
}

// equal reports whether two blocks have the same text and style. It ignores how text in one style
// is divided into spans.
func (b Block) equal(o Block) bool {
	if b.Kind != o.Kind || b.Level != o.Level || b.Marker != o.Marker || b.Task != o.Task || b.Align != o.Align ||
		b.Head != o.Head || b.Loose != o.Loose || b.At != o.At || b.Picture != o.Picture || len(b.Blocks) != len(o.Blocks) || !equalSpans(b.Spans, o.Spans) {
		return false
	}
	for i, c := range b.Blocks {
		if !c.equal(o.Blocks[i]) {
			return false
		}
	}
	return true
}

func equalSpans(a, b []richtext.Span) bool {
	var x, y richtext.Span
	for {
		for ; x.Text == "" && len(a) > 0; a = a[1:] {
			x = a[0]
		}
		for ; y.Text == "" && len(b) > 0; b = b[1:] {
			y = b[0]
		}
		if x.Text == "" || y.Text == "" {
			return x.Text == y.Text
		}
		n := min(len(x.Text), len(y.Text))
		s, t := x, y
		s.Text, t.Text = x.Text[:n], y.Text[:n]
		if s != t {
			return false
		}
		x.Text, y.Text = x.Text[n:], y.Text[n:]
	}
}
