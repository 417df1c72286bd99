// Package pager shows which version of a message is visible, and lets the user switch to another.
// It must not depend on the message.
package pager

import (
	"fmt"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
)

// Width is the width of a pager.
const Width = 84

// A Pager shows and changes the version of a message. It is hidden if there is
// only one.
type Pager struct {
	Root        *fyne.Container
	count       *kit.Label
	back, forth *kit.Button
	at, of      int
}

// New returns a pager that calls turn with -1 or 1.
func New(turn func(by int)) *Pager {
	p := &Pager{count: kit.NewLabel("", 12, kit.ColorMuted)}
	p.count.Centre = true
	p.back = kit.NewButton(kit.Ghost, "chevron-left", "", func() { turn(-1) }).Small()
	p.forth = kit.NewButton(kit.Ghost, "chevron-right", "", func() { turn(1) }).Small()
	p.Root = kit.Horizontal(0, p.count, p.back, p.count, p.forth)
	p.Root.Hidden = true
	return p
}

// Set shows that version at, counted from 0, of of versions is visible. It reports whether the
// pager appeared or disappeared.
func (p *Pager) Set(at, of int) bool {
	was := p.Root.Hidden
	if p.at != at || p.of != of {
		p.at, p.of = at, of
		p.count.Set(fmt.Sprintf("%d/%d", at+1, of))
		p.back.SetEnabled(at > 0)
		p.forth.SetEnabled(at < of-1)
	}
	p.Root.Hidden = of < 2
	return was != p.Root.Hidden
}
