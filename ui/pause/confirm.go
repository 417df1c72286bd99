package pause

import (
	"unicode"

	"fyne.io/fyne/v2"

	"goated/internal/safetext"
	"goated/servers/pause/dialog"
	"goated/ui/kit"
	"goated/ui/markdown"
)

// confirm is the dialog with yes and no. Y and N answer; Esc cancels.
type confirm struct {
	card    *card
	q       *dialog.Confirm
	box     *keyBox
	yes, no *kit.Button
}

func newConfirm(c *card, q *dialog.Confirm) *confirm {
	f := &confirm{card: c, q: q}
	answer := func(yes bool) func() { return func() { c.submit(dialog.Answer{Confirmed: &yes}) } }
	yesKind, noKind := kit.Primary, kit.Outline
	if q.DefaultsToNo() {
		yesKind, noKind = kit.Outline, kit.Primary
	}
	f.no = kit.NewButton(noKind, "", safetext.Name(q.NoLabel), answer(false)).Keyed("N")
	f.yes = kit.NewButton(yesKind, "", safetext.Name(q.YesLabel), answer(true)).Keyed("Y")
	if q.IsDangerous {
		f.yes.Warning()
	}
	var parts []fyne.CanvasObject
	if q.Description != "" {
		parts = append(parts, markdown.Text(q.Description))
	}
	if q.Warning != "" || q.IsDangerous {
		warning := q.Warning
		if warning == "" {
			warning = "This cannot be undone."
		}
		text := kit.NewText(safetext.Mark(warning), 14, 21, kit.ColorBad)
		parts = append(parts, kit.Boxed(kit.NewPanel(kit.ColorBadSoft, kit.ColorNone, 10), kit.Margin{Top: 10, Right: 14, Bottom: 10, Left: 14},
			kit.Horizontal(10, text, kit.NewIcon("alert", 18, kit.ColorBad), text)))
	}
	parts = append(parts, kit.NewText("Press Y or N. Enter answers "+f.normal()+".", 12, 18, kit.ColorFaint))
	f.box = newKeyBox(kit.Vertical(12, parts...))
	f.box.onRune = func(r rune) {
		switch unicode.ToLower(r) {
		case 'y':
			f.yes.Tapped(nil)
		case 'n':
			f.no.Tapped(nil)
		}
	}
	f.box.onKey = func(name fyne.KeyName) bool {
		if name != fyne.KeyReturn && name != fyne.KeyEnter {
			return false
		}
		c.submit(f.answer())
		return true
	}
	return f
}

// normal is the word on the button that Enter presses.
func (f *confirm) normal() string {
	if f.q.DefaultsToNo() {
		return f.no.Text
	}
	return f.yes.Text
}

func (f *confirm) root() fyne.CanvasObject      { return f.box }
func (f *confirm) first() fyne.Focusable        { return f.box }
func (f *confirm) buttons() []fyne.CanvasObject { return []fyne.CanvasObject{f.no, f.yes} }
func (f *confirm) hint() string                 { return "Y or N answers" }
func (f *confirm) answer() dialog.Answer {
	yes := !f.q.DefaultsToNo()
	return dialog.Answer{Confirmed: &yes}
}
