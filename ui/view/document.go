package view

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/parser"
)

// A Document is Markdown that may still be written. What is finished of it is
// parsed once: only its last block is parsed again when text is added, so that a
// long text costs no more than a short one. It belongs to one goroutine.
type Document struct {
	source string
	frozen int   // of source, is parsed for good
	kept   int   // of blocks, are made of that
	list   Block // what is frozen of the list that goes on after it, if it has items
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
	d.join(tail)
	d.blocks = d.blocks[:d.kept:d.kept]
	for _, b := range tail {
		d.blocks = append(d.blocks, b.Block)
	}
	if at, n := freezable(text[d.frozen:], tail); n > 0 {
		d.frozen += at
		d.kept += n
		d.known, d.list = known, Block{}
		tail = tail[n:]
		for i := range tail {
			tail[i].from, tail[i].item = tail[i].from-at, tail[i].item-at
		}
	}
	d.freezeItems(text[d.frozen:], tail)
	return same
}

// join puts the items that are frozen before those that were parsed just now,
// and counts on from them.
func (d *Document) join(tail []placed) {
	if len(d.list.Blocks) == 0 || len(tail) == 0 || tail[0].Kind != List {
		return
	}
	b := &tail[0].Block
	items := d.list.Blocks
	if first := items[0].Marker; first != "•" {
		delimiter := first[len(first)-1:]
		start, _ := strconv.Atoi(strings.TrimSuffix(first, delimiter)) // written by the reader
		for i := range b.Blocks {
			b.Blocks[i].Marker = strconv.Itoa(start+len(items)+i) + delimiter
		}
	}
	b.Blocks = append(slices.Clip(items), b.Blocks...)
	b.Loose = b.Loose || d.list.Loose
	b.seal()
}

// freezeItems freezes all items but the last of a list that is all there is: a
// long list is to cost no more than a short one.
func (d *Document) freezeItems(text string, tail []placed) {
	if len(tail) != 1 || tail[0].Kind != List || tail[0].item <= 0 || strings.IndexByte(text[tail[0].item:], '\n') < 0 {
		return
	}
	b, n := tail[0].Block, len(tail[0].Blocks)-1
	d.list = Block{Kind: List, Blocks: b.Blocks[:n:n], Loose: b.Loose || strings.HasSuffix(text[:tail[0].item], "\n\n")}
	d.frozen += tail[0].item
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
