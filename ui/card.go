package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/view"
)

// A card shows more than this of arguments or a result to nobody: drawing it
// would freeze the window, and reading it would take all day. Copying takes all.
const (
	cardBytes = 16 << 10
	cardLines = 200
)

// A card is one tool call: closed it is one line, open it shows the arguments
// and the result.
type card struct {
	root, body *fyne.Container
	owner      *transcript
	item       view.Card
	open       bool

	ground                              *panel
	icon, mark, chevron                 *glyph
	tool, server, preview, took, status *label
	spin                                *spinner
	flash                               *beat
	drawn                               view.Card // what the body shows
}

func newCard(owner *transcript, item view.Card) *card {
	c := &card{
		owner:   owner,
		ground:  newPanel(colorSurface, colorBorder, 12),
		icon:    newGlyph("tool", 16, colorAccent),
		tool:    newLabel("", 14, colorText).strong(),
		server:  newLabel("", 13, colorFaint),
		preview: newLabel("", 12, colorFaint).mono().elided(),
		took:    newLabel("", 12, colorFaint),
		status:  newLabel("", 12, colorMuted).medium(),
		mark:    newGlyph("check", 16, colorGood),
		chevron: newGlyph("chevron-right", 14, colorFaint),
		spin:    newSpinner(owner.clock),
		body:    vertical(8),
	}
	c.body.Hide()
	badge := container.New(fixed{fyne.NewSize(30, 30)}, newPanel(colorSoft, colorNone, 8), c.icon)
	line := horizontal(10, c.preview, badge, c.tool, c.server, c.preview, c.took, c.status, c.spin, c.mark, c.chevron)
	head := container.New(fixed{fyne.NewSize(1, 48)}, newHotspot(12, c.toggle), inset(margin{0, 14, 0, 10}, line))
	c.root = container.New(margin{}, c.ground, vertical(0, head, c.body))
	c.item.ID = item.ID
	c.show(item)
	return c
}

func (c *card) object() fyne.CanvasObject { return c.root }

func (c *card) update(item view.Item) bool {
	next, ok := item.(view.Card)
	if !ok || next.ID != c.item.ID {
		return false
	}
	if next != c.item {
		closed := c.item.Open() && !next.Open()
		c.show(next)
		if closed {
			c.glow()
		}
	}
	return true
}

func (c *card) show(item view.Card) {
	c.item = item
	c.tool.set(view.Cut(item.Tool, 40))
	c.server.set(view.Cut(item.Server, 24))
	c.preview.set(item.Preview())
	c.took.set(view.Duration(item.Duration))
	c.took.Hidden = item.Duration <= 0
	c.status.set(item.Status.String())
	c.spin.turn(item.Status == view.Running)
	c.mark.Hidden = item.Status == view.Running
	switch item.Status {
	case view.Waiting:
		c.tint("clock", colorWarn)
	case view.Running:
		c.tint("check", colorAccent)
	case view.Complete:
		c.tint("check", colorGood)
	case view.Failed:
		c.tint("cross", colorBad)
	case view.Denied:
		c.tint("slash", colorMuted)
	}
	c.ground.paint(colorSurface, c.edge())
	if c.open {
		c.fill()
	}
}

func (c *card) tint(mark string, color fyne.ThemeColorName) {
	c.mark.set(mark, color)
	c.status.paint(color)
}

func (c *card) edge() fyne.ThemeColorName {
	switch {
	case c.flash != nil && c.item.Status == view.Complete:
		return colorGood
	case c.flash != nil:
		return colorBad
	case c.open:
		return colorEdge
	}
	return colorBorder
}

// glow marks for half a second that the call has come back.
func (c *card) glow() {
	if c.flash != nil {
		return
	}
	c.flash = c.owner.clock.add(5, func() {
		c.owner.clock.remove(c.flash)
		c.flash = nil
		c.ground.paint(colorSurface, c.edge())
	})
	c.ground.paint(colorSurface, c.edge())
}

// toggle opens or closes the card.
func (c *card) toggle() {
	c.open = !c.open
	c.body.Hidden = !c.open
	c.preview.Hidden = false
	if c.open {
		c.preview.set("")
		c.chevron.set("chevron-down", colorFaint)
		c.fill()
	} else {
		c.preview.set(c.item.Preview())
		c.chevron.set("chevron-right", colorFaint)
	}
	c.ground.paint(colorSurface, c.edge())
	c.owner.stick = false // what was pressed must not move away
	c.owner.refit()
}

// fill draws the body anew if what it shows has changed.
func (c *card) fill() {
	c.preview.set("")
	if c.drawn == c.item {
		return
	}
	c.drawn = c.item
	parts := []fyne.CanvasObject{c.section("Arguments", c.item.Arguments, colorText)}
	if c.item.Error != "" {
		text := newText(c.item.Error, 13, 20, colorBad)
		parts = append(parts, inset(margin{4, 4, 2, 4}, text))
	}
	if c.item.Result != "" {
		parts = append(parts, c.section("Result", c.item.Result, colorText))
	}
	if c.item.Open() {
		parts = append(parts, inset(margin{2, 4, 2, 4}, newText("There is no result yet.", 13, 20, colorMuted)))
	}
	c.body.Objects = []fyne.CanvasObject{inset(margin{0, 14, 14, 14}, vertical(10, parts...))}
}

func (c *card) section(name, text string, color fyne.ThemeColorName) fyne.CanvasObject {
	shown, note := view.Clip(text, cardBytes, cardLines)
	body := newText(shown, 12, 18, color)
	body.style.Monospace = true
	listing := newListing(name, body, func() { c.owner.copy(text) })
	if note == "" {
		return listing
	}
	return vertical(4, listing, inset(margin{0, 4, 0, 4}, newText(note+". Copy takes all of it.", 12, 18, colorMuted)))
}
