package ui

import (
	"strings"

	"fyne.io/fyne/v2"

	"goated/ui/kit"
	"goated/ui/view"
)

// logLines is how many lines of a tool that runs are in sight.
const logLines = 10

// The details are the parts of an open card. Each is made once and kept for as
// long as what it shows is the same, so that nothing folds up while a tool still
// talks.
type details struct {
	item    view.Card // as shown
	given   fyne.CanvasObject
	log     *kit.Paragraph
	logged  fyne.CanvasObject
	results []fyne.CanvasObject
}

// fill draws what has changed of the body.
func (c *card) fill() {
	d := &c.details
	if d.given == nil || d.item.Arguments != c.item.Arguments {
		d.given = c.arguments()
	}
	if d.results == nil || d.item.Content != c.item.Content || d.item.Result != c.item.Result {
		d.results = c.contents()
	}
	parts := []fyne.CanvasObject{d.given}
	if c.item.Log != "" {
		parts = append(parts, c.talk())
	}
	if c.item.Error != "" {
		text := kit.NewText(c.item.Error, 13, 20, kit.ColorBad)
		parts = append(parts, kit.Boxed(kit.NewPanel(kit.ColorBadSoft, kit.ColorNone, 10), kit.Margin{Top: 9, Right: 14, Bottom: 9, Left: 14},
			newRow(10, text, kit.Sized(16, 20, kit.NewIcon("alert", 16, kit.ColorBad)))))
	}
	parts = append(parts, d.results...)
	if c.item.Open() && c.item.Log == "" {
		parts = append(parts, kit.Inset(kit.Margin{Top: 0, Right: 4, Bottom: 0, Left: 4}, kit.NewText("There is no result yet.", 13, 20, kit.ColorMuted)))
	}
	d.item = c.item
	c.body.Objects = []fyne.CanvasObject{kit.Inset(kit.Margin{Top: 0, Right: 14, Bottom: 14, Left: 14}, kit.Vertical(10, parts...))}
}

func (c *card) arguments() fyne.CanvasObject {
	if c.item.Given == nil {
		return kit.Inset(kit.Margin{Top: 0, Right: 4, Bottom: 0, Left: 4}, kit.NewText("No arguments.", 13, 20, kit.ColorMuted))
	}
	return c.newSection(*c.item.Given).root
}

// talk is what the tool says, of which the last lines are in sight.
func (c *card) talk() fyne.CanvasObject {
	d := &c.details
	if d.logged == nil {
		d.log = kit.NewText("", 12, 19, kit.ColorMuted)
		d.log.Style.Monospace = true
		d.logged = kit.NewListing("Log", d.log, func() { c.owner.copy(c.item.Log) })
	}
	lines := strings.Split(c.item.Log, "\n")
	lines = lines[max(len(lines)-logLines, 0):]
	for i, line := range lines {
		lines[i] = view.Shown(line)
	}
	d.log.SetText(strings.Join(lines, "\n"))
	return d.logged
}

// contents are the parts of the result, as the tool gave them.
func (c *card) contents() []fyne.CanvasObject {
	var parts []view.Part
	switch {
	case c.item.Content != nil:
		parts = c.item.Content.Parts
	case c.item.Result != "":
		parts = []view.Part{view.TextOf("Result", c.item.Result)}
	}
	out := make([]fyne.CanvasObject, 0, len(parts))
	for i, p := range parts {
		if i == maxParts {
			rest := view.TextOf("Result", c.item.Result)
			rest.Root, rest.Grid = nil, nil
			out = append(out, c.newSection(rest).root)
			break
		}
		out = append(out, c.part(p))
	}
	return out
}

// maxParts is how many parts of a result are drawn each by itself.
const maxParts = 30

func (c *card) part(p view.Part) fyne.CanvasObject {
	switch p.Kind {
	case view.ImagePart:
		return c.imagePart(p)
	case view.AudioPart:
		return c.newFilePart("sound", p)
	case view.LinkPart:
		return c.newFilePart("chain", p)
	case view.ResourcePart:
		head := c.newFilePart("file", p)
		if p.Text == "" {
			return head
		}
		p.Title = "Text"
		return kit.Vertical(6, head, c.newSection(p).root)
	}
	return c.newSection(p).root
}
