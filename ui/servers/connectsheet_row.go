package servers

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/sandbox"
	"goated/ui/confinement"
	"goated/ui/failure"
	"goated/ui/kit"
	"goated/ui/view"
)

// A countdown shows the time until a server restarts.
type countdown struct {
	server client.Server
	words  *kit.Label
}

// runCountdowns starts or stops the countdowns of servers that wait for a restart.
func (c *connectSheet) runCountdowns(on bool) {
	switch {
	case !on && c.ticker != nil:
		c.clock.Remove(c.ticker)
		c.ticker = nil
	case on && c.ticker == nil:
		c.ticker = c.clock.Add(5, func() {
			for _, w := range c.countdowns {
				w.words.Set(view.RetryNote(w.server, c.now()))
			}
		})
	}
}

// serverRow makes one row of the list.
func (c *connectSheet) serverRow(s client.Server) fyne.CanvasObject {
	dot, hint, means := statusColor(s.Status), "quit", "Disconnect" // the server stays saved, so a trash icon would be misleading
	if s.Status == client.Failed {
		hint, means = "close", "Remove from this list"
	}
	path := kit.NewLabel(view.ServerCommand(s), 12, kit.ColorMuted).Mono().Elided()
	name := kit.NewLabel(s.Name, 14, kit.ColorText).Strong().Elided()
	names := kit.Vertical(3, name, path)
	count := view.ServerStatus(s)
	if s.Status == client.Connected {
		count = view.ToolCount(len(s.Tools))
	}
	ground := kit.ColorSoft
	if s.Status == client.Failed {
		ground = kit.ColorBadSoft
	}
	pill := kit.Boxed(kit.NewPanel(ground, kit.ColorNone, 11), kit.Margin{Top: 3, Right: 10, Bottom: 3, Left: 10}, kit.NewLabel(count, 12, kit.ColorText).Medium())
	remove := kit.NewButton(kit.Ghost, hint, "", func() {
		if c.OnDisconnect != nil {
			c.OnDisconnect(s)
		}
	}).Small()
	c.tips.Name(remove, means, kit.Shortcut{})
	visit := func() {
		if c.OnVisit != nil {
			c.OnVisit(s)
		}
	}
	line := kit.Horizontal(12, names, kit.Sized(8, 8, kit.NewPanel(dot, kit.ColorNone, 4)), names, confinement.NewShield(s, c.tips, visit), pill, remove)
	parts := []fyne.CanvasObject{line}
	under := func(o fyne.CanvasObject) {
		parts = append(parts, kit.Inset(kit.Margin{Top: 2, Right: 4, Bottom: 0, Left: 20}, o))
	}
	if s.Status == client.Connected && view.ShieldOf(s) != view.ShieldNone && s.Sandbox.Confined() {
		under(kit.NewLabel(view.AccessLine(s), 12, kit.ColorMuted).Elided())
	}
	for _, reason := range view.UncallableReasons(s) {
		under(kit.NewText(reason, 12, 18, kit.ColorWarn))
	}
	if view.NonMessageNote(s) != "" {
		under(newStrayBadge(c.tips, s, func() {
			if c.OnLog != nil {
				c.OnLog(s)
			}
		}))
	}
	if note := view.OddOutputNote(s); note != "" {
		under(kit.NewLabel(note, 12, kit.ColorMuted).Elided())
	}
	if s.Status == client.Failed && !c.fromForm(s) {
		under(c.failureRow(s))
	}
	tap := kit.NewTappable(12, visit)
	tap.SetColors(kit.ColorSurface, kit.ColorBorder)
	return container.New(kit.Margin{}, tap, kit.Inset(kit.Margin{Top: 10, Right: 10, Bottom: 10, Left: 14}, kit.Vertical(6, parts...)))
}

// newStrayBadge makes a badge for a server that prints noise on stdout. Its tooltip explains
// how to fix this.
func newStrayBadge(tips *kit.Tooltips, s client.Server, tapped func()) fyne.CanvasObject {
	badge := kit.NewButton(kit.Outline, "alert", view.NonMessageNote(s), tapped).Small()
	tips.Name(badge, view.NonMessageAdvice(s), kit.Shortcut{})
	gap := kit.NewLabel("", 12, kit.ColorFaint).Elided()
	return kit.Horizontal(0, gap, badge, gap)
}

// failureRow shows why a server stopped.
func (c *connectSheet) failureRow(s client.Server) fyne.CanvasObject {
	err := s.Err
	if err == nil {
		err = errors.New("the connection is lost")
	}
	if c.folded[s.ID] == nil {
		yes := true
		c.folded[s.ID] = &yes
	}
	why := c.newCard(s, c.folded[s.ID]).Draw(s, err)
	note := view.RetryNote(s, c.now())
	if note == "" {
		return why
	}
	words := kit.NewLabel(note, 12, kit.ColorMuted).Medium().Elided()
	c.countdowns = append(c.countdowns, countdown{s, words})
	return kit.Vertical(6, kit.Horizontal(8, words, kit.NewIcon("clock", 14, kit.ColorMuted), words), why)
}

// newCard makes the card of a server that is not running.
func (c *connectSheet) newCard(s client.Server, folded *bool) failure.Card {
	f := failure.Card{Folded: folded, OnResize: c.Refit, OnCopy: func(text string) {
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
	if !c.others.Hidden {
		f.OnBrowse = func() { c.OnReplace(s) }
		f.OnEdit = func() { c.OnSet(s) }
	} else if view.DiagnosisOf(s.Err).Args.Variable != "" { // the server's form is already open and keeps what the user typed
		f.OnEdit = func() { c.last.why = s.Err; c.lead() }
	}
	f.OnRestart = func() { c.OnRestart(s) }
	f.OnBring = func(command string) fyne.CanvasObject { return c.OnBring(command, f.OnRestart) }
	f.OnLog = func() { c.OnLog(s) }
	f.OnLookIn = func(dir string) { c.OnLookIn(s, dir) }
	f.OnAllow = func(p sandbox.Permission) { c.OnAllow(s, p) }
	f.OnFree = func() { c.OnFree(s) }
	return f
}
