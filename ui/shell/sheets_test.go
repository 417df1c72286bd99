package shell_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/ui/internal/pagetest"
	"goated/ui/kit"
	"goated/ui/shell"
)

// A sheet that closed below others took the focus of the top one. With its file dialog, the
// window believed that the dialog was still open, so that keys did nothing.
func TestASheetClosesBelowOthers(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	d := pagetest.New(t, false, fyne.NewSize(900, 700))
	d.Show(&shell.Page{Title: "Tools", Body: kit.NewLabel("", 13, kit.ColorText)})
	st := d.Shell.Sheets
	sheet := func(title string) (*kit.Sheet, *kit.Input) {
		field := kit.NewInput(d.Shell.Clock, title, false)
		s := kit.NewSheet(300, title, field, nil)
		s.First = field
		return s, field
	}
	first, _ := sheet("First")
	second, field := sheet("Second")
	third, _ := sheet("Third")
	st.Open(first)
	chosen := 0
	choose := func() { st.ChooseFile("Attach", func(string) { chosen++ }, func(error) { chosen++ }) }
	choose()
	if !st.Picking() {
		t.Error("the dialog is not open")
	}
	st.Open(second)
	if st.Picking() || st.ClosePicker() {
		t.Error("a covered dialog receives the keys")
	}
	st.Shut(first)
	if st.Picking() || d.Layers() != 1 || !d.Reads("Second") || d.Window.Canvas().Focused() != fyne.Focusable(field) {
		t.Errorf("%d layers are left: %q, with the focus on %q", d.Layers(), d.Texts(), d.Focus())
	}
	choose()
	st.Open(third)
	st.Shut(third)
	if !st.Picking() || d.Layers() != 3 || !d.Reads("Attach a file") {
		t.Errorf("the dialog is gone: %q", d.Texts())
	}
	st.Shut(second)
	if st.Picking() || d.Layers() != 0 || chosen != 0 {
		t.Errorf("%d layers are left: %q", d.Layers(), d.Texts())
	}
}
