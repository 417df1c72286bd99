package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/ui"
)

// numbered returns a text of n lines.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "row %d\n", i)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// A paste of many lines becomes a file. The user can read its text and turn it back into text.
// A short paste stays text.
func TestLongPasteBecomesAFile(t *testing.T) {
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions((&reader{}).answer)}})
	d.FocusField(composer)
	d.Paste(numbered(60))
	if d.draft() != numbered(60) {
		t.Fatalf("60 lines became %q", d.draft())
	}
	d.write("See this: ")
	d.FocusField(composer)
	d.Paste(numbered(400))
	d.sees("Pasted text.txt")
	if d.draft() != "See this: " {
		t.Errorf("the composer has %q", d.draft())
	}
	d.Press("Pasted text.txt")
	d.until("the viewer shows the text", func() bool { return d.Layers() > 0 && d.Says("row 3") && d.Says("400 lines") })
	d.Key(fyne.KeyEscape)
	d.HoverIcon("pencil")
	d.beats(10)
	d.sees("Put the text into the message")
	d.PressIcon("pencil")
	if d.Reads("Pasted text.txt") || d.draft() != "See this: "+numbered(400) {
		t.Errorf("the composer has %d bytes, and the screen shows %q", len(d.draft()), d.Texts())
	}
}

// A click on a file of a message opens it, even before the message is sent and after a restart.
func TestFilesOfMessagesOpen(t *testing.T) {
	s, _ := archive(t)
	d := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions((&reader{}).answer)}})
	opens := func(d *desk, name, what string) {
		t.Helper()
		d.Press(name)
		d.until("the viewer shows "+name, func() bool { return d.Layers() > 0 && d.Reads(name) && d.Says(what) })
		d.Key(fyne.KeyEscape)
		if d.Layers() != 0 {
			t.Fatalf("Escape does not close the viewer of %s", name)
		}
	}
	drop := files(t)
	d.drop(fyne.NewPos(600, 200), drop("chart.png", photo(t)))
	d.sees("chart.png")
	d.drop(fyne.NewPos(600, 200), drop("notes.txt", []byte("remember the milk")))
	d.sees("notes.txt")
	opens(d, "chart.png", "×")
	opens(d, "notes.txt", "remember the milk")
	d.says("what is it?")
	opens(d, "chart.png", "×")
	opens(d, "notes.txt", "remember the milk")
	d.window.Close()

	again := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions((&reader{}).answer)}})
	again.until("the files are shown", func() bool { return again.Reads("chart.png") && again.Pictures() == 1 })
	opens(again, "chart.png", "×")
	opens(again, "notes.txt", "remember the milk")
}

// A search in a picture does nothing, because the picture has no text.
func TestFindInAPictureDoesNothing(t *testing.T) {
	d := talked(t)
	drop := files(t)
	d.drop(fyne.NewPos(600, 200), drop("chart.png", photo(t)))
	d.sees("chart.png")
	d.Press("chart.png")
	d.until("the viewer shows the picture", func() bool { return d.Layers() > 0 && d.Says("×") })
	d.Ctrl(fyne.KeyF)
	d.sees("chart.png")
	d.Key(fyne.KeyEscape)
	if d.Layers() != 0 {
		t.Error("Escape does not close the viewer")
	}
}
