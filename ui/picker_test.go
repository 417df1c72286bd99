package ui_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"goated/servers/pause/dialog"
	"goated/ui"
)

// The file dialog has a title in goated's style, and dims the window below it until it closes.
// Then the composer has the focus again.
func TestTheDialogForAFileLooksLikeASheet(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	if err := os.WriteFile(filepath.Join(home, "notes.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := shown(t, ui.Options{})
	d.run("Attach files…")
	if !d.Reads("Attach a file") || d.Reads("Attach File") {
		t.Errorf("the screen reads %q", d.Texts())
	}
	over := d.Canvas().Overlays().List()
	if len(over) != 2 || over[0].Size() != d.Canvas().Size() {
		t.Errorf("over the window are %v", over)
	}
	var splits func(o fyne.CanvasObject) bool
	splits = func(o fyne.CanvasObject) bool {
		box, ok := o.(*fyne.Container)
		_, split := o.(*container.Split)
		return split || ok && slices.ContainsFunc(box.Objects, splits)
	}
	if splits(over[len(over)-1].(*widget.PopUp).Content) {
		t.Error("the handle of a split is shown, which looks like a cursor")
	}
	d.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if n := len(d.Canvas().Overlays().List()); n != 0 {
		t.Errorf("%d layers are left", n)
	}
	if !d.FieldFocused(composer) {
		t.Error("the composer does not have the focus")
	}
}

// Esc closed the file dialog below a question, and Fyne removed the question with it. The question
// was still open for the window, so that shortcuts did nothing and the next Esc declined it.
func TestAQuestionOverTheDialogForAFile(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	d := shown(t, ui.Options{})
	d.run("Attach files…")
	for _, key := range []string{"n", "Esc"} {
		got := d.asked(&dialog.Confirm{Question: "Delete the old map?"})
		d.sees("Delete the old map?")
		d.later()
		if key == "n" {
			d.TypeRune('n')
		} else {
			d.Key(fyne.KeyEscape)
		}
		d.until("the answer is there", func() bool { return len(got) > 0 && !d.Reads("Delete the old map?") })
		if a := <-got; a.Cancelled == (key == "n") || !d.Reads("Attach a file") || d.Layers() != 2 {
			t.Fatalf("%s answers %+v and leaves %q", key, a, d.Texts())
		}
	}
	d.Key(fyne.KeyEscape)
	if d.Layers() != 0 || !d.FieldFocused(composer) {
		t.Errorf("%d layers are left, and the focus is on %q", d.Layers(), d.Focus())
	}
}

// A named pipe among the files of an answer blocked the reader, and later the closing of the
// window.
func TestOnlyRegularFilesAreAttached(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{pipe: "is not a regular file", dir: "is a folder"} {
		if err := ui.ReadFiles(path); err == nil || !strings.Contains(err.Error(), want+", so it can't be attached: choose a file") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// Ctrl+O opened a second file dialog over the first, and a dropped file was attached behind it. Ctrl+F
// opened the search there.
func TestShortcutsLeaveTheDialogForAFileAlone(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	d := shown(t, ui.Options{})
	d.Ctrl(fyne.KeyO)
	layers := d.Layers()
	d.Ctrl(fyne.KeyO)
	d.Ctrl(fyne.KeyK)
	d.Ctrl(fyne.KeyF)
	d.drop(fyne.NewPos(600, 200), files(t)("notes.txt", []byte("x")))
	if d.Layers() != layers {
		t.Errorf("%d layers are over the window, not %d", d.Layers(), layers)
	}
	d.Canvas().OnTypedKey()(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if d.HasField(findField) || d.Reads("notes.txt") || !d.FieldFocused(composer) {
		t.Errorf("behind the dialog is %q", d.Texts())
	}
}
