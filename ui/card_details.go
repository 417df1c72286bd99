package ui

import (
	"strings"

	"fyne.io/fyne/v2"

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
	log     *prose
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
		text := newText(c.item.Error, 13, 20, colorBad)
		parts = append(parts, boxed(newPanel(colorBadSoft, colorNone, 10), margin{9, 14, 9, 14},
			newRow(10, text, sized(16, 20, newGlyph("alert", 16, colorBad)))))
	}
	parts = append(parts, d.results...)
	if c.item.Open() && c.item.Log == "" {
		parts = append(parts, inset(margin{0, 4, 0, 4}, newText("There is no result yet.", 13, 20, colorMuted)))
	}
	d.item = c.item
	c.body.Objects = []fyne.CanvasObject{inset(margin{0, 14, 14, 14}, vertical(10, parts...))}
}

func (c *card) arguments() fyne.CanvasObject {
	if c.item.Given == nil {
		return inset(margin{0, 4, 0, 4}, newText("No arguments.", 13, 20, colorMuted))
	}
	return c.newSection(*c.item.Given).root
}

// talk is what the tool says, of which the last lines are in sight.
func (c *card) talk() fyne.CanvasObject {
	d := &c.details
	if d.logged == nil {
		d.log = newText("", 12, 19, colorMuted)
		d.log.style.Monospace = true
		d.logged = newListing("Log", d.log, func() { c.owner.copy(c.item.Log) })
	}
	lines := strings.Split(c.item.Log, "\n")
	lines = lines[max(len(lines)-logLines, 0):]
	for i, line := range lines {
		lines[i] = view.Shown(line)
	}
	d.log.setText(strings.Join(lines, "\n"))
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
		return vertical(6, head, c.newSection(p).root)
	}
	return c.newSection(p).root
}
