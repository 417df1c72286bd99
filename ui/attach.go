package ui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/storage"

	"google.golang.org/genai"

	"goated/client"
	"goated/ui/kit"
	"goated/ui/view"
)

// An attached is a file that goes with the next message.
type attached struct {
	view.Attachment
	part *genai.Part
}

// What is drawn of an image: a square of this many pixels, of images that have
// no more than that many. A few bytes can claim to be a very large image.
// maxAttached is how many files one message takes.
const maxAttached = 10

// readAttached reads a file that is to go with a message. It may take a while.
func readAttached(path string) (attached, error) {
	name := filepath.Base(path)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return attached{}, fmt.Errorf("%s can't be read: %w", name, err)
	case !info.Mode().IsRegular():
		return attached{}, fmt.Errorf("%s can't be attached: it is no file", name)
	case info.Size() > view.MaxAttachment:
		return attached{}, view.TooLarge(name, info.Size())
	}
	f, err := os.Open(path)
	if err != nil {
		return attached{}, fmt.Errorf("%s can't be read: %w", name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, view.MaxAttachment+1))
	if err != nil {
		return attached{}, fmt.Errorf("%s can't be read: %w", name, err)
	}
	return newAttached(name, data)
}

// newAttached makes of data what the model gets and what is shown of it.
func newAttached(name string, data []byte) (attached, error) {
	a, err := view.Attach(name, data)
	if err != nil {
		return attached{}, err
	}
	if !a.Text() {
		if a.Image() {
			a.Preview = view.Thumbnail(data)
		}
		part := genai.NewPartFromBytes(data, a.Type)
		part.InlineData.DisplayName = name // for the history, not for the model
		return attached{a, part}, nil
	}
	return attached{a, genai.NewPartFromText(view.AttachedText(name, string(data)))}, nil
}

// attach reads files off the UI goroutine and puts them into the composer.
func (w *Window) attach(paths ...string) {
	c := w.conversation()
	w.begin(func() {
		for _, path := range paths[:min(len(paths), maxAttached)] {
			a, err := readAttached(path)
			w.post(func() { w.attachTo(c, a, err) })
		}
	})
}

// attachTo puts what was read into the composer, or into the draft of the
// conversation that it was meant for.
func (w *Window) attachTo(c *conversation, a attached, err error) {
	if err == nil {
		err = w.fits(c, a)
	}
	if err != nil {
		w.alert(err)
		return
	}
	c.files = append(c.files[:len(c.files):len(c.files)], a)
	if c == w.conversation() {
		w.showFiles()
		kit.Focus(w.composer.input)
	}
}

// fits is nil if a message can take one file more.
func (w *Window) fits(c *conversation, a attached) error {
	all := a.Size
	for _, have := range c.files {
		all += have.Size
	}
	switch {
	case len(c.files) >= maxAttached:
		return errors.New(view.Plural(maxAttached, "a message takes %d file at most", "a message takes %d files at most"))
	case all > view.MaxAttachment:
		return fmt.Errorf("%s can't be attached as well: together they have more than %d MB", a.Name, view.MaxAttachment>>20)
	}
	return nil
}

// showFiles shows the files of the conversation's next message.
func (w *Window) showFiles() {
	c := w.conversation()
	shown := make([]view.Attachment, len(c.files))
	for i, a := range c.files {
		shown[i] = a.Attachment
	}
	w.composer.carry(shown)
	w.head()
}

// detach takes a file out again.
func (w *Window) detach(i int) {
	c := w.conversation()
	if i < len(c.files) {
		c.files = append(c.files[:i:i], c.files[i+1:]...)
		w.showFiles()
	}
}

// paste makes an attachment of a text that is too long for the composer.
func (w *Window) paste(text string) {
	c := w.conversation()
	n := 1
	for _, a := range c.files {
		if a.Text() {
			n++
		}
	}
	name := "Pasted text.txt"
	if n > 1 {
		name = fmt.Sprintf("Pasted text %d.txt", n)
	}
	w.begin(func() {
		a, err := newAttached(name, []byte(text))
		w.post(func() { w.attachTo(c, a, err) })
	})
}

// pick has the user look for a file to attach.
func (w *Window) pick() { w.lookFor("Attach", func(path string) { w.attach(path) }) }

// lookFor has the user look for a file, with one of the endings if there are any.
// confirm is what its button says; found gets the path.
func (w *Window) lookFor(confirm string, found func(path string), endings ...string) {
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			w.alert(fmt.Errorf("the file can't be opened: %w", err))
			return
		}
		if file == nil {
			return
		}
		path := file.URI().Path()
		_ = file.Close() // nothing was read of it yet
		found(path)
	}, w.win)
	d.SetConfirmText(confirm)
	if len(endings) > 0 {
		d.SetFilter(storage.NewExtensionFileFilter(endings))
	}
	d.Resize(fyne.NewSize(900, 620))
	d.Show()
}

// drop takes files that were dragged onto the window. A script is offered to be
// connected; onto the composer it is attached like any other file.
func (w *Window) drop(at fyne.Position, files []fyne.URI) {
	var paths []string
	for _, u := range files {
		if u != nil && (u.Scheme() == "file" || u.Scheme() == "") {
			paths = append(paths, u.Path())
		}
	}
	if len(paths) == 0 || w.asked != nil {
		return
	}
	switch _, err := client.Command(paths[0]); {
	case w.connector != nil && err != nil:
		w.alert(err)
	case w.connector != nil:
		w.connector.path.Put(paths[0])
	case err == nil && len(paths) == 1 && !w.overComposer(at):
		// It is not run yet: a file that is dropped to be read must not be.
		w.clear()
		w.connect()
		w.connector.path.Put(paths[0])
		w.connector.status.Set("Press Enter to run it")
	case len(paths) == 1 && w.options.History != nil && !w.overComposer(at) && strings.EqualFold(filepath.Ext(paths[0]), ".json"):
		w.clear()
		w.importOrAttach(paths[0])
	default:
		w.clear()
		w.attach(paths...)
	}
}

func (w *Window) overComposer(at fyne.Position) bool {
	o := w.composer.root
	top := fyne.CurrentApp().Driver().AbsolutePositionForObject(o)
	return at.Y >= top.Y-8 && at.X >= top.X && at.X <= top.X+o.Size().Width
}
