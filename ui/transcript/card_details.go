package transcript

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
	"goated/ui/result"
	"goated/ui/section"
	"goated/ui/view"
	"goated/ui/view/format"
)

// logLines is the number of visible log lines of a running tool.
const logLines = 10

// details are the parts of an open card. A part is created again only after its content changed,
// so folded nodes stay folded while the tool runs.
type details struct {
	item    view.Card // the shown state
	given   fyne.CanvasObject
	log     *kit.Paragraph
	logged  fyne.CanvasObject
	results []fyne.CanvasObject

	arguments *section.Section   // within given; nil if there are none
	sections  []*section.Section // within results; nil for a result without a section
}

// fill updates the changed parts of the body.
func (c *Card) fill() {
	d := &c.details
	if d.given == nil || d.item.Arguments != c.Item.Arguments {
		d.given = c.arguments()
	}
	if d.results == nil || d.item.Status != c.Item.Status || d.item.Content != c.Item.Content || d.item.Result != c.Item.Result {
		d.results, d.sections = c.contents()
	}
	parts := []fyne.CanvasObject{d.given}
	if c.Item.Log != "" {
		parts = append(parts, c.drawLog())
	}
	if c.Item.Error != "" {
		text := kit.NewText(c.Item.Error, 13, 20, kit.ColorBad)
		parts = append(parts, kit.Boxed(kit.NewPanel(kit.ColorBadSoft, kit.ColorNone, 10), kit.Margin{Top: 9, Right: 14, Bottom: 9, Left: 14},
			newRow(text, kit.Sized(16, 20, kit.NewIcon("alert", 16, kit.ColorBad)))))
	}
	if row := c.failureActions(); len(row.Objects) > 0 {
		parts = append(parts, row)
	}
	parts = append(parts, d.results...)
	if c.Item.Received != "" {
		parts = append(parts, receivedLine(c.Item.Received))
	}
	if c.Item.Open() && c.Item.Log == "" {
		parts = append(parts, kit.Inset(kit.Margin{Top: 0, Right: 4, Bottom: 0, Left: 4}, kit.NewText("No result yet.", 13, 20, kit.ColorMuted)))
	}
	d.item = c.Item
	c.body.Objects = []fyne.CanvasObject{kit.Inset(kit.Margin{Top: 0, Right: 14, Bottom: 14, Left: 14}, kit.Vertical(10, parts...))}
}

// failureActions returns the buttons that lead from a failed call to its cause.
func (c *Card) failureActions() *fyne.Container {
	row := kit.Horizontal(6, nil)
	offer := func(icon, text string, find func(view.Card) func()) {
		if c.Item.Status == view.Failed && c.Item.Server != "" && find != nil && find(c.Item) != nil {
			row.Add(kit.NewButton(kit.Ghost, icon, text, find(c.Item)).Small())
		}
	}
	offer("list", "Open log", c.owner.Actions.Log)
	offer("activity", "Show in Inspector", c.owner.Actions.Inspect)
	return row
}

// receivedLine shows how much of a long result the model received.
func receivedLine(text string) fyne.CanvasObject {
	words := kit.NewText(text, 13, 20, kit.ColorText)
	return kit.Boxed(kit.NewPanel(kit.ColorSoft, kit.ColorNone, 10), kit.Margin{Top: 9, Right: 14, Bottom: 9, Left: 14},
		newRow(words, kit.Sized(16, 20, kit.NewIcon("info", 15, kit.ColorAccent))))
}

func (c *Card) arguments() fyne.CanvasObject {
	given := c.given()
	if c.Item.Heading() == c.Item.Tool {
		return given
	}
	raw := kit.Horizontal(8, nil, kit.NewLabel("Tool", 12, kit.ColorMuted), kit.NewLabel(format.Cut(c.Item.Tool, 80), 12, kit.ColorMuted).Mono())
	return kit.Vertical(6, kit.Inset(kit.Margin{Top: 0, Right: 4, Bottom: 0, Left: 4}, raw), given)
}

// given shows the arguments of the call.
func (c *Card) given() fyne.CanvasObject {
	if c.Item.Given == nil {
		return kit.Inset(kit.Margin{Top: 0, Right: 4, Bottom: 0, Left: 4}, kit.NewText("No arguments.", 13, 20, kit.ColorMuted))
	}
	c.details.arguments = c.newSection(*c.Item.Given)
	return c.details.arguments.Root
}

// drawLog shows the last lines of the tool's log.
func (c *Card) drawLog() fyne.CanvasObject {
	d := &c.details
	if d.logged == nil {
		d.log = kit.NewText("", 12, 19, kit.ColorMuted)
		d.log.Style.Monospace = true
		d.logged = kit.NewListing("Log", d.log, func() { c.owner.copy(c.Item.Log) })
	}
	lines := strings.Split(c.Item.Log, "\n")
	lines = lines[max(len(lines)-logLines, 0):]
	for i, line := range lines {
		lines[i] = view.SingleLine(line)
	}
	d.log.SetText(strings.Join(lines, "\n"))
	return d.logged
}

// contents returns the parts of the result in the tool's order, with their sections.
func (c *Card) contents() (out []fyne.CanvasObject, sections []*section.Section) {
	for _, p := range c.Item.Parts() {
		o, s := c.part(p)
		out, sections = append(out, o), append(sections, s)
	}
	return out, sections
}

// part returns a part of the result, and its section if it has one.
func (c *Card) part(p view.Part) (fyne.CanvasObject, *section.Section) {
	do := c.owner.Actions
	h := result.Host{Host: c.sectionHost(), Play: do.Play, Open: c.owner.open, Show: do.Show, Resized: c.owner.View.refit}
	if do.Read != nil {
		h.Read = func(link view.Part) { do.Read(c.Item.Server, link) }
	}
	return result.Draw(p, h)
}

func (c *Card) newSection(p view.Part) *section.Section { return section.New(p, c.sectionHost()) }

func (c *Card) sectionHost() section.Host {
	do := c.owner.Actions
	return section.Host{Runner: do.Runner, Clock: c.owner.clock, Name: c.Item.Tool, Copy: c.owner.copy,
		Save: do.Save, View: do.View, Past: func(e *fyne.ScrollEvent) { c.owner.View.Scroll.Scroll.Scrolled(e) }, Moved: c.relayout}
}

// newRow places objects beside a text, which comes last.
func newRow(text *kit.Paragraph, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(kit.Row{Gap: 10, Flex: text, Top: true}, append(objects, text)...)
}
