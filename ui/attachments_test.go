package ui_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/storage"
	"google.golang.org/genai"

	"goated/ui"
	"goated/ui/internal/samplechat"
)

// photo returns a small picture.
func photo(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A reader is a model that remembers everything that it reads.
type reader struct {
	mu   sync.Mutex
	read [][]*genai.Content
}

func (r *reader) answer(_ context.Context, h []*genai.Content, yield func(string, error) bool) {
	r.mu.Lock()
	r.read = append(r.read, slices.Clone(h))
	r.mu.Unlock()
	yield("seen", nil)
}

// last returns what the model read most recently.
func (r *reader) last() []*genai.Content {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.read[len(r.read)-1]
}

// files returns a function that writes files that can be dropped onto the window.
func files(t testing.TB) func(name string, data []byte) fyne.URI {
	dir := t.TempDir()
	return func(name string, data []byte) fyne.URI {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return storage.NewFileURI(path)
	}
}

func TestDrop(t *testing.T) {
	put := files(t)
	script, notes := put("tool.py", []byte("print()\n")), put("notes.txt", []byte("notes\n"))
	picture, binary := put("photo.png", photo(t)), put("a.bin", []byte{0, 1, 2})

	d := shown(t, ui.Options{})
	page := fyne.NewPos(600, 200)
	d.drop(page, script)
	if d.Field(scriptField) != script.Path() || !d.Reads("Press Enter to run") {
		t.Fatal("the sheet does not offer to run the script, or runs it already")
	}
	d.drop(page, notes)
	if !d.Reads("Invalid server script type. Must be .py, .js or .go.") {
		t.Error("the window does not say that notes are no script")
	}
	d.closeSheets()
	d.drop(page, notes, picture, binary)
	d.until("two files are attached", func() bool { return d.Reads("notes.txt") && d.Reads("photo.png") })
	d.until("the third is refused", func() bool {
		return d.Says("a.bin can't be attached: models take text, images, sounds, videos and PDFs.") ||
			d.Says("A.bin can't be attached: models take text, images, sounds, videos and PDFs.")
	})
	if d.Pictures() != 1 {
		t.Error("the picture has no preview")
	}
	at, _, _ := d.PlaceOfField(composer)
	d.drop(at.AddXY(20, 10), script)
	d.sees("tool.py")
	if d.connecting() {
		t.Error("a script that is dropped on the composer is to be run")
	}
}

func TestAttachmentsAreSentAndShown(t *testing.T) {
	m := &reader{}
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(m.answer)}})
	d.FocusField(composer)
	d.Paste(strings.Repeat("long ", 2000))
	d.sees("Pasted text.txt")
	if d.draft() != "" || !d.IconPressable("up") {
		t.Error("the text is in the field as well, or can't be sent alone")
	}
	d.send("what is this?")
	d.idle()
	d.sees("seen")
	got := m.last()
	if len(got) != 1 || len(got[0].Parts) != 2 || !strings.HasPrefix(got[0].Parts[0].Text, `Attached file "Pasted text.txt":`) {
		t.Fatalf("the model reads %+v", got)
	}
	if d.Count("Pasted text.txt") != 1 || !slices.Contains(d.transcript(), "Pasted text.txt") {
		t.Error("the file is still in the composer, or not in the conversation")
	}
}

// Escape in the file dialog stopped the turn behind it, and letters went into the message.
func TestEscapeClosesTheFileDialog(t *testing.T) {
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(func(ctx context.Context, _ []*genai.Content, yield func(string, error) bool) {
		yield("Once upon a time", nil)
		<-ctx.Done()
		yield("", ctx.Err())
	})}})
	d.send("Tell me a story")
	d.sees("Once upon a time")
	d.FocusField(composer)
	d.Type("and then")
	d.Ctrl(fyne.KeyO)
	if !d.Reads("Cancel") {
		t.Fatalf("there is no file dialog: %q", d.Texts())
	}
	d.Window.Canvas().OnTypedRune()('x') // nothing has the focus
	d.Key(fyne.KeyEscape)
	if d.Reads("Cancel") || !d.IconPressable("stop") {
		t.Error("the dialog stays open, or the turn was stopped")
	}
	d.Type(", what")
	if got := d.draft(); got != "and then, what" {
		t.Errorf("the message is %q", got)
	}
	d.Key(fyne.KeyEscape)
	d.idle()
}

// Files of sent messages come back with their names and previews after a restart. The model
// reads the same as before.
func TestAttachmentsComeBack(t *testing.T) {
	s, _ := archive(t)
	m := &reader{}
	d := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions(m.answer)}})
	data := photo(t)
	const name = "chart of 2026.png"
	d.drop(fyne.NewPos(600, 200), files(t)(name, data))
	d.sees(name)
	d.says("what is it?")
	sent := func() *genai.Blob { return m.last()[0].Parts[0].InlineData }
	if got := sent(); got.DisplayName != "" || !bytes.Equal(got.Data, data) {
		t.Fatalf("the model reads the name %q", got.DisplayName)
	}
	d.window.Close()

	again := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions(m.answer)}})
	again.until("the file and its preview are shown", func() bool {
		return slices.Contains(again.transcript(), name) && again.Pictures() == 1
	})
	again.edits("what is it?", "what is this?")
	if got := sent(); got.DisplayName != "" || !bytes.Equal(got.Data, data) {
		t.Errorf("the edited message has the file %q", got.DisplayName)
	}
	again.act("seen", "Answer again")
	again.settled()
	if got := sent(); got.DisplayName != "" || !bytes.Equal(got.Data, data) {
		t.Errorf("the model reads the name %q", got.DisplayName)
	}
	if !again.Reads("2/2") {
		t.Error("the second answer is no second version")
	}
}

