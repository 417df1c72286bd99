package transcript

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/theme"

	"goated/ui/kit"
	"goated/ui/popup"
	"goated/ui/view"
	"goated/ui/view/format"
)

// A groupLine shows how many calls a group has, the names of their tools, and how long they took.
type groupLine struct {
	root   *fyne.Container
	of     *group
	ground *kit.Panel
	head   cardHead
	spot   *kit.Tappable
}

func newGroupLine(g *group) *groupLine {
	l := &groupLine{of: g, ground: kit.NewPanel(kit.ColorSurface, kit.ColorBorder, 12)}
	l.spot = kit.NewTappable(12, g.toggle)
	l.spot.OnMenu = l.menu
	l.root = container.New(kit.Margin{}, l.ground, l.head.build(g.t.clock, l.spot, "list"))
	l.head.server.Hide()
	l.head.preview.Style.Monospace = false // it contains names of tools, not a result
	l.head.Status.Set(view.Complete.String())
	l.head.Status.Paint(kit.ColorGood)
	l.show()
	return l
}

// show updates the line.
func (l *groupLine) show() {
	n := view.CountCalls(l.of.t.View.Items[l.of.from:l.of.to])
	took := format.Duration(n.Took)
	l.head.tool.Set(n.String())
	l.head.Took.Set(took)
	l.head.Took.Hidden = took == ""
	l.head.preview.Set(n.Tools)
	chevron := "chevron-right"
	if l.of.open {
		chevron = "chevron-down"
	}
	l.head.chevron.Set(chevron, kit.ColorFaint)
	if l.root.Size().Width > 0 {
		l.root.Layout.Layout(l.root.Objects, l.root.Size())
	}
}

// pick shows whether the line is selected.
func (l *groupLine) pick(on bool) {
	fill := kit.ColorSurface
	if on {
		fill = theme.ColorNameSelection
	}
	l.ground.Paint(fill, kit.ColorBorder)
}

// menu shows the menu of the calls at a position.
func (l *groupLine) menu(at fyne.Position) {
	t, c := l.of.t, kit.CanvasOf(l.spot)
	if !t.Selection.empty() {
		t.Selection.menuFor(l.of.from, at, "")
		return
	}
	items := []popup.Item{{Text: "Copy as Markdown", Icon: "copy", Do: l.of.copy}, {}}
	items = append(append(items, t.actions(l.of.from)...), popup.Item{}, popup.Item{Text: "Select all", Keys: kit.ModKey(fyne.KeyA), Do: t.Selection.AllFocused})
	popup.Show(c, at, items...)
}
