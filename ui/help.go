package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// openHelp shows the commands that have keys, and how words become calls.
func (w *Window) openHelp() {
	groups := make(map[group]*fyne.Container)
	for _, g := range []group{groupChat, groupTools, groupWindow} {
		groups[g] = vertical(0, inset(margin{0, 0, 6, 0}, newLabel(g.String(), 13, colorText).strong()))
	}
	line := func(g group, title string, s ...shortcut) {
		name := newLabel(title, 13, colorText).elided()
		parts := []fyne.CanvasObject{name}
		for i, k := range s {
			if i > 0 && len(s) == 2 {
				parts = append(parts, newLabel("to", 12, colorFaint))
			}
			parts = append(parts, newKeys(k))
		}
		groups[g].Add(container.New(fixed{fyne.NewSize(1, 34)}, horizontal(8, name, parts...)))
	}
	enter := shortcut{key: fyne.KeyReturn}
	line(groupChat, "Send the message", enter)
	line(groupChat, "New line in the message", shortcut{fyne.KeyReturn, fyne.KeyModifierShift})
	for _, c := range w.commands() {
		switch {
		case c.ID == "chat1":
			line(groupChat, "Conversation 1 to 9", held("1"), held("9"))
		case isNumbered(c), c.Shortcut.key == "", c.ID == "hide" && !c.Enabled():
		default:
			line(c.Group, c.Title, c.Shortcut)
		}
		if c.ID == "down" {
			line(groupChat, "Copy, edit, regenerate, delete it", shortcut{key: "C"}, shortcut{key: "E"}, shortcut{key: "R"}, shortcut{key: fyne.KeyDelete})
		}
	}
	line(groupWindow, "Next field or button", shortcut{key: fyne.KeyTab})
	line(groupWindow, "Press what has the ring", shortcut{key: fyne.KeySpace})
	left := vertical(22, groups[groupChat], groups[groupTools])
	hints := newText("Everything is in the palette too. Type /tool {\"argument\": \"value\"} in the message to call a tool directly.", 13, 20, colorMuted)
	body := vertical(20, inset(margin{10, 0, 0, 0}, container.New(halves{36}, left, groups[groupWindow])),
		boxed(newPanel(colorSoft, colorNone, 10), margin{11, 14, 12, 14},
			container.New(row{gap: 10, flex: hints, top: true}, sized(15, 20, newGlyph("info", 15, colorAccent)), hints)))
	s := newSheet(820, "Keys and commands", body, nil)
	s.OnClose = func() { w.shut(s) }
	w.open(s)
}

// halves puts two objects beside each other, each as wide as the other.
type halves struct{ gap float32 }

func (l halves) half(width float32) float32 { return max((width-l.gap)/2, 0) }

func (l halves) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w := l.half(size.Width)
	for i, o := range objects {
		place(o, float32(i)*(w+l.gap), 0, w, heightOf(o, w))
	}
}

func (l halves) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	h := float32(0)
	for _, o := range objects {
		h = max(h, heightOf(o, l.half(width)))
	}
	return h
}

func (l halves) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.NewSize(200, 40) }
