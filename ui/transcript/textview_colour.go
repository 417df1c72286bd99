package transcript

import (
	"goated/ui/markdown"
	"goated/ui/richtext"
	md "goated/ui/view/markdown"
)

// colours are the words of listings and what they are. Finding that out takes
// milliseconds for a page, so it is done beside the UI goroutine, and remembered.
type colours struct {
	run     func(f, done func()) // see [Transcript.run]
	known   map[listing][]richtext.Span
	Waiting map[listing][]func([]richtext.Span)
}

// wholeBytes is the most code that is coloured as a whole, and remembered: what
// is longer is coloured in pieces. mostBytes is the most that is coloured at all,
// and keepListings, how many are remembered.
const (
	wholeBytes   = 64 << 10
	mostBytes    = 2 << 20
	keepListings = 64
)

// A listing is code in a language.
type listing struct{ language, text string }

func newColours(run func(f, done func())) colours {
	return colours{run: run, known: map[listing][]richtext.Span{}, Waiting: map[listing][]func([]richtext.Span){}}
}

// coloured calls done with the colours of a listing: at once if they are known,
// and else when they are.
func (cs *colours) coloured(key listing, done func([]richtext.Span)) {
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

// A tinting is what is known of the colours of a listing that is a passage. Where
// it still grows, its finished lines are coloured as they come.
type tinting struct {
	Spans   []richtext.Span // those that are known, and one of the rest
	n       int             // of spans, are known
	bytes   int             // and so many bytes of the code
	settled int             // of spans, stay as they are whatever follows
	work    *md.Colouring
	busy    bool
	whole   bool // the listing is coloured for good
	listing int  // counts what has been shown instead of it
}

// over is code with the colours that are known.
func (c *tinting) over(code []richtext.Span) []richtext.Span {
	if c.n == 0 {
		return code
	}
	c.Spans = c.Spans[:c.n]
	if text := codeText(code); c.bytes < len(text) {
		c.Spans = append(c.Spans, richtext.Span{Text: text[c.bytes:], Code: true})
	}
	return c.Spans
}

// retint fits the colours to a block that is put in the place of one, of which so
// much is as it was, and returns how much of the spans that are shown is.
func (p *TextView) retint(g md.Growth) md.Growth {
	c := &p.Tints
	if p.Block.Kind != md.Code {
		*c = tinting{listing: c.listing + 1}
		return g
	}
	c.whole = false
	if c.n == 0 {
		return g
	}
	text := codeText(p.Block.Spans)
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
		*c = tinting{Spans: append([]richtext.Span(nil), c.Spans[:n]...), n: n, bytes: at, listing: c.listing}
		return md.Growth{}
	}
	return md.Growth{Inner: n}
}

// colour has the listing coloured that the passage is: its finished lines while
// it grows, and in the end all of it.
func (cs *colours) colour(p *TextView) {
	c := &p.Tints
	if p.Block.Kind != md.Code || p.Block.Marker == "" || c.busy || c.whole {
		return
	}
	text := codeText(p.Block.Spans)
	of := c.listing
	if !p.open && len(text) <= wholeBytes {
		c.busy = true
		cs.coloured(listing{p.Block.Marker, text}, func(spans []richtext.Span) {
			if c.busy = false; c.listing == of {
				p.dye(0, spans, len(spans), len(text))
				c.whole, c.work = len(text) == len(codeText(p.Block.Spans)), nil
			}
			cs.colour(p)
		})
		return
	}
	if p.open {
		text = text[:lastLine(text)]
	}
	if len(text) <= c.bytes && p.open || len(text) > mostBytes {
		return
	}
	if c.work == nil {
		c.work, c.settled = md.NewColouring(p.Block.Marker), 0
	}
	c.busy = true
	work, whole := c.work, !p.open
	var spans []richtext.Span
	var settled int
	cs.run(func() { spans, settled = work.Colour(text) }, func() {
		c.busy = false
		if c.listing == of && c.work == work {
			p.dye(c.settled, spans, settled, len(text))
			c.whole = whole
		} else if c.work == work {
			c.work = nil
		}
		cs.colour(p)
	})
}

// dye puts other colours in the place of those from one span on.
func (p *TextView) dye(from int, spans []richtext.Span, settled, bytes int) {
	c := &p.Tints
	old := p.setBlock().Spans
	same, part := markdown.CommonPrefix(old[min(from, len(old)):], spans)
	if c.n == 0 {
		c.Spans = nil // they were the block's own
	}
	c.Spans = append(c.Spans[:min(from, len(c.Spans))], spans...)
	c.n, c.bytes, c.settled = len(c.Spans), bytes, from+settled
	p.Set.Leaves = nil // whose spans were these
	if p.width == 0 || same == len(old)-from && same == len(spans) {
		return
	}
	next := p.setBlock()
	if line, ok := p.Set.Grow(&next, from+same, part, 0, p.width, p.manner.Grown(p.in.grow())); ok {
		p.changed(line)
		return
	}
	p.again()
}

// ended says that the block grows no more.
func (p *TextView) ended() {
	if p.open {
		p.open = false
		p.in.colours.colour(p)
		if p.Block.Kind != md.Code && hasCode(&p.Block) {
			p.again()
		}
	}
}

// tinted colours the listings within a block that is none itself. One at the
// very end of what grows stays as it is until it is finished.
func (cs *colours) tinted(p *TextView) func(md.Block) []richtext.Span {
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
		if b.Marker == "" || len(text) > wholeBytes || p.open && b.At == at {
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
		within := true // what is found at once is not set again while it is set
		cs.coloured(key, func([]richtext.Span) {
			if delete(p.asked, key); !within {
				p.again()
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

// codeText is what a listing says; it is one span.
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
