package ui

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/sandbox"
	"goated/ui/view"
)

// A countdown says when a server is started again.
type countdown struct {
	server client.Server
	words  *label
}

// count has the seconds counted that servers wait to be started again.
func (c *connector) count(on bool) {
	switch {
	case !on && c.counts != nil:
		c.clock.remove(c.counts)
		c.counts = nil
	case on && c.counts == nil:
		c.counts = c.clock.add(5, func() {
			for _, w := range c.waits {
				w.words.set(view.RetryNote(w.server, c.now()))
			}
		})
	}
}

// server is one row of the list.
func (c *connector) server(s client.Server) fyne.CanvasObject {
	dot, hint := statusColor(s.Status), "trash"
	if s.Status == client.Failed {
		hint = "close"
	}
	path := newLabel(view.ServerCommand(s), 12, colorMuted).mono().elided()
	name := newLabel(s.Name, 14, colorText).strong().elided()
	names := vertical(3, name, path)
	count := view.ServerStatus(s)
	if s.Status == client.Connected {
		count = view.ToolCount(len(s.Tools))
	}
	pill := boxed(newPanel(colorSoft, colorNone, 11), margin{3, 10, 3, 10}, newLabel(count, 12, colorText).medium())
	remove := newButton(ghost, hint, "", func() {
		if c.OnDisconnect != nil {
			c.OnDisconnect(s)
		}
	}).small()
	line := horizontal(12, names, sized(8, 8, newPanel(dot, colorNone, 4)), names, newShield(s), pill, remove)
	parts := []fyne.CanvasObject{line}
	under := func(o fyne.CanvasObject) { parts = append(parts, inset(margin{2, 4, 0, 20}, o)) }
	if s.Status == client.Connected && view.ShieldOf(s) != view.ShieldNone && s.Sandbox.Confined() {
		under(newLabel(view.ReachLine(s), 12, colorMuted).elided())
	}
	for _, reason := range view.ParkedReasons(s) {
		under(newText(reason, 12, 18, colorWarn))
	}
	if view.StrayNote(s) != "" {
		under(newStrayBadge(c.tips, s, func() {
			if c.OnLog != nil {
				c.OnLog(s)
			}
		}))
	}
	if note := view.HabitNote(s); note != "" {
		under(newLabel(note, 12, colorMuted).elided())
	}
	if s.Status == client.Failed && !c.mine(s) {
		under(c.failed(s))
	}
	spot := newHotspot(12, func() {
		if c.OnVisit != nil {
			c.OnVisit(s)
		}
	})
	spot.rest(colorSurface, colorBorder)
	return container.New(margin{}, spot, inset(margin{10, 10, 10, 14}, vertical(6, parts...)))
}

// newStrayBadge says that a server prints where it should not, and what to do.
func newStrayBadge(tips *tips, s client.Server, tapped func()) fyne.CanvasObject {
	badge := newButton(outline, "alert", view.StrayNote(s), tapped).small()
	tips.name(badge, view.StrayAdvice(s), shortcut{})
	gap := newLabel("", 12, colorFaint).elided()
	return horizontal(0, gap, badge, gap)
}

// failed says why a server is not there any more.
func (c *connector) failed(s client.Server) fyne.CanvasObject {
	err := s.Err
	if err == nil {
		err = errors.New("the connection is lost")
	}
	if c.folded[s.ID] == nil {
		yes := true
		c.folded[s.ID] = &yes
	}
	why := c.why(s, c.folded[s.ID]).card(s, err)
	note := view.RetryNote(s, c.now())
	if note == "" {
		return why
	}
	words := newLabel(note, 12, colorMuted).medium().elided()
	c.waits = append(c.waits, countdown{s, words})
	return vertical(6, horizontal(8, words, newGlyph("clock", 14, colorMuted), words), why)
}

// why is the card of a server that does not run.
func (c *connector) why(s client.Server, folded *bool) whyFailed {
	f := whyFailed{folded: folded, OnResize: c.refit, OnCopy: func(text string) {
		if c.OnCopy != nil {
			c.OnCopy(text)
		}
	}, OnOpen: func(path string) {
		if c.OnOpen != nil {
			c.OnOpen(path)
		}
	}, OnBrowse: func() {
		if c.OnBrowse != nil {
			c.OnBrowse()
		}
	}}
	f.OnLink = c.OnLink
	if s.ID == "" {
		return f
	}
	f.OnBrowse = func() { c.OnReplace(s) }
	f.OnRestart = func() { c.OnRestart(s) }
	f.OnEdit = func() { c.OnSet(s) }
	f.OnLog = func() { c.OnLog(s) }
	f.OnLookIn = func(dir string) { c.OnLookIn(s, dir) }
	f.OnAllow = func(p sandbox.Permission) { c.OnAllow(s, p) }
	return f
}
