package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/view"
)

// newFilePart says what a sound, a resource or a link to one is. Nothing is ever
// fetched: a link is only text to copy.
func (c *card) newFilePart(icon string, p view.Part) fyne.CanvasObject {
	name := p.Name
	if name == "" {
		name = p.Title
	}
	title := newLabel(view.Cut(name, 80), 13, colorText).strong().elided()
	words := vertical(3, title)
	facts := p
	facts.Name = ""
	known := facts.Facts()
	ending, length := view.Sound(p.Data)
	if length > 0 {
		known = append(known, view.Clock(length))
	}
	if line := strings.Join(known, " · "); line != "" {
		if p.Name != "" {
			line = p.Title + " · " + line
		}
		words.Add(newLabel(line, 12, colorMuted).elided())
	}
	if p.URI != "" {
		words.Add(newLabel(view.Shown(view.Cut(p.URI, 300)), 12, colorMuted).mono().elided())
	}
	if p.About != "" {
		about, _ := view.Clip(p.About, 2000, 20)
		words.Add(newText(about, 13, 20, colorMuted))
	}
	objects := []fyne.CanvasObject{container.New(fixed{fyne.NewSize(34, 34)}, newPanel(colorSoft, colorNone, 8), newGlyph(icon, 17, colorAccent)), words}
	if play := c.owner.errands.play; ending != "" && play != nil {
		objects = append(objects, newButton(outline, "play", "Play", func() { play(p.Data) }).small())
	}
	if p.URI != "" {
		objects = append(objects, newButton(ghost, "copy", "Copy URI", func() { c.owner.copy(p.URI) }).small())
	}
	if p.Data != nil {
		objects = append(objects, c.saver(p))
	}
	return boxed(newPanel(colorSunken, colorBorder, 10), margin{10, 8, 10, 12}, horizontal(12, words, objects...))
}

// imagePart is an image with what is known of it.
func (c *card) imagePart(p view.Part) fyne.CanvasObject {
	about := newLabel(strings.Join(append([]string{p.Title}, p.Facts()...), " · "), 12, colorFaint).elided()
	img := newFigure(p.Data, c.owner.errands)
	ready := false
	img.OnReady = func(size string) {
		if size != "" {
			about.set(about.text + " · " + size)
		}
		if ready {
			c.owner.refit()
		}
	}
	if img.size.Width > 0 { // it was read at once
		img.OnReady(img.about)
	}
	ready = true
	head := inset(margin{4, 5, 0, 14}, horizontal(8, about, about, c.saver(p)))
	return boxed(newPanel(colorSunken, colorBorder, 10), margin{}, vertical(0, head, inset(margin{4, 14, 14, 14}, img.root)))
}

func (c *card) saver(p view.Part) *button {
	return newButton(ghost, "save", "Save…", func() {
		if c.owner.errands.save != nil {
			c.owner.errands.save(p.FileName(c.item.Tool), p.Data)
		}
	}).small()
}
