package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"goated/ui/kit"
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

	ground                              *kit.Panel
	halo                                *halo
	icon, mark, chevron                 *kit.Icon
	tool, server, preview, took, status *kit.Label
	spin                                *kit.Spinner
	meter                               *meter
	way                                 *fyne.Container // of the meter
}

func newCard(owner *transcript, item view.Card) *card {
	c := &card{
		owner:   owner,
		ground:  kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12),
		halo:    newHalo(owner.clock),
		icon:    kit.NewIcon("tool", 16, kit.ColorAccent),
		tool:    kit.NewLabel("", 14, kit.ColorText).Strong(),
		server:  kit.NewLabel("", 13, kit.ColorFaint),
		preview: kit.NewLabel("", 12, kit.ColorFaint).Mono().Elided(),
		took:    kit.NewLabel("", 12, kit.ColorFaint),
		status:  kit.NewLabel("", 12, kit.ColorMuted).Medium(),
		mark:    kit.NewIcon("check", 16, kit.ColorGood),
		chevron: kit.NewIcon("chevron-right", 14, kit.ColorFaint),
		spin:    kit.NewSpinner(owner.clock),
		meter:   newMeter(),
		body:    kit.Vertical(8),
	}
	c.body.Hide()
	badge := container.New(kit.Fixed{Least: fyne.NewSize(30, 30)}, kit.NewPanel(kit.ColorSoft, kit.ColorNone, 8), c.icon)
	state := container.New(kit.Fixed{Least: fyne.NewSize(16, 16)}, c.spin, c.mark)
	line := kit.Horizontal(10, c.preview, badge, c.tool, c.server, c.preview, c.took, c.status, state, c.chevron)
	head := container.New(kit.Fixed{Least: fyne.NewSize(1, 48)}, kit.NewTappable(12, c.toggle), kit.Inset(kit.Margin{Top: 0, Right: 14, Bottom: 0, Left: 10}, line))
	c.way = kit.Inset(kit.Margin{Top: 0, Right: 14, Bottom: 12, Left: 14}, c.meter)
	inner := kit.Vertical(0, head, c.way, c.body)
	c.root = container.New(kit.Margin{}, c.ground, inner, c.halo)
	c.spin.Unseen = func() bool { return !owner.sees(c.root) }
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
	c.tool.Set(view.Cut(item.Tool, 40))
	c.server.Set(view.Cut(item.Server, 24))
	c.preview.Set("")
	if !c.open {
		c.preview.Set(item.Preview())
	}
	running := item.Status == view.Running
	c.time()
	c.status.Set(item.Status.String())
	c.spin.Turn(running)
	c.mark.Hidden = running
	c.way.Hidden = !running || item.Progress <= 0 && item.Total <= 0
	c.meter.set(item.Progress, item.Total)
	switch item.Status {
	case view.Waiting:
		c.tint("clock", kit.ColorWarn)
	case view.Running:
		c.tint("check", kit.ColorAccent)
		if portion := view.Portion(item.Progress, item.Total); item.Total > 0 {
			c.status.Set(portion)
		}
	case view.Complete:
		c.tint("check", kit.ColorGood)
	case view.Failed:
		c.tint("cross", kit.ColorBad)
	case view.Denied:
		c.tint("slash", kit.ColorMuted)
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
	if text == c.took.Text {
		return
	}
	wide := c.took.MinSize().Width
	c.took.Set(text)
	if c.took.MinSize().Width != wide && c.root.Size().Width > 0 {
		c.root.Layout.Layout(c.root.Objects, c.root.Size())
	}
}

func (c *card) tint(mark string, color fyne.ThemeColorName) {
	c.mark.Set(mark, color)
	c.status.Paint(color)
}

// paint gives the card its ground and its edge.
func (c *card) paint() {
	fill := kit.ColorSurface
	if c.picked {
		fill = theme.ColorNameSelection
	}
	c.ground.Paint(fill, c.edge())
}

func (c *card) edge() fyne.ThemeColorName {
	if c.open {
		return kit.ColorEdge
	}
	return kit.ColorBorder
}

// glow marks that the call has come back: its edge lights up and fades, and the
// mark grows to its size.
func (c *card) glow() {
	color := kit.ColorBad
	if c.item.Status == view.Complete {
		color = kit.ColorGood
	}
	c.halo.light(color)
}

func (c *card) settle(step int) {
	if size := float32(min(10+2*step, 16)); size != c.mark.Side {
		c.mark.Side = size
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
		c.preview.Set("")
		c.chevron.Set("chevron-down", kit.ColorFaint)
		c.fill()
	} else {
		c.preview.Set(c.item.Preview())
		c.chevron.Set("chevron-right", kit.ColorFaint)
	}
	c.paint()
	c.moved()
}

// moved lays the conversation out anew, and what was pressed stays where it is.
func (c *card) moved() {
	c.owner.stick = false
	c.owner.refit()
}
