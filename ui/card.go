package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"goated/ui/view"
)

// A card is one tool call: closed it is one line and how far it is, open it
// shows the arguments, what the tool says while it runs, and the result.
type card struct {
	root, body *fyne.Container
	owner      *transcript
	item       view.Card
	open       bool
	picked     bool    // it is of what is selected
	details    details // what the body shows

	ground                              *panel
	halo                                *halo
	icon, mark, chevron                 *glyph
	tool, server, preview, took, status *label
	spin                                *spinner
	meter                               *meter
	way                                 *fyne.Container // of the meter
}

func newCard(owner *transcript, item view.Card) *card {
	c := &card{
		owner:   owner,
		ground:  newPanel(colorSurface, colorBorder, 12),
		halo:    newHalo(owner.clock),
		icon:    newGlyph("tool", 16, colorAccent),
		tool:    newLabel("", 14, colorText).strong(),
		server:  newLabel("", 13, colorFaint),
		preview: newLabel("", 12, colorFaint).mono().elided(),
		took:    newLabel("", 12, colorFaint),
		status:  newLabel("", 12, colorMuted).medium(),
		mark:    newGlyph("check", 16, colorGood),
		chevron: newGlyph("chevron-right", 14, colorFaint),
		spin:    newSpinner(owner.clock),
		meter:   newMeter(),
		body:    vertical(8),
	}
	c.body.Hide()
	badge := container.New(fixed{fyne.NewSize(30, 30)}, newPanel(colorSoft, colorNone, 8), c.icon)
	state := container.New(fixed{fyne.NewSize(16, 16)}, c.spin, c.mark)
	line := horizontal(10, c.preview, badge, c.tool, c.server, c.preview, c.took, c.status, state, c.chevron)
	head := container.New(fixed{fyne.NewSize(1, 48)}, newHotspot(12, c.toggle), inset(margin{0, 14, 0, 10}, line))
	c.way = inset(margin{0, 14, 12, 14}, c.meter)
	inner := vertical(0, head, c.way, c.body)
	c.root = container.New(margin{}, c.ground, inner, c.halo)
	c.spin.unseen = func() bool { return !owner.sees(c.root) }
	c.spin.OnTurn = func() { c.time(); c.meter.move() }
	c.halo.OnMove = c.settle
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
	c.preview.set("")
	if !c.open {
		c.preview.set(item.Preview())
	}
	running := item.Status == view.Running
	c.time()
	c.status.set(item.Status.String())
	c.spin.turn(running)
	c.mark.Hidden = running
	c.way.Hidden = !running || item.Progress <= 0 && item.Total <= 0
	c.meter.set(item.Progress, item.Total)
	switch item.Status {
	case view.Waiting:
		c.tint("clock", colorWarn)
	case view.Running:
		c.tint("check", colorAccent)
		if portion := view.Portion(item.Progress, item.Total); item.Total > 0 {
			c.status.set(portion)
		}
	case view.Complete:
		c.tint("check", colorGood)
	case view.Failed:
		c.tint("cross", colorBad)
	case view.Denied:
		c.tint("slash", colorMuted)
	}
	c.paint()
	if c.open {
		c.fill()
	}
}

// time shows how long the call took, or takes until now.
func (c *card) time() {
	took := c.item.Duration
	if c.item.Status == view.Running && !c.item.Began.IsZero() {
		took = c.owner.errands.clock().Sub(c.item.Began)
	}
	text := view.Duration(took)
	c.took.Hidden = text == ""
	if text == c.took.text {
		return
	}
	wide := c.took.MinSize().Width
	c.took.set(text)
	if c.took.MinSize().Width != wide && c.root.Size().Width > 0 {
		c.root.Layout.Layout(c.root.Objects, c.root.Size())
	}
}

func (c *card) tint(mark string, color fyne.ThemeColorName) {
	c.mark.set(mark, color)
	c.status.paint(color)
}

// paint gives the card its ground and its edge.
func (c *card) paint() {
	fill := colorSurface
	if c.picked {
		fill = theme.ColorNameSelection
	}
	c.ground.paint(fill, c.edge())
}

func (c *card) edge() fyne.ThemeColorName {
	if c.open {
		return colorEdge
	}
	return colorBorder
}

// glow marks that the call has come back: its edge lights up and fades, and the
// mark grows to its size.
func (c *card) glow() {
	color := colorBad
	if c.item.Status == view.Complete {
		color = colorGood
	}
	c.halo.light(color)
}

func (c *card) settle(step int) {
	if size := float32(min(10+2*step, 16)); size != c.mark.size {
		c.mark.size = size
		c.mark.Refresh()
		c.mark.Resize(c.mark.Size().AddWidthHeight(0, 1)) // its picture is laid out anew
		c.mark.Resize(c.mark.Size().SubtractWidthHeight(0, 1))
	}
}

// toggle opens or closes the card.
func (c *card) toggle() {
	c.open = !c.open
	c.body.Hidden = !c.open
	if c.open {
		c.preview.set("")
		c.chevron.set("chevron-down", colorFaint)
		c.fill()
	} else {
		c.preview.set(c.item.Preview())
		c.chevron.set("chevron-right", colorFaint)
	}
	c.paint()
	c.moved()
}

// moved lays the conversation out anew, and what was pressed stays where it is.
func (c *card) moved() {
	c.owner.stick = false
	c.owner.refit()
}
