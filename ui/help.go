package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// openHelp shows the commands with their keys, and explains how to call a tool directly.
func (t *commandTable) openHelp() {
	groups := make(map[group]*fyne.Container)
	for _, g := range []group{groupChat, groupTools, groupWindow} {
		groups[g] = kit.Vertical(0, kit.Inset(kit.Margin{Top: 0, Right: 0, Bottom: 6, Left: 0}, kit.NewLabel(g.String(), 13, kit.ColorText).Strong()))
	}
	line := func(g group, title string, s ...kit.Shortcut) {
		name := kit.NewLabel(title, 13, kit.ColorText).Elided()
		parts := []fyne.CanvasObject{name}
		for i, k := range s {
			if i > 0 && len(s) == 2 {
				parts = append(parts, kit.NewLabel("to", 12, kit.ColorFaint))
			}
			parts = append(parts, kit.NewKeyCaps(k))
		}
		groups[g].Add(container.New(kit.Fixed{Min: fyne.NewSize(1, 34)}, kit.Horizontal(8, name, parts...)))
	}
	enter := kit.Shortcut{Key: fyne.KeyReturn}
	line(groupChat, "Send the message", enter)
	line(groupChat, "New line in the message", kit.Shortcut{Key: fyne.KeyReturn, Modifier: fyne.KeyModifierShift})
	for _, c := range t.all() {
		switch {
		case c.ID == "chat1":
			line(groupChat, "Conversation 1 to 9", kit.ModKey("1"), kit.ModKey("9"))
		case isNumbered(c), c.Shortcut.Key == "", c.ID == "hide" && !c.Enabled():
		default:
			line(c.Group, c.Title, c.Shortcut)
		}
		if c.ID == "down" {
			line(groupChat, "Copy, edit, regenerate, delete it", kit.Shortcut{Key: "C"}, kit.Shortcut{Key: "E"}, kit.Shortcut{Key: "R"}, kit.Shortcut{Key: fyne.KeyDelete})
		}
	}
	line(groupWindow, "Next field or button", kit.Shortcut{Key: fyne.KeyTab})
	line(groupWindow, "Activate the focused button", kit.Shortcut{Key: fyne.KeySpace})
	right := kit.Vertical(22, groups[groupWindow], groups[groupTools])
	hints := kit.NewText(`The palette has all of these. To call a tool directly, type /tool {"argument": "value"} as a message.`, 13, 20, kit.ColorMuted)
	body := kit.Vertical(20, kit.Inset(kit.Margin{Top: 10, Right: 0, Bottom: 0, Left: 0}, container.New(columns{36, 220}, groups[groupChat], right)),
		kit.Boxed(kit.NewPanel(kit.ColorSoft, kit.ColorNone, 10), kit.Margin{Top: 11, Right: 14, Bottom: 12, Left: 14},
			container.New(kit.Row{Gap: 10, Flex: hints, Top: true}, kit.Sized(15, 20, kit.NewIcon("info", 15, kit.ColorAccent)), hints)))
	s := kit.NewSheet(820, "Keys and commands", body, nil)
	s.OnClose = func() { t.win.shell.Sheets.Shut(s) }
	t.win.shell.Sheets.Open(s)
}

// columns is the layout of two objects of equal width side by side. If they would be narrower
// than least, the second is below the first.
type columns struct{ gap, least float32 }

// split returns the width of each object, and the offset of the second from the first.
func (l columns) split(objects []fyne.CanvasObject, width float32) (w, dx, dy float32) {
	if w = (width - l.gap) / 2; w >= l.least {
		return w, w + l.gap, 0
	}
	return width, 0, kit.HeightOf(objects[0], width) + l.gap
}

func (l columns) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w, dx, dy := l.split(objects, size.Width)
	kit.Place(objects[0], 0, 0, w, kit.HeightOf(objects[0], w))
	kit.Place(objects[1], dx, dy, w, kit.HeightOf(objects[1], w))
}

func (l columns) HeightFor(objects []fyne.CanvasObject, width float32) float32 {
	w, _, dy := l.split(objects, width)
	return max(kit.HeightOf(objects[0], w), dy+kit.HeightOf(objects[1], w))
}

func (l columns) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 40) }
