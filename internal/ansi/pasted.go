package ansi

import (
	"io"
	"strings"
)

// LineBreak is shown in place of a line break in the line that the user edits.
const LineBreak = "⏎"

// A Pasted reader replaces the line breaks in text that the terminal marks as pasted. Otherwise the
// line editor would treat each of them as Enter.
type Pasted struct {
	From   io.Reader
	ready  []byte
	last   string // the last bytes read, as many as a mark has
	inside bool
}

func (p *Pasted) Read(to []byte) (int, error) {
	var err error
	if len(p.ready) == 0 {
		got := make([]byte, 256)
		var n int
		n, err = p.From.Read(got)
		for _, b := range got[:n] {
			p.take(b)
		}
	}
	n := copy(to, p.ready)
	p.ready = p.ready[n:]
	return n, err
}

// take adds a byte to ready.
func (p *Pasted) take(b byte) {
	const begin, end = "\x1b[200~", "\x1b[201~"
	before := p.last
	p.last = (before + string([]byte{b}))[max(0, len(before)+1-len(begin)):]
	switch {
	case p.inside && b == '\n' && strings.HasSuffix(before, "\r"):
		return
	case p.inside && (b == '\r' || b == '\n'):
		p.ready = append(p.ready, LineBreak...)
		return
	case p.last == begin:
		p.inside = true
	case p.last == end:
		p.inside = false
	}
	p.ready = append(p.ready, b)
}
