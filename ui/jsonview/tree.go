package jsonview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/virtual"
)

const (
	rowHeight = 24
	maxHeight = 18 * rowHeight // the maximal height of a tree in a card
)

// A Tree shows a JSON value row by row. Arrow keys move the selection and fold,
// Enter folds, Ctrl+C copies a value and Ctrl+Shift+C its path.
type Tree struct {
	*virtual.List
	Model    *view.Tree
	flat     bool // no row can be folded
	selected int  // a row; -1 for none
	Work     kit.Runner
	focused  bool
	found    int // the marked row; -1 for none

	OnCopy func(text string)
	OnFold func() // runs after rows were opened or folded, which may change the height
}

func NewTree(model *view.Tree, work kit.Runner) *Tree {
	t := &Tree{Model: model, Work: work, selected: -1, found: -1, flat: !model.Folded() && !model.Opened()}
	t.List = virtual.NewList(rowHeight, maxHeight, func() fyne.CanvasObject { return newRow(t) }, func(i int, o fyne.CanvasObject) {
		o.(*Row).show(i)
	})
	t.List.OnKey = t.key
	t.List.OnShortcut = t.shortcut
	t.List.OnFocus = func(on bool) {
		t.focused = on
		if on && t.selected < 0 {
			t.selected = 0
		}
		t.Redraw()
	}
	t.Set(len(model.Rows))
	return t
}

// Toggle opens or folds a row.
func (t *Tree) Toggle(i int) {
	t.Model.Toggle(i)
	t.found = -1
	t.changed()
}

// OpenAll opens all rows. It computes them off the UI goroutine.
func (t *Tree) OpenAll() {
	t.Work.Run(func() func() {
		rows := t.Model.All()
		return func() {
			t.Model.Rows, t.selected, t.found = rows, -1, -1
			t.changed()
		}
	})
}

// FoldAll folds all rows.
func (t *Tree) FoldAll() {
	t.Model.FoldAll()
	t.selected, t.found = -1, -1
	t.changed()
}

// Mark marks the value at a path and scrolls to it. It removes the previous mark. An empty path
// only removes the mark. Mark reports whether the value exists.
func (t *Tree) Mark(path []int) bool {
	rows := len(t.Model.Rows)
	t.found = t.Model.Reveal(path)
	if len(t.Model.Rows) != rows {
		t.selected = -1
		t.changed()
	}
	if t.found >= 0 {
		t.Reveal(t.found)
	}
	t.Redraw()
	return t.found >= 0
}

// Marked returns the list that contains the mark, and the distance of the mark from the top of
// the list.
func (t *Tree) Marked() (list fyne.CanvasObject, down float32) { return t.Root, t.RowTop(t.found) }

func (t *Tree) changed() {
	t.Set(len(t.Model.Rows))
	if t.OnFold != nil {
		t.OnFold()
	}
}

// Choose selects a row and scrolls it into view.
func (t *Tree) Choose(i int) {
	t.selected = i
	t.Reveal(i)
	t.Redraw()
}

func (t *Tree) copyValue(i int) { t.copy(t.Model.Rows[i].Plain()) }
func (t *Tree) copyPath(i int)  { t.copy(t.Model.Path(i)) }

func (t *Tree) copy(text string) {
	if t.OnCopy != nil {
		t.OnCopy(text)
	}
}

func (t *Tree) key(e *fyne.KeyEvent) bool {
	if t.selected < 0 || t.selected >= len(t.Model.Rows) {
		return false
	}
	row := t.Model.Rows[t.selected]
	switch e.Name {
	case fyne.KeyUp:
		t.Choose(max(t.selected-1, 0))
	case fyne.KeyDown:
		t.Choose(min(t.selected+1, len(t.Model.Rows)-1))
	case fyne.KeyHome:
		t.Choose(0)
	case fyne.KeyEnd:
		t.Choose(len(t.Model.Rows) - 1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		t.Toggle(t.selected)
	case fyne.KeyRight:
		if row.Nested() && !row.Open {
			t.Toggle(t.selected)
		}
	case fyne.KeyLeft:
		if row.Open {
			t.Toggle(t.selected)
		} else if p := t.Model.Parent(t.selected); p >= 0 {
			t.Choose(p)
		}
	default:
		return false
	}
	return true
}

func (t *Tree) shortcut(s fyne.Shortcut) bool {
	if t.selected < 0 || t.selected >= len(t.Model.Rows) {
		return false
	}
	switch s := s.(type) {
	case *fyne.ShortcutCopy:
		t.copyValue(t.selected)
		return true
	case *desktop.CustomShortcut:
		if s.KeyName == fyne.KeyC && s.Modifier == fyne.KeyModifierShortcutDefault|fyne.KeyModifierShift {
			t.copyPath(t.selected)
			return true
		}
	}
	return false
}
