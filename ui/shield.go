package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/sandbox"
	"goated/ui/view"
)

// shieldLook is the icon and the colour of a server's shield.
func shieldLook(s view.Shield) (icon string, ink, soft fyne.ThemeColorName) {
	switch s {
	case view.ShieldWhole:
		return "shield-check", colorGood, colorSoft
	case view.ShieldPart:
		return "shield", colorWarn, colorSunken
	case view.ShieldNone:
		return "shield-off", colorBad, colorBadSoft
	}
	return "shield", colorFaint, colorSunken
}

// newShield is the shield of a server for the row of a list: an icon, with words
// where it is not as it should be.
func newShield(s client.Server) fyne.CanvasObject {
	state := view.ShieldOf(s)
	icon, ink, _ := shieldLook(state)
	mark := sized(16, 18, newGlyph(icon, 15, ink))
	if state == view.ShieldWhole || state == view.ShieldUnknown {
		return mark
	}
	return horizontal(5, nil, mark, newLabel(state.String(), 12, ink).medium())
}

// newShieldCard says how a server is confined, and what it may do.
func newShieldCard(s client.Server, g sandbox.Grant) fyne.CanvasObject {
	state := view.ShieldOf(s)
	icon, ink, soft := shieldLook(state)
	words := vertical(2, newLabel(state.String(), 14, colorText).strong().elided(), newText(view.ShieldNote(s), 13, 20, colorMuted))
	head := container.New(row{gap: 12, flex: words, top: true}, sized(22, 24, newGlyph(icon, 22, ink)), words)
	list := vertical(0, boxed(newPanel(soft, colorNone, 10), margin{12, 16, 13, 14}, head))
	if s.Sandbox.Confined() && !s.NoSandbox {
		var rows []fyne.CanvasObject
		for _, r := range view.Reaches(s, g) {
			color := colorText
			if r.Wide {
				color = colorWarn
			}
			value := newText(r.Value, 13, 19, color)
			rows = append(rows, container.New(row{flex: value, top: true}, sized(84, 19, newLabel(r.Name, 13, colorMuted)), value))
		}
		list.Add(inset(margin{12, 14, 0, 14}, vertical(7, rows...)))
	}
	return list
}
