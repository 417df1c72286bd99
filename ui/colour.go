package ui

import "goated/ui/view"

// colours are the words of listings and what they are. Finding that out takes
// milliseconds for a page, so it is done beside the UI goroutine, one listing at
// a time, and remembered.
type colours struct {
	known   map[listing][]view.Span
	waiting map[listing][]*passage
}

// colourBytes is the most code that is coloured; keepListings, how many are
// remembered.
const (
	colourBytes  = 64 << 10
	keepListings = 64
)

// A listing is code in a language.
type listing struct{ language, text string }

func newColours() colours {
	return colours{known: map[listing][]view.Span{}, waiting: map[listing][]*passage{}}
}

// colour colours the listing that the passage is. Listings within lists and
// quotes stay plain. One that still grows is coloured again when it is a quarter
// longer, and in the end.
func (t *transcript) colour(p *passage) {
	if p.block.Kind != view.Code || p.block.Marker == "" || p.settled {
		return
	}
	key := listing{p.block.Marker, plainText(p.block.Spans)}
	if len(key.text) > colourBytes || p.open && len(key.text) < p.asked+p.asked/4 {
		return
	}
	p.asked = len(key.text)
	if spans, ok := t.known[key]; ok {
		p.settled, p.coloured = true, spans
		return
	}
	if t.waiting[key] != nil {
		t.waiting[key] = append(t.waiting[key], p)
		return
	}
	t.waiting[key] = []*passage{p}
	var spans []view.Span
	t.run(func() { spans = view.Highlight(key.language, key.text) }, func() {
		if len(t.known) >= keepListings {
			clear(t.known)
		}
		t.known[key] = spans
		waited := t.waiting[key]
		delete(t.waiting, key)
		for _, p := range waited {
			p.tint(key, spans)
		}
	})
}

// ended says that the block grows no more.
func (p *passage) ended() {
	if p.open {
		p.open = false
		p.in.colour(p)
	}
}

// tint takes the colours of the listing that the passage was when it asked.
func (p *passage) tint(key listing, spans []view.Span) {
	now := plainText(p.block.Spans)
	if p.block.Kind != view.Code || p.block.Marker != key.language || len(now) < len(key.text) || now[:len(key.text)] != key.text {
		return
	}
	p.coloured, p.settled = recolour(spans, now), len(now) == len(key.text)
	if p.width > 0 {
		w := p.width
		p.width = 0
		p.HeightFor(w)
		p.Refresh()
	}
}

// recolour gives text the colours of what it begins with.
func recolour(spans []view.Span, text string) []view.Span {
	var out []view.Span
	at := 0
	for _, s := range spans {
		end := min(at+len(s.Text), len(text))
		if text[at:end] != s.Text {
			break
		}
		out = append(out, s)
		at = end
	}
	if at < len(text) {
		out = append(out, view.Span{Text: text[at:], Code: true})
	}
	return out
}
