package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"goated/ui/kit"
)

// An Example is a message that goated suggests in an empty conversation. It needs no API key.
type Example struct{ icon, Text string }

// Examples returns the examples, the best one first. Outside a project there are no files to
// list, and goated's own tools refuse to read the home folder.
func Examples(project bool) []Example {
	memory := []Example{{"chat", "Remember coffee as flat white"}, {"info", "What do you remember about coffee"}}
	if project {
		return append([]Example{{"folder", "What files are in this folder?"}}, memory...)
	}
	return append(memory, Example{"file", "Write a note called todo.txt saying buy milk"})
}

// Greet fills an empty conversation with examples.
func (t *Transcript) Greet(list []Example) {
	mark := kit.NewLogo()
	hello := kit.NewLabel("What can I help with?", 24, kit.ColorText).Strong()
	hello.Centre = true
	lead := NewLead("Ask in your own words. Connected tools do the work, and goated asks you first.")
	examples := kit.Vertical(8)
	for _, e := range list {
		spot := kit.NewTappable(12, func() {
			if t.On.Example != nil {
				t.On.Example(e.Text)
			}
		})
		spot.SetColors(kit.ColorSurface, kit.ColorBorder)
		text := kit.NewLabel(e.Text, 14, kit.ColorText).Elided()
		examples.Add(container.New(kit.Fixed{Min: fyne.NewSize(1, 46)}, spot,
			kit.Inset(kit.Margin{Top: 0, Right: 16, Bottom: 0, Left: 16}, kit.Horizontal(12, text, kit.NewIcon(e.icon, 16, kit.ColorAccent), text))))
	}
	icon := container.New(kit.MaxWidth{Width: 64}, kit.Sized(64, 64, mark))
	column := kit.Vertical(0, icon, kit.Inset(kit.Margin{Top: 20, Right: 0, Bottom: 8, Left: 0}, hello), kit.Inset(kit.Margin{Top: 0, Right: 40, Bottom: 0, Left: 40}, lead),
		kit.Inset(kit.Margin{Top: 28, Right: 0, Bottom: 0, Left: 0}, examples))
	rest := append([]fyne.CanvasObject{icon}, examples.Objects...)
	t.empty.Layout = centredLayout{rest}
	t.empty.Objects = []fyne.CanvasObject{container.New(kit.MaxWidth{Width: 440, Edge: 24}, column)}
	t.empty.Refresh()
}

// NewLead returns a centred sentence below a title. It wraps if there is too little room.
func NewLead(text string) *kit.Paragraph {
	lines := kit.NewText(text, 14, 20, kit.ColorMuted)
	lines.Centre = true
	return lines
}

// centredLayout places its object a little above the centre, which looks centred. If the height
// is too small, it hides objects of goes, the last one first.
type centredLayout struct{ goes []fyne.CanvasObject }

func (l centredLayout) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		for _, g := range l.goes {
			g.Show()
		}
		h := kit.HeightOf(o, size.Width)
		for i := len(l.goes) - 1; i >= 0 && h > size.Height; i-- {
			l.goes[i].Hide()
			h = kit.HeightOf(o, size.Width)
		}
		kit.Place(o, 0, max(float32(int((size.Height-h)*0.44)), 0), size.Width, h)
	}
}

func (centredLayout) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }
