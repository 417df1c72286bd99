package pause

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"

	"goated/internal/safetext"
	"goated/servers/pause/dialog"
	"goated/ui/kit"
	"goated/ui/markdown"
)

// confirm is the dialog with yes and no. The keys Y and N answer, and Esc cancels.
type confirm struct {
	card    *card
	q       *dialog.Confirm
	box     *keyBox
	yes, no *kit.Button
	normal  bool // the answer that Enter sends
}

func newConfirm(c *card, q *dialog.Confirm) *confirm {
	f := &confirm{card: c, q: q, normal: !q.DefaultsToNo()}
	if c.Former != nil && c.Former.Confirmed != nil {
		f.normal = *c.Former.Confirmed
	}
	answer := func(yes bool) func() { return func() { c.submit(dialog.Answer{Confirmed: &yes}) } }
	yesKind, noKind := kit.Primary, kit.Outline
	if !f.normal {
		yesKind, noKind = kit.Outline, kit.Primary
	}
	f.no = kit.NewButton(noKind, "", safetext.Name(q.NoLabel), answer(false)).Keyed("N")
	f.yes = kit.NewButton(yesKind, "", safetext.Name(q.YesLabel), answer(true)).Keyed("Y")
	if q.IsDangerous && !f.normal { // its red is meant for a button without a fill
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
	parts = append(parts, kit.NewText(f.keys(), 12, 18, kit.ColorFaint))
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

// keys describes the effect of the keys. It contains long button labels in full, because a narrow
// window truncates them.
func (f *confirm) keys() string {
	yes, no := safetext.Mark(f.q.YesLabel), safetext.Mark(f.q.NoLabel)
	if max(utf8.RuneCountInString(yes), utf8.RuneCountInString(no)) <= shortLabel {
		return "Press Y or N. Enter answers " + f.word() + "."
	}
	enter := "Y"
	if !f.normal {
		enter = "N"
	}
	return fmt.Sprintf("Y: %s\nN: %s\nEnter answers %s.", yes, no, enter)
}

// shortLabel is the maximal length of a label that the narrowest window shows in full, in
// characters.
const shortLabel = 24

// word returns the label of the button that Enter presses.
func (f *confirm) word() string {
	if f.normal {
		return f.yes.Text
	}
	return f.no.Text
}

func (f *confirm) root() fyne.CanvasObject      { return f.box }
func (f *confirm) first() fyne.Focusable        { return f.box }
func (f *confirm) buttons() []fyne.CanvasObject { return []fyne.CanvasObject{f.no, f.yes} }
func (f *confirm) hint() string                 { return "Y or N answers" }
func (f *confirm) answer() dialog.Answer {
	yes := f.normal
	return dialog.Answer{Confirmed: &yes}
}
