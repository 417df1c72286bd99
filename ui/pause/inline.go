package pause

import (
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/servers/pause/dialog"
	"goated/ui/kit"
	"goated/ui/shell"
)

// A Card is a dialog in a conversation, at the call that asks. It looks like the other questions
// there, but never has the shield. Its methods belong to the UI goroutine.
type Card struct {
	*card
	root *fyne.Container
}

// leastHeight is the minimal height of the body of a card.
const leastHeight = 160

// longest is the maximal length of a question that fits into the head of a card, in characters.
const longest = 48

// NewCard draws a dialog for a conversation. room returns the height that is available for the
// card. A longer dialog scrolls between its head and its buttons. resized runs when the height
// may have changed.
func NewCard(sh *shell.Shell, d Dialog, room func() float32, resized func()) *Card {
	c := &Card{card: newCard(sh, d, resized)}
	name := title(d.Question)
	parts := []fyne.CanvasObject{c.main, c.words, c.fault}
	if text := Asked(d.Question); utf8.RuneCountInString(text) <= longest && text == unmarked(d.Question.Kind(), d.Question.Subject()) {
		name = text
	} else {
		parts = append([]fyne.CanvasObject{c.subject()}, parts...)
	}
	note := kit.NewLabel(tool(d.Question.Kind())+" · "+asks(d), 12, kit.ColorMuted).Elided()
	head := container.New(kit.Fixed{Min: fyne.NewSize(1, 52)}, kit.Inset(kit.Margin{Right: 14, Left: 10},
		d.Count.In(kit.Horizontal(10, note, icon(), kit.NewLabel(name, 14, kit.ColorText).Strong(), note, d.Count.Button))))
	buttons, _ := c.foot()
	foot := kit.Inset(kit.Margin{Top: 12, Right: 12, Bottom: 12, Left: 15}, buttons)
	body := kit.NewCardBody(kit.Inset(kit.Margin{Top: 12, Right: 16, Bottom: 14, Left: 16}, kit.Vertical(12, parts...)), room, leastHeight, nil)
	panel := kit.NewPanel(kit.ColorSurface, kit.ColorEdge, 12)
	panel.Shadow = true
	c.root = container.New(kit.Margin{}, panel, kit.Vertical(0, head, kit.NewLine(), body.Root, kit.NewLine(), foot))
	return c
}

// tool returns the name for a kind of dialog in the first line of its card.
func tool(k dialog.Kind) string {
	switch k {
	case dialog.KindPlanner:
		return "Planner"
	case dialog.KindTextInput:
		return "Text"
	case dialog.KindScreenshot:
		return "Screenshot"
	case dialog.KindConfirm:
		return "Yes or no"
	}
	return "Choice"
}

// Object returns the widget of the card.
func (c *Card) Object() fyne.CanvasObject { return c.root }

// Listed returns the entry for the list of waiting questions. The list adds the conversation.
func (c *Card) Listed() shell.Entry {
	e := c.Dialog.Listed()
	e.Who = tool(c.Question.Kind()) + " · The model"
	return e
}

// Preview returns a short text for the list of conversations.
func (c *Card) Preview() string { return "Asks: " + Asked(c.Question) }

// Hint describes the keys.
func (c *Card) Hint() string {
	keys, esc := c.body.hint(), " · Esc cancels"
	if c.asText {
		keys = "Ctrl+Enter sends"
	}
	if c.leaving.Warned() {
		esc = " · Esc again cancels"
	}
	return keys + esc
}

// Accept handles Ctrl+Enter: it sends the answer, or shows what is missing.
func (c *Card) Accept() { c.submit(c.body.answer()) }

// Decline handles Esc.
func (c *Card) Decline() { c.escape() }

// Drop adds files that the user dropped onto the window, if the dialog accepts files. It reports
// whether it does.
func (c *Card) Drop(paths []string) bool {
	kind := c.Question.Kind()
	takes := c.Files.Read != nil && (kind == dialog.KindPlanner || kind == dialog.KindScreenshot)
	if takes {
		c.drop(paths)
	}
	return takes
}

// First returns the object that handles the keys of the dialog.
func (c *Card) First() fyne.Focusable { return c.body.first() }

// Typed handles a character that no field took, for example the number of an option. It reports
// whether the dialog handles characters.
func (c *Card) Typed(r rune) bool {
	keys, ok := c.body.first().(Keys)
	if !ok || c.asText {
		return false
	}
	keys.PressKey(r)
	return true
}
