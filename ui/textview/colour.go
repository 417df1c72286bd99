package textview

import (
	"goated/ui/markdown"
	"goated/ui/richtext"
	md "goated/ui/view/markdown"
)

// Colours caches the highlighting of code blocks. Highlighting a page takes milliseconds, so it
// runs outside the UI goroutine.
type Colours struct {
	run     func(f, done func())
	known   map[listing][]richtext.Span
	Waiting map[listing][]func([]richtext.Span) // receive the spans of a code block that is being highlighted
}

// wholeBytes is the maximal size of code that is highlighted as a whole and cached. Longer code
// is highlighted in pieces. maxBytes is the maximal size of code that is highlighted at all.
// keepListings limits the cache.
const (
	wholeBytes   = 64 << 10
	maxBytes     = 2 << 20
	keepListings = 64
)

// A listing is a code block: its text and its language.
type listing struct{ language, text string }

// NewColours returns an empty cache. run calls f outside the UI goroutine, and then done on it.
func NewColours(run func(f, done func())) *Colours {
	return &Colours{run: run, known: map[listing][]richtext.Span{}, Waiting: map[listing][]func([]richtext.Span){}}
}

// coloured calls done with the highlighting of a code block: immediately if it is cached, and
// otherwise when it is ready.
func (cs *Colours) coloured(key listing, done func([]richtext.Span)) {
	if spans, ok := cs.known[key]; ok {
		done(spans)
		return
	}
	if cs.Waiting[key] = append(cs.Waiting[key], done); len(cs.Waiting[key]) > 1 {
		return
	}
	var spans []richtext.Span
	cs.run(func() { spans = md.Highlight(key.language, key.text) }, func() {
		if len(cs.known) >= keepListings {
			clear(cs.known)
		}
		cs.known[key] = spans
		waited := cs.Waiting[key]
		delete(cs.Waiting, key)
		for _, done := range waited {
			done(spans)
		}
	})
}

// A highlighting is the known highlighting of a code block. While the block grows, only its
// complete lines are highlighted.
type highlighting struct {
	Spans   []richtext.Span // the known spans, and one span for the rest
	n       int             // the number of known spans
	bytes   int             // the number of bytes of code in them
	settled int             // the number of settled spans, which no longer change
	work    *md.Colouring
	busy    bool
	whole   bool // the highlighting is complete
	listing int  // incremented when the code is replaced
}

// over returns code with the known highlighting applied.
func (c *highlighting) over(code []richtext.Span) []richtext.Span {
	if c.n == 0 {
		return code
	}
	c.Spans = c.Spans[:c.n]
	if text := codeText(code); c.bytes < len(text) {
		c.Spans = append(c.Spans, richtext.Span{Text: text[c.bytes:], Code: true})
	}
	return c.Spans
}

// keepHighlight keeps the highlighting that a new block shares with the previous block. It
// returns the growth of the shown spans.
func (v *View) keepHighlight(g md.Growth) md.Growth {
	c := &v.tints
	if v.Block.Kind != md.Code {
		*c = highlighting{listing: c.listing + 1}
		return g
	}
	c.whole = false
	if c.n == 0 {
		return g
	}
	text := codeText(v.Block.Spans)
	if same := min(g.Bytes, len(text)); same >= c.bytes {
		return md.Growth{Inner: c.n, Bytes: same - c.bytes}
	}
	at, n := 0, 0
	for n < c.n && len(text)-at >= len(c.Spans[n].Text) && text[at:at+len(c.Spans[n].Text)] == c.Spans[n].Text {
		at += len(c.Spans[n].Text)
		n++
	}
	c.n, c.bytes = n, at
	c.listing++
	if n < c.settled || g.Bytes == 0 {
		*c = highlighting{Spans: append([]richtext.Span(nil), c.Spans[:n]...), n: n, bytes: at, listing: c.listing}
		return md.Growth{}
	}
	return md.Growth{Inner: n}
}