// The window reports files that a message cannot take because there are too many.
func TestFilesThatAreTooManyAreSaid(t *testing.T) {
	put := files(t)
	var all []fyne.URI
	for i := range 12 {
		all = append(all, put(fmt.Sprintf("note%d.txt", i), []byte("notes\n")))
	}
	d := shown(t, ui.Options{})
	d.drop(fyne.NewPos(600, 200), all...)
	d.sees("note9.txt")
	d.until("the rest is refused", func() bool { return d.Says("essage can have 10 files at most") })
}

// A message waits until its files have been read.
func TestAMessageWaitsForItsFile(t *testing.T) {
	m := &reader{}
	gate := make(chan struct{})
	data := photo(t)
	d := shown(t, ui.Options{Agent: ui.AgentOptions{NewSession: sessions(m.answer)}, Desktop: ui.DesktopOptions{Clipboard: func(ctx context.Context) ([]byte, []string, error) {
		select {
		case <-gate:
		case <-ctx.Done():
		}
		return data, nil, nil
	}}})
	d.FocusField(composer)
	d.Type("what is it?")
	d.Paste("")
	d.Key(fyne.KeyReturn)
	if d.busy() || d.draft() != "what is it?" {
		t.Fatalf("the message went without its picture, and the composer holds %q", d.draft())
	}
	close(gate)
	d.sees("seen")
	d.idle()
	if got := m.last()[0].Parts; len(got) != 2 || got[0].InlineData == nil || got[1].Text != "what is it?" || d.draft() != "" {
		t.Errorf("the model reads %+v, and the composer holds %q", got, d.draft())
	}
}

// Pasted content goes into the conversation in which the user pasted it.
func TestPastedTextStaysInItsConversation(t *testing.T) {
	s, _ := archive(t)
	gate := make(chan struct{})
	l := &listener{}
	d := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions(l.answer)}, Desktop: ui.DesktopOptions{Clipboard: func(ctx context.Context) ([]byte, []string, error) {
		select {
		case <-gate:
		case <-ctx.Done():
		}
		return nil, nil, nil
	}}})
	d.says("first")
	d.write("see ")
	d.Paste("/etc/hosts")
	d.newChat()
	d.write("other")
	close(gate)
	rounds := 0
	d.until("what was posted has run", func() bool { rounds++; return rounds > 10 })
	d.Press("first")
	d.until("the path is in its conversation", func() bool { return d.draft() == "see /etc/hosts" })
	d.Press("New chat", 1)
	if d.draft() != "other" {
		t.Errorf("the other conversation holds %q", d.draft())
	}
}

// A message that was queued when its file was read scrolled another conversation to its end.
func TestAQueuedMessageDoesNotScrollAnotherConversation(t *testing.T) {
	file, data := make(chan struct{}), photo(t)
	s, _ := archive(t)
	model := samplechat.Model(func(ctx context.Context, history []*genai.Content, yield func(string, error) bool) {
		if last := history[len(history)-1].Parts[0].Text; last == "slow" {
			<-ctx.Done()
		}
		samplechat.Echo(ctx, history, yield)
	})
	d := shown(t, ui.Options{History: s, Agent: ui.AgentOptions{NewSession: sessions(model)}, Desktop: ui.DesktopOptions{Clipboard: func(ctx context.Context) ([]byte, []string, error) {
		select {
		case <-file:
		case <-ctx.Done():
		}
		return data, nil, nil
	}}})
	d.says("top")
	for range 4 {
		d.says(strings.Repeat("nothing of interest\n", 30))
	}
	d.newChat()
	d.send("slow")
	d.FocusField(composer)
	d.Type("what is it?")
	d.Paste("")
	d.Key(fyne.KeyReturn)
	d.Press("top")
	y := func() float32 { at, _, _ := d.Place("You said: top"); return at.Y }
	d.until("its beginning is in sight", func() bool {
		d.ScrollAt(fyne.NewPos(700, 400), 2000)
		return slices.Contains(d.transcript(), "You said: top")
	})
	before := y()
	close(file)
	rounds := 0
	d.until("what was posted has run", func() bool { rounds++; return rounds > 10 })
	if now := y(); now != before {
		t.Errorf("the answer moves from %v to %v", before, now)
	}
	d.Press("slow")
	d.until("the message waits", func() bool { return d.Says("what is it?") && d.Reads("Sent when the answer ends") })
}
