package ui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"google.golang.org/genai"

	"goated/ui/kit"
	"goated/ui/view"
)

// An attached is a file of the next message.
type attached struct {
	view.Attachment
	part *genai.Part
}

// maxAttached is how many files one message takes.
const maxAttached = 10

// readAttached reads a file. It may take a while: call it off the UI goroutine.
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

// newAttached makes the part for the model and the attachment to show.
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

// attachments are the files of the next message of each conversation.
type attachments struct{ page *chatPage }

// attach reads files off the UI goroutine and puts them into the composer.
func (f *attachments) attach(paths ...string) {
	c := f.page.conversation()
	f.page.shell.Go(func() {
		for _, path := range paths[:min(len(paths), maxAttached)] {
			a, err := readAttached(path)
			f.page.shell.Post(func() { f.attachTo(c, a, err) })
		}
	})
}

// attachTo adds a file to the next message of c, which may not be shown any more.
func (f *attachments) attachTo(c *conversation, a attached, err error) {
	if err == nil {
		err = f.fits(c, a)
	}
	if err != nil {
		f.page.shell.Alert(err)
		return
	}
	c.files = append(c.files[:len(c.files):len(c.files)], a)
	if c == f.page.conversation() {
		f.showFiles()
		kit.Focus(f.page.composer.input)
	}
}

// fits is nil if the next message of c can take a.
func (f *attachments) fits(c *conversation, a attached) error {
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
func (f *attachments) showFiles() {
	c := f.page.conversation()
	shown := make([]view.Attachment, len(c.files))
	for i, a := range c.files {
		shown[i] = a.Attachment
	}
	f.page.composer.carry(shown)
	f.page.on.Layout()
}

// detach removes a file from the next message.
func (f *attachments) detach(i int) {
	c := f.page.conversation()
	if i < len(c.files) {
		c.files = append(c.files[:i:i], c.files[i+1:]...)
		f.showFiles()
	}
}

// paste attaches a text that is too long for the composer.
func (f *attachments) paste(text string) {
	c := f.page.conversation()
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
	f.page.shell.Go(func() {
		a, err := newAttached(name, []byte(text))
		f.page.shell.Post(func() { f.attachTo(c, a, err) })
	})
}

// pick lets the user pick a file to attach.
func (f *attachments) pick() { f.page.on.LookFor("Attach", func(path string) { f.attach(path) }) }
