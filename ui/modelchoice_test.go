package ui_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/internal/store"
)

// goated forgot a model at the next start if the user had chosen it while the history could not
// be opened.
func TestAModelChosenWhileTheHistoryIsClosedIsSaved(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if err := os.WriteFile(dir, nil, 0o600); err != nil { // a file instead of a folder, so the history cannot be opened
		t.Fatal(err)
	}
	path := filepath.Join(dir, "history.db")
	d, _ := talking(t, path, "quick:7b")
	d.until("the window says so", func() bool { return d.Says("goated can't save now: ") })
	d.send("hello")
	d.sees("Answer of quick:7b")
	d.Ctrl(fyne.KeyM)
	d.sees("House")
	d.Type("busy")
	d.Key(fyne.KeyReturn)
	d.until("the header names the model", func() bool { return d.Reads("Busy") && !d.Reads("In / out per 1M") })
	if err := errors.Join(os.Remove(dir), os.Mkdir(dir, 0o700)); err != nil {
		t.Fatal(err)
	}
	d.Press("Try again")
	d.until("all is saved", func() bool { return !d.Says("can't save") && !d.Says("Not saved yet") })
	history, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer history.Close()
	d.until("the choice is saved", func() bool {
		list, err := history.Conversations(t.Context())
		return err == nil && len(list) == 1 && list[0].Choices.Model == "busy"
	})
}

// The gauge kept the limit of the previous model until the next message.
func TestTheGaugeFollowsTheChosenModel(t *testing.T) {
	d, _ := talking(t, filepath.Join(t.TempDir(), "history.db"), "quick:7b")
	d.says(strings.Repeat("and more words ", 400))
	before := d.Find("%")
	d.Ctrl(fyne.KeyM)
	d.sees("House")
	d.Type("busy")
	d.Key(fyne.KeyReturn)
	d.until("the header names the model", func() bool { return d.Reads("Busy") && !d.Reads("In / out per 1M") })
	if now := d.Find("%"); before == "" || now == before {
		t.Errorf("the gauge shows %q for a large context and %q for a small one", before, now)
	}
}

// A model that the user chose while a conversation was being read was replaced by the previous one.
func TestAModelChosenWhileAConversationIsReadStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	d, _ := talking(t, path, "quick:7b")
	d.says("hello")
	d.newChat()
	d.says("other")
	d.window.Close()
	d, _ = talking(t, path, "quick:7b")
	d.until("the newest conversation is shown", func() bool { return d.title() == "other" })
	d.Press("hello") // the history arrives later
	d.Ctrl(fyne.KeyM)
	d.Type("3.1 pro")
	d.Key(fyne.KeyReturn)
	d.until("the conversation is read", func() bool { return slices.Contains(d.transcript(), "hello") })
	if !d.Reads("Gemini 3.1 Pro Preview") {
		t.Errorf("the header names another model: %q", d.Texts())
	}
}
