package ui

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"goated/ui/kit"
	"goated/ui/view"
)

const (
	treeRowHeight = 24
	treeMost      = 18 * treeRowHeight // of a tree within a card
)

// A tree shows a JSON value row by row, to fold and to copy from. Arrows walk
// and fold, Enter folds, Ctrl+C copies a value and Ctrl+Shift+C its path.
type tree struct {
	*kit.List
	model    *view.Tree
	flat     bool // nothing in it can be folded
	selected int  // -1: none
	work     kit.Runner
	focused  bool

	OnCopy func(text string)
	OnFold func() // its height may be another
}

func newTree(model *view.Tree, work kit.Runner) *tree {
	t := &tree{model: model, work: work, selected: -1, flat: !model.Folded() && !model.Opened()}
	t.List = kit.NewList(treeRowHeight, treeMost, func() fyne.CanvasObject { return newTreeRow(t) }, func(i int, o fyne.CanvasObject) {
		o.(*treeRow).show(i)
	})
	t.List.OnKey = t.key
	t.List.OnShortcut = t.shortcut
	t.List.OnFocus = func(on bool) {
		t.focused = on
		if on && t.selected < 0 {
			t.selected = 0
		}
		t.Renew()
	}
	t.Set(len(model.Rows))
	return t
}

// toggle opens or folds a row.
func (t *tree) toggle(i int) {
	t.model.Toggle(i)
	t.changed()
}

// openAll and foldAll are for the buttons beside it.

func (t *tree) openAll() {
	t.work.Run(func() func() {
		rows := t.model.All()
		return func() {
			t.model.Rows, t.selected = rows, -1
			t.changed()
		}
	})
}

func (t *tree) foldAll() {
	t.model.FoldAll()
	t.selected = -1
	t.changed()
}

func (t *tree) changed() {
	t.Set(len(t.model.Rows))
	if t.OnFold != nil {
		t.OnFold()
	}
}

func (t *tree) choose(i int) {
	t.selected = i
	t.Reveal(i)
	t.Renew()
}

func (t *tree) copyValue(i int) { t.copy(t.model.Rows[i].Plain()) }
func (t *tree) copyPath(i int)  { t.copy(t.model.Path(i)) }

func (t *tree) copy(text string) {
	if t.OnCopy != nil {
		t.OnCopy(text)
	}
}

func (t *tree) key(e *fyne.KeyEvent) bool {
	if t.selected < 0 || t.selected >= len(t.model.Rows) {
		return false
	}
	row := t.model.Rows[t.selected]
	switch e.Name {
	case fyne.KeyUp:
		t.choose(max(t.selected-1, 0))
	case fyne.KeyDown:
		t.choose(min(t.selected+1, len(t.model.Rows)-1))
	case fyne.KeyHome:
		t.choose(0)
	case fyne.KeyEnd:
		t.choose(len(t.model.Rows) - 1)
	case fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace:
		t.toggle(t.selected)
	case fyne.KeyRight:
		if row.Nested() && !row.Open {
			t.toggle(t.selected)
		}
	case fyne.KeyLeft:
		if row.Open {
			t.toggle(t.selected)
		} else if p := t.model.Parent(t.selected); p >= 0 {
			t.choose(p)
		}
	default:
		return false
	}
	return true
}

func (t *tree) shortcut(s fyne.Shortcut) bool {
	if t.selected < 0 || t.selected >= len(t.model.Rows) {
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
