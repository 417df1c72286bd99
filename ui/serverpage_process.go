package ui

import (
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/ui/view"
)

// logPage is what the server last wrote to its stderr.
func (b *serverBook) logPage() fyne.CanvasObject {
	lines := b.server.Stderr
	page := vertical(12)
	if b.server.Err != nil {
		words := newText(view.Sentence(b.server.Err.Error()), 13, 20, colorBad)
		page.Add(container.New(row{gap: 8, flex: words, top: true}, sized(16, 20, newGlyph("alert", 15, colorBad)), words))
		if why := view.Why(b.server.Err); why != "" {
			page.Add(newText(why, 13, 20, colorText))
		}
		if advice := client.Advice(b.server.Err); advice != "" {
			page.Add(newText(advice, 13, 20, colorMuted))
		}
		if mend := view.Mend(b.server.Err); mend != "" {
			page.Add(mendListing(mend, func() { b.w.copy(mend) }))
		}
	}
	if note := view.StrayNote(b.server); note != "" {
		page.Add(newText(note, 13, 20, colorWarn))
	}
	if w := b.w; w.options.Host != nil {
		if all := w.options.Host.Log(b.server.ID); len(all) > 0 {
			lines = all
		}
	}
	if len(lines) == 0 {
		page.Add(emptyNote("list", "The server has written nothing yet. What it writes to stderr appears here at once."))
		return page
	}
	text := strings.Join(lines, "\n")
	body := newText(text, 12, 18, colorText)
	body.style.Monospace = true
	page.Add(newListing("stderr, the last lines", body, func() { b.w.copy(text) }))
	return page
}

// mask stands for a value that is not shown.
const mask = "••••••••"

// processPage is how the server runs: its command, and its environment.
func (b *serverBook) processPage() fyne.CanvasObject {
	w, s := b.w, b.server
	how := []fyne.CanvasObject{facts("Command", view.ServerCommand(s), "Prefix", s.ID+"__")}
	if !s.Bundled {
		l := view.Launch{Path: s.Path, Args: s.Args}
		o := newOption(boxMark, "Start with goated", w.settings.AtLaunch(l), nil)
		o.OnChange = func() { w.change(w.settings.Start(l, o.on)) }
		how = append(how, o.root)
	}
	list := vertical(0)
	if w.options.Host != nil {
		for _, v := range w.options.Host.Environment(s.ID) {
			list.Add(b.variable(v))
		}
	}
	if len(list.Objects) == 0 {
		list.Add(emptyNote("server", "Nothing of it is known while the server is not running."))
	}
	return vertical(26, chapter("How it runs", "", how...),
		chapter("Environment", "All that the server is given: a few of your variables, and what was set for it. Keys of yours are not among them.", list))
}

// variable is one line of the environment. What was set for the server may be a
// secret, so it is shown on request.
func (b *serverBook) variable(v client.Variable) fyne.CanvasObject {
	name := newLabel(v.Name, 12, colorText).mono().elided()
	value := newLabel(firstOf(v.Value, "(empty)"), 12, colorMuted).mono().elided()
	parts := []fyne.CanvasObject{sized(190, 30, name), value}
	if v.Set {
		if !b.unmasked[v.Name] {
			value.set(mask)
		}
		word := newLabel("set for it", 11, colorFaint)
		parts = append(parts, word, newButton(ghost, "eye", "", func() {
			b.unmasked[v.Name] = !b.unmasked[v.Name]
			b.draw(serverProcess)
		}).small())
	}
	return vertical(0, container.New(row{gap: 10, flex: value}, parts...), newLine())
}
