package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"goated/ui/kit"
	"goated/ui/progress"
	"goated/ui/view"
	"goated/ui/view/format"
)

// A Card shows one tool call. A closed card is one line with the progress of the call. An open
// card shows the arguments, the log and the result.
type Card struct {
	root, body *fyne.Container
	owner      *Transcript
	Item       view.Card
	Open       bool
	picked     bool    // it is selected
	details    details // the content of body

	ground *kit.Panel
	Flash  *flash
	Head   cardHead
	Bar    *progress.Bar
	Way    *fyne.Container // holds Bar
	thumbs thumbs
}

func newCard(owner *Transcript, item view.Card) *Card {
	c := &Card{
		owner:  owner,
		ground: kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12),
		Flash:  newFlash(owner.clock),
		Bar:    progress.New(),
		body:   kit.Vertical(8),
	}
	c.body.Hide()
	spot := kit.NewTappable(12, c.Toggle)
	spot.OnMenu = func(at fyne.Position) { owner.Selection.menuFor(c.index(), at, "") }
	head := c.Head.build(owner.clock, spot, "tool")
	c.Way = kit.Inset(kit.Margin{Top: 0, Right: 14, Bottom: 12, Left: 14}, c.Bar)
	c.thumbs.root = kit.Inset(kit.Margin{Right: 14, Bottom: 12, Left: 50}, kit.Horizontal(8, nil))
	c.thumbs.root.Hide()
	inner := kit.Vertical(0, head, c.Way, c.thumbs.root, c.body)
	c.root = container.New(kit.Margin{}, c.ground, inner, c.Flash)
	c.Head.spin.Unseen = func() bool { return !owner.View.isListed(c.root) }
	c.Head.spin.OnTurn = func() { c.time(); c.Bar.Animate() }
	c.Flash.OnMove = c.settle
	c.Item.ID = item.ID
	c.show(item)
	return c
}

// index returns the index of the card among the items, or -1 if the card is gone.
func (c *Card) index() int {
	v := &c.owner.View
	for i := v.Made[0]; i < min(v.Made[1], len(v.Rows)); i++ {
		if v.Rows[i].Block == c {
			return i
		}
	}
	return -1
}

func (c *Card) Object() fyne.CanvasObject { return c.root }

func (c *Card) update(item view.Item) bool {
	next, ok := item.(view.Card)
	if !ok || next.ID != c.Item.ID {
		return false
	}
	if next != c.Item {
		closed := c.Item.Open() && !next.Open()
		c.show(next)
		if closed {
			c.flashEnd()
		}
	}
	return true
}

// updateServerName shows the current name of the server. The call records only the server's id.
func (c *Card) updateServerName() {
	name := c.Item.Server
	if of := c.owner.Actions.Server; of != nil {
		name = view.SingleLine(of(name))
	}
	c.Head.server.Set(format.Cut(name, 24))
}

func (c *Card) show(item view.Card) {
	c.Item = item
	c.Head.tool.Set(format.Cut(item.Heading(), 40))
	c.updateServerName()
	c.Head.preview.Set("")
	if !c.Open {
		c.Head.preview.Set(item.Preview())
	}
	running := item.Status == view.Running
	c.time()
	c.Head.Status.Set(item.Status.String())
	c.Head.spin.SetRunning(running)
	c.Head.Mark.Hidden = running
	c.Way.Hidden = !running || item.Progress <= 0 && item.Total <= 0
	c.Bar.Set(item.Progress, item.Total)
	switch item.Status {
	case view.Waiting:
		c.tint("clock", kit.ColorWarn)
	case view.Running:
		c.tint("check", kit.ColorAccent)
		if portion := view.ProgressText(item.Progress, item.Total); item.Total > 0 {
			c.Head.Status.Set(portion)
		}
	case view.Complete:
		c.tint("check", kit.ColorGood)
	case view.Failed:
		c.tint("cross", kit.ColorBad)
	case view.Denied, view.Stopped:
		c.tint("slash", kit.ColorMuted)
	}
	c.paint()
	c.thumb()
	if c.Open {
		c.fill()
	}
}

// time shows the duration of the call so far.
func (c *Card) time() {
	took := c.Item.Duration
	if c.Item.Status == view.Running && !c.Item.Began.IsZero() {
		took = c.owner.Actions.clock().Sub(c.Item.Began)
	}
	text := format.Duration(took)
	c.Head.Took.Hidden = text == ""
	if text == c.Head.Took.Text {
		return
	}
	wide := c.Head.Took.MinSize().Width
	c.Head.Took.Set(text)
	if c.Head.Took.MinSize().Width != wide && c.root.Size().Width > 0 {
		c.root.Layout.Layout(c.root.Objects, c.root.Size())
	}
}

func (c *Card) tint(mark string, color fyne.ThemeColorName) {
	c.Head.Mark.Set(mark, color)
	c.Head.Status.Paint(color)
}

// paint sets the background and the border.
func (c *Card) paint() {
	fill := kit.ColorSurface
	if c.picked {
		fill = theme.ColorNameSelection
	}
	c.ground.Paint(fill, c.edge())
}

func (c *Card) edge() fyne.ThemeColorName {
	if c.Item.Status == view.Waiting { // it waits for the user
		return kit.ColorEdge
	}
	return kit.ColorBorder
}

// flashEnd highlights the end of a call: the border flashes and the icon grows.
func (c *Card) flashEnd() {
	switch c.Item.Status {
	case view.Complete:
		c.Flash.light(kit.ColorGood)
	case view.Failed:
		c.Flash.light(kit.ColorBad)
	}
}

func (c *Card) settle(step int) {
	if size := float32(min(10+2*step, 16)); size != c.Head.Mark.Side {
		c.Head.Mark.Side = size
		c.Head.Mark.Refresh()
		c.Head.Mark.Resize(c.Head.Mark.Size().AddWidthHeight(0, 1)) // forces a layout of its image
		c.Head.Mark.Resize(c.Head.Mark.Size().SubtractWidthHeight(0, 1))
	}
}

// Toggle opens or closes the card.
func (c *Card) Toggle() {
	c.Open = !c.Open
	c.body.Hidden = !c.Open
	c.thumb()
	if c.Open {
		c.Head.preview.Set("")
		c.Head.chevron.Set("chevron-down", kit.ColorFaint)
		c.fill()
	} else {
		c.Head.preview.Set(c.Item.Preview())
		c.Head.chevron.Set("chevron-right", kit.ColorFaint)
	}
	c.paint()
	c.relayout()
}

// relayout lays out the conversation again without moving the card on the screen.
func (c *Card) relayout() {
	c.owner.View.Stick = false
	c.owner.View.refit()
}