// colour starts highlighting a code block: its complete lines while it grows, and all of it at
// the end.
func (cs *Colours) colour(p *View) {
	c := &p.tints
	if p.Block.Kind != md.Code || p.Block.Marker == "" || c.busy || c.whole {
		return
	}
	text := codeText(p.Block.Spans)
	of := c.listing
	if !p.Open && len(text) <= wholeBytes {
		c.busy = true
		cs.coloured(listing{p.Block.Marker, text}, func(spans []richtext.Span) {
			if c.busy = false; c.listing == of {
				p.replaceHighlight(0, spans, len(spans), len(text))
				c.whole, c.work = len(text) == len(codeText(p.Block.Spans)), nil
			}
			cs.colour(p)
		})
		return
	}
	if p.Open {
		text = text[:lastLine(text)]
	}
	if len(text) <= c.bytes && p.Open || len(text) > maxBytes {
		return
	}
	if c.work == nil {
		c.work, c.settled = md.NewColouring(p.Block.Marker), 0
	}
	c.busy = true
	work, whole := c.work, !p.Open
	var spans []richtext.Span
	var settled int
	cs.run(func() { spans, settled = work.Colour(text) }, func() {
		c.busy = false
		if c.listing == of && c.work == work {
			p.replaceHighlight(c.settled, spans, settled, len(text))
			c.whole = whole
		} else if c.work == work {
			c.work = nil
		}
		cs.colour(p)
	})
}

// replaceHighlight replaces the spans from index from on.
func (v *View) replaceHighlight(from int, spans []richtext.Span, settled, bytes int) {
	c := &v.tints
	old := v.highlightedBlock().Spans
	same, part := markdown.CommonPrefix(old[min(from, len(old)):], spans)
	if c.n == 0 {
		c.Spans = nil // they belong to the block
	}
	c.Spans = append(c.Spans[:min(from, len(c.Spans))], spans...)
	c.n, c.bytes, c.settled = len(c.Spans), bytes, from+settled
	v.Set.Runs = nil // the spans of the runs changed
	if v.width == 0 || same == len(old)-from && same == len(spans) {
		return
	}
	next := v.highlightedBlock()
	if line, ok := v.Set.Grow(&next, from+same, part, 0, v.width, v.style.Grown(v.in.Grow())); ok {
		v.changed(line)
		return
	}
	v.relayout()
}

// End marks the block as complete.
func (v *View) End() {
	if v.Open {
		v.Open = false
		v.in.Colours.colour(v)
		if v.Block.Kind != md.Code && hasCode(&v.Block) {
			v.relayout()
		}
	}
}

// highlighter returns a function that highlights the code blocks within a block. It skips the
// last code block while the block grows.
func (cs *Colours) highlighter(p *View) func(md.Block) []richtext.Span {
	if len(p.Block.Blocks) == 0 {
		return nil
	}
	last := &p.Block
	for len(last.Blocks) > 0 {
		last = &last.Blocks[len(last.Blocks)-1]
	}
	at := last.At
	return func(b md.Block) []richtext.Span {
		text := codeText(b.Spans)
		if b.Marker == "" || len(text) > wholeBytes || p.Open && b.At == at {
			return b.Spans
		}
		key := listing{b.Marker, text}
		if spans, ok := cs.known[key]; ok {
			return spans
		}
		if p.asked[key] {
			return b.Spans
		}
		if p.asked == nil {
			p.asked = map[listing]bool{}
		}
		p.asked[key] = true
		within := true // avoids a second layout for an immediate result
		cs.coloured(key, func([]richtext.Span) {
			if delete(p.asked, key); !within {
				p.relayout()
			}
		})
		within = false
		if spans, ok := cs.known[key]; ok {
			return spans
		}
		return b.Spans
	}
}

func hasCode(b *md.Block) bool {
	for i := range b.Blocks {
		if b.Blocks[i].Kind == md.Code || hasCode(&b.Blocks[i]) {
			return true
		}
	}
	return false
}

// codeText returns the text of a code block, which is usually a single span.
func codeText(spans []richtext.Span) string {
	if len(spans) == 1 {
		return spans[0].Text
	}
	return richtext.PlainText(spans)
}

func lastLine(text string) int {
	for i := len(text); i > 0; i-- {
		if text[i-1] == '\n' {
			return i
		}
	}
	return 0
}
