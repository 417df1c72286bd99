package confinement

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/client"
	"goated/internal/sandbox"
	"goated/ui/kit"
	"goated/ui/view"
)

// ShieldStyle returns the icon and the colours of a server's shield.
func ShieldStyle(s view.Shield) (icon string, ink, soft fyne.ThemeColorName) {
	switch s {
	case view.ShieldWhole:
		return "shield-check", kit.ColorGood, kit.ColorSoft
	case view.ShieldPart:
		return "shield", kit.ColorWarn, kit.ColorSunken
	case view.ShieldNone:
		return "shield-off", kit.ColorBad, kit.ColorBadSoft
	}
	return "shield", kit.ColorFaint, kit.ColorSunken
}

// NewShield returns the shield of a server for a row. It is an icon, with a label if the sandbox
// is partial or off. Its tooltip explains the shield, and a press runs tapped.
func NewShield(s client.Server, tips *kit.Tooltips, tapped func()) fyne.CanvasObject {
	state := view.ShieldOf(s)
	icon, ink, _ := ShieldStyle(state)
	mark := kit.Sized(16, 18, kit.NewIcon(icon, 15, ink))
	if state == view.ShieldWhole || state == view.ShieldUnknown {
		return mark
	}
	spot := kit.NewTappable(8, tapped)
	spot.SkipTab = true // the row does the same
	tips.Explain(spot, func() string { return view.ShieldNote(s) })
	return container.New(kit.Margin{}, spot, kit.Horizontal(5, nil, mark, kit.NewLabel(state.String(), 12, ink).Medium()))
}

// NewShieldCard shows how a server is confined, and what it may do.
func NewShieldCard(s client.Server, g sandbox.Grant) fyne.CanvasObject {
	state := view.ShieldOf(s)
	icon, ink, soft := ShieldStyle(state)
	words := kit.Vertical(2, kit.NewLabel(state.String(), 14, kit.ColorText).Strong().Elided(), kit.NewText(view.ShieldNote(s), 13, 20, kit.ColorMuted))
	head := container.New(kit.Row{Gap: 12, Flex: words, Top: true}, kit.Sized(22, 24, kit.NewIcon(icon, 22, ink)), words)
	list := kit.Vertical(0, kit.Boxed(kit.NewPanel(soft, kit.ColorNone, 10), kit.Margin{Top: 12, Right: 16, Bottom: 13, Left: 14}, head))
	if s.Sandbox.Confined() && !s.NoSandbox {
		var rows []fyne.CanvasObject
		for _, r := range view.AccessRows(s, g) {
			color := kit.ColorText
			if r.Wide {
				color = kit.ColorWarn
			}
			value := kit.NewText(r.Value, 13, 19, color)
			rows = append(rows, container.New(kit.Row{Flex: value, Top: true}, kit.Sized(84, 19, kit.NewLabel(r.Name, 13, kit.ColorMuted)), value))
		}
		list.Add(kit.Inset(kit.Margin{Top: 12, Right: 14, Bottom: 0, Left: 14}, kit.Vertical(7, rows...)))
	}
	return list
}
