package ui_test

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/ui"
)

// A pasteboard is the desktop's clipboard for everything except text.
type pasteboard struct {
	picture []byte
	files   []string
	err     error
}

func (p *pasteboard) read(context.Context) ([]byte, []string, error) {
	return p.picture, p.files, p.err
}

// A pasted picture goes with the message to the model, and into the conversation, the history
// and the export. Ctrl+V used to do nothing.
func TestPastedPictureIsSentShownAndSaved(t *testing.T) {
	s, _ := archive(t)
	m := &reader{}
	board := &pasteboard{picture: photo(t)}
	o := ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions(m.answer)}, Desktop: ui.DesktopOptions{Clipboard: board.read}}
	d := shown(t, o)
	d.FocusField(composer)
	d.Paste("")
	d.sees("Pasted image.png")
	d.Paste("")
	d.sees("Pasted image 2.png")
	if d.Pictures() != 2 || d.draft() != "" {
		t.Fatalf("the composer has %d previews and the text %q", d.Pictures(), d.draft())
	}
	d.says("what is it?")
	got := m.last()[0].Parts
	if len(got) != 3 || got[0].InlineData == nil || got[0].InlineData.MIMEType != "image/png" || !bytes.Equal(got[1].InlineData.Data, board.picture) {
		t.Fatalf("the model reads %+v", got)
	}
	var out bytes.Buffer
	if err := s.ExportJSON(t.Context(), &out); err != nil || !strings.Contains(out.String(), "Pasted image 2.png") {
		t.Errorf("the export has no second picture: %v", err)
	}
	d.window.Close()

	again := shown(t, o)
	again.until("both pictures are in the bubble", func() bool {
		return slices.Contains(again.transcript(), "Pasted image 2.png") && again.Pictures() == 2
	})
}

// Files that a file manager copied are attached. A path that was copied as text is pasted as
// text. The window reports an empty clipboard and a failure.
func TestPasteOfFilesPathsAndNothing(t *testing.T) {
	put := files(t)
	notes := put("notes.txt", []byte("notes\n")).Path()
	board := &pasteboard{files: []string{notes}}
	d := shown(t, ui.Options{Desktop: ui.DesktopOptions{Clipboard: board.read}})
	d.FocusField(composer)
	d.Paste(notes + "\n")
	d.sees("notes.txt")
	if d.draft() != "" {
		t.Errorf("the path is pasted beside the file: %q", d.draft())
	}
	*board = pasteboard{}
	d.Paste("/etc/hosts")
	d.until("the path is pasted", func() bool { return d.draft() == "/etc/hosts" })
	d.Paste("")
	d.sees("The clipboard is empty.")
	board.err = errors.New("the owner is gone")
	d.Paste("")
	d.sees("The owner is gone.")
	d.Paste(" and more")
	if d.draft() != "/etc/hosts and more" {
		t.Errorf("text is not pasted at once: %q", d.draft())
	}
	d.Key(fyne.KeyBackspace)
}
