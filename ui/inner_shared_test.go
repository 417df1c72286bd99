package ui

import (
	"goated/ui/transcript"
)

// passage is the one with that text.
func (d *desk) passage(text string) *transcript.TextView {
	d.t.Helper()
	p, ok := find(d, func(p *transcript.TextView) bool { return p.Block.Text() == text })
	if !ok {
		d.t.Fatalf("no passage says %q", text)
	}
	return p
}
