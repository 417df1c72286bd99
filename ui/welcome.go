package ui

import (
	"fmt"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// firstPrompt is what the welcome has a person try: it needs no key, and asks
// for no permission, since the tool only reads.
const firstPrompt = "List the files in ."

// welcome greets a person who has never been here.
func (w *Window) welcome() {
	if !w.settings.Welcomed && w.options.Save != nil {
		w.openWelcome()
	}
}

// openWelcome shows three ways to begin. It is shown once by itself.
func (w *Window) openWelcome() {
	mark := newMark()
	hello := newLabel("Welcome to goated", 24, colorText).strong()
	hello.centre = true
	lead := newLead("Tools of your computer, in a conversation. They run here, and ask you first.", 552)
	var s *sheet
	leave := func(then func()) func() {
		return func() {
			s.OnClose()
			if then != nil {
				then()
			}
		}
	}
	try := newButton(primary, "", "Try", leave(func() {
		w.composer.fill(firstPrompt)
		focus(w.composer.input)
	}))
	steps := vertical(10,
		welcomeStep("play", "Try it now", fmt.Sprintf("No key is needed. This writes “%s” for you; press Enter to send it.", firstPrompt), try),
		welcomeStep("key", "Let Gemini answer", "With a key of your own, a model understands what you say and uses the tools by itself.",
			newButton(outline, "", "Add a key", leave(func() { w.openSettings(settingsModel) }))),
		welcomeStep("plug", "Connect a tool", "Any MCP server: a script that ends in .py, .js or .go. You can also drag it onto the window.",
			newButton(outline, "", "Connect", leave(w.connect))))
	keys := newLabel("finds everything else, by a few letters of its name", 12, colorFaint).elided()
	body := vertical(0,
		container.New(measure{width: 56}, sized(56, 56, mark)),
		inset(margin{16, 0, 8, 0}, hello),
		lead,
		inset(margin{22, 0, 0, 0}, steps),
		inset(margin{18, 2, 2, 2}, horizontal(10, keys, newKeys(held(fyne.KeyK)), keys)))
	s = newSheet(600, "", body, nil)
	s.first = try // Enter, and Enter again, is the first tool call
	s.OnClose = func() {
		w.shut(s)
		if !w.settings.Welcomed {
			next := w.settings
			next.Welcomed = true
			w.change(next)
		}
	}
	w.open(s)
}

// welcomeStep is one way to begin.
func welcomeStep(icon, title, remark string, do *button) fyne.CanvasObject {
	words := vertical(2, newLabel(title, 15, colorText).strong(), newText(remark, 13, 19, colorMuted))
	mark := sized(40, 40, boxed(newPanel(colorSoft, colorNone, 20), margin{}, newGlyph(icon, 18, colorAccent)))
	return boxed(newPanel(colorSurface, colorBorder, 14), margin{14, 16, 14, 16},
		horizontal(16, words, mark, words, do))
}
