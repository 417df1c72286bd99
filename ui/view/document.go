package view

import (
	"strings"

	"github.com/yuin/goldmark/parser"
)

// A Document is Markdown that may still be written. What is finished of it is
// parsed once: only its last block is parsed again when text is added, so that a
// long text costs no more than a short one. It belongs to one goroutine.
type Document struct {
	source string
	frozen int // of source, is parsed for good
	kept   int // of blocks, are made of that
	blocks []Block
	known  []parser.Reference // in what is frozen
	final  bool
}

// Blocks are the present blocks.
func (d *Document) Blocks() []Block { return d.blocks }

// Grow takes the whole text so far. It returns the number of blocks at the
// front that are as they were.
func (d *Document) Grow(text string) int {
	if text == d.source {
		return len(d.blocks)
	}
	if d.final || !strings.HasPrefix(text, d.source) {
		*d = Document{}
	}
	d.source = text
	same := d.kept
	tail, known := read(text[d.frozen:], d.known)
	d.blocks = d.blocks[:d.kept:d.kept]
	for _, b := range tail {
		d.blocks = append(d.blocks, b.Block)
	}
	if at, n := freezable(text[d.frozen:], tail); n > 0 {
		d.frozen += at
		d.kept += n
		d.known = known
	}
	return same
}

// freezable finds the last block of a text that begins on a finished line, and
// so the place before which nothing will change any more, and how many blocks
// are there. Definitions of links and footnotes, which reach backwards, are for
// [Document.Finish].
func freezable(text string, blocks []placed) (at, n int) {
	complete := strings.LastIndexByte(text, '\n')
	for i := len(blocks) - 1; i > 0; i-- {
		b := blocks[i]
		if b.from <= 0 || b.from == blocks[i-1].from || b.from > complete {
			continue
		}
		if strings.IndexByte(text[b.from:], '\n') < 0 {
			continue
		}
		// A table is made of the end of a paragraph: until there is something
		// else after them, the two are one.
		if b.Kind == Table && !strings.HasSuffix(text[:b.from], "\n\n") {
			continue
		}
		return b.from, i
	}
	return 0, 0
}

// Finish takes the whole text as it is in the end, and parses it as one. It
// returns the number of blocks at the front that are as they were.
func (d *Document) Finish(text string) int {
	if d.final && text == d.source {
		return len(d.blocks)
	}
	blocks := Markdown(text)
	same := 0
	for same < min(len(blocks), len(d.blocks)) && blocks[same].equal(d.blocks[same]) {
		same++
	}
	*d = Document{source: text, blocks: blocks, kept: len(blocks), final: true}
	return same
}

func (b Block) equal(o Block) bool {
	if b.Kind != o.Kind || b.Level != o.Level || b.Marker != o.Marker || b.Task != o.Task || b.Align != o.Align ||
		b.Head != o.Head || b.Loose != o.Loose || b.At != o.At || len(b.Spans) != len(o.Spans) || len(b.Blocks) != len(o.Blocks) {
		return false
	}
	for i, s := range b.Spans {
		if s != o.Spans[i] {
			return false
		}
	}
	for i, c := range b.Blocks {
		if !c.equal(o.Blocks[i]) {
			return false
		}
	}
	return true
}
