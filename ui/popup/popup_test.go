package popup_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/ui/kit"
	"goated/ui/popup"
)

// open returns a window with a menu above a focused field.
func open(t *testing.T, at fyne.Position, items ...popup.Item) (fyne.Window, *kit.Input, func()) {
	t.Helper()
	test.NewTempApp(t).Settings().SetTheme(kit.Theme{Measure: kit.NewMeasure(), Menu: &kit.FieldMenu{Open: popup.Input}})
	in := kit.NewInput(kit.NewClock(func(f func()) { f() }), "hint", false)
	w := test.NewTempWindow(t, in)
	w.Resize(fyne.NewSize(500, 400))
	w.Canvas().Focus(in)
	return w, in, popup.Show(w.Canvas(), at, items...)
}

// A menu that closed by itself removed the sheet that the user had opened above it. The window still
// took the sheet for open, so that no key worked.
func TestAMenuLeavesTheSheetAboveIt(t *testing.T) {
	w, _, _ := open(t, fyne.NewPos(20, 20))
	for name, end := range map[string]func(m *popup.Menu){"Raise": (*popup.Menu).Raise, "Hide": (*popup.Menu).Hide} {
		button, closed := kit.NewButton(kit.Pill, "", "1 of 2", nil), false
		m := popup.Open(w.Canvas(), button, func() { closed = true }, popup.Item{Text: "First"}, popup.Item{Text: "Second"})
		field := kit.NewInput(kit.NewClock(func(f func()) { f() }), "hint", false)
		sheet := kit.NewSheet(300, "Sheet", field, nil)
		sheet.Root.Resize(w.Canvas().Size())
		w.Canvas().Overlays().Add(sheet.Root)
		w.Canvas().Focus(field)
		end(m)
		if all := w.Canvas().Overlays().List(); !closed || len(all) != 1 || all[0] != fyne.CanvasObject(sheet.Root) || w.Canvas().Focused() != fyne.Focusable(field) {
			t.Errorf("%s: closed is %v, open are %v, the focus is on %v", name, closed, all, w.Canvas().Focused())
		}
		w.Canvas().Overlays().Remove(sheet.Root)
	}
}

func key(w fyne.Window, names ...fyne.KeyName) {
	for _, n := range names {
		w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: n})
	}
}

// A menu can be used with the keyboard alone, skips disabled items, and returns the focus.
func TestMenuWithTheKeyboard(t *testing.T) {
	var done []string
	item := func(text string) popup.Item {
		return popup.Item{Text: text, Do: func() { done = append(done, text) }}
	}
	off := item("Off")
	off.Disabled = true
	w, in, _ := open(t, fyne.NewPos(20, 20), popup.Item{}, off, item("First"), popup.Item{}, popup.Item{}, item("Second"), item("Third"), popup.Item{})
	key(w, fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn)
	if !slices.Equal(done, []string{"Second"}) || w.Canvas().Overlays().Top() != nil || w.Canvas().Focused() != fyne.Focusable(in) {
		t.Errorf("done: %q; open: %v", done, w.Canvas().Overlays().Top() != nil)
	}
	popup.Show(w.Canvas(), fyne.NewPos(20, 20), off, item("First"), item("Second"), item("Third"))
	w.Canvas().Focused().TypedRune('t')
	key(w, fyne.KeyDown, fyne.KeyUp, fyne.KeySpace) // from the last to the first and back
	if !slices.Equal(done, []string{"Second", "Third"}) {
		t.Errorf("done: %q", done)
	}
	popup.Show(w.Canvas(), fyne.NewPos(20, 20), off)
	key(w, fyne.KeyDown, fyne.KeyReturn, fyne.KeyEscape)
	if len(done) != 2 || w.Canvas().Overlays().Top() != nil {
		t.Errorf("done: %q, or Esc does not close it", done)
	}
}

// A press on an item runs it, and hovering marks an item.
func TestMenuWithThePointer(t *testing.T) {
	done := 0
	w, _, _ := open(t, fyne.NewPos(20, 20), popup.Item{Text: "One", Do: func() { done++ }}, popup.Item{Text: "Off", Disabled: true, Do: func() { done += 10 }})
	test.MoveMouse(w.Canvas(), fyne.NewPos(60, 45))
	test.TapCanvas(w.Canvas(), fyne.NewPos(60, 45+34))
	if done != 0 || w.Canvas().Overlays().Top() == nil {
		t.Errorf("an item that is off runs: %d", done)
	}
	test.TapCanvas(w.Canvas(), fyne.NewPos(60, 45))
	if done != 1 || w.Canvas().Overlays().Top() != nil {
		t.Errorf("the item ran %d times", done)
	}
}

// A press beside the menu closes it, and presses nothing below.
func TestPressBesideClosesTheMenu(t *testing.T) {
	w, _, hide := open(t, fyne.NewPos(20, 20), popup.Item{Text: "One"})
	test.TapCanvas(w.Canvas(), fyne.NewPos(400, 350))
	if w.Canvas().Overlays().Top() != nil {
		t.Error("the menu stays open")
	}
	hide() // does nothing
}

// A menu stays within the window, regardless of its position and length.
func TestMenuStaysInTheWindow(t *testing.T) {
	var many []popup.Item
	for range 60 {
		many = append(many, popup.Item{Text: strings.Repeat("wide ", 40)})
	}
	w, _, _ := open(t, fyne.NewPos(495, 395), many...)
	root := w.Canvas().Overlays().Top().(*fyne.Container)
	card := root.Objects[1]
	at, size := card.Position(), card.Size()
	if at.X < 0 || at.Y < 0 || at.X+size.Width > 500 || at.Y+size.Height > 400 || size.Height < 200 {
		t.Errorf("it is %v at %v", size, at)
	}
}

// A field has the same kind of menu. It opens with the secondary button and can paste.
func TestMenuOfAField(t *testing.T) {
	w, in, hide := open(t, fyne.NewPos(20, 20), popup.Item{Text: "One"})
	hide()
	fyne.CurrentApp().Clipboard().SetContent("pasted")
	in.TappedSecondary(&fyne.PointEvent{AbsolutePosition: fyne.NewPos(30, 20)})
	w.Canvas().Focused().TypedRune('p')
	key(w, fyne.KeyReturn)
	if in.Text != "pasted" {
		t.Errorf("the field has %q", in.Text)
	}
}

// No part of the window opens a menu of the toolkit.
func TestNoOtherMenus(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		src, err := os.ReadFile(path)
		if strings.Contains(string(src), "widget.ShowPopUpMenu") || strings.Contains(string(src), "widget.NewPopUpMenu") {
			t.Errorf("%s opens a menu of the toolkit", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
