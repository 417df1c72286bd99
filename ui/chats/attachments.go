package chats

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"google.golang.org/genai"

	"goated/internal/attachedfile"
	"goated/internal/chat"
	"goated/ui/kit"
	"goated/ui/view"
	"goated/ui/view/format"
	"goated/ui/view/picture"
)

// An Attached is a file that is attached to the next message.
type Attached struct {
	view.Attachment
	part *genai.Part
}

// maxAttached limits the number of files of one message.
const maxAttached = 10

// readAttached reads a file. It can be slow, so callers run it off the UI goroutine.
func readAttached(path string) (Attached, error) {
	name := filepath.Base(path)
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return Attached{}, fmt.Errorf("%s can't be read: %w", name, err)
	case !info.Mode().IsRegular():
		return Attached{}, fmt.Errorf("%s can't be attached: it is not a file", name)
	case info.Size() > view.MaxAttachment:
		return Attached{}, view.TooLarge(name, info.Size())
	}
	f, err := os.Open(path)
	if err != nil {
		return Attached{}, fmt.Errorf("%s can't be read: %w", name, err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, view.MaxAttachment+1))
	if err != nil {
		return Attached{}, fmt.Errorf("%s can't be read: %w", name, err)
	}
	return newAttached(name, data)
}

// newAttached returns the part for the model, and the attachment that the window shows.
func newAttached(name string, data []byte) (Attached, error) {
	a, err := view.Attach(name, data)
	if err != nil {
		return Attached{}, err
	}
	part := chat.FilePart(name, a.Type, data)
	if a.Text() {
		_, a.Content, _ = attachedfile.Parse(part.Text) // shares its bytes
	} else if a.Data = data; a.Image() {
		a.Preview = picture.Thumbnail(data)
	}
	return Attached{a, part}, nil
}

// keptFiles returns the saved files of a draft. It can be slow.
func keptFiles(parts []*genai.Part) (all []Attached) {
	for _, p := range parts {
		_, files := splitMessage([]*genai.Part{p})
		for _, a := range files {
			if a.Image() {
				a.Preview = picture.Thumbnail(a.Data)
			}
			all = append(all, Attached{a, p})
		}
	}
	return all
}

// appendParts appends the parts of files to parts.
func appendParts(parts []*genai.Part, files []Attached) []*genai.Part {
	for _, a := range files {
		parts = append(parts, a.part)
	}
	return parts
}

// restore adds the files of a saved draft to the next message. Files that the user attached while
// the conversation was being read come after them.
func (f *attachments) restore(c *Conversation, files []Attached) {
	c.kept = appendParts(nil, files)
	c.Files = append(files, c.Files...)
	f.page.keepDraft(c)
	if c == f.page.Conversation() {
		f.ShowFiles()
	}
}

// attachments manages the files of the next message of each conversation.
type attachments struct{ page *Page }

// Attach reads files off the UI goroutine and attaches them to the next message of the shown
// conversation.
func (f *attachments) Attach(paths ...string) { f.attachAll(f.page.Conversation(), paths) }

// attachAll attaches files to the next message of c.
func (f *attachments) attachAll(c *Conversation, paths []string) {
	paths = paths[:min(len(paths), maxAttached+1)] // one file over the limit remains, and causes the error message
	c.reading += len(paths)
	f.page.shell.Go(func() {
		for _, path := range paths {
			a, err := readAttached(path)
			f.page.shell.Post(func() { f.attachTo(c, a, err) })
		}
	})
}

// wasRead records that a file of the next message of c was read or refused. If the user has
// pressed Enter in the meantime and no file is missing, it sends the message.
func (f *attachments) wasRead(c *Conversation, complete bool) {
	c.reading--
	c.hurry = c.hurry && complete
	switch shown := c == f.page.Conversation(); {
	case c.reading > 0:
	case !c.hurry && shown:
		f.page.Composer.run(c.Running()) // updates the shortcut hint
	case !c.hurry:
	case shown:
		f.page.Composer.submit()
	default:
		text := strings.TrimSpace(c.draft)
		c.draft = ""
		f.page.keepDraft(c)
		f.page.deliver(c, text)
	}
}

// attachTo adds a file to the next message of c, after the file was read. c may no longer be the
// shown conversation.
func (f *attachments) attachTo(c *Conversation, a Attached, err error) {
	if err == nil {
		err = f.fits(c, a)
	}
	defer func() { f.wasRead(c, err == nil) }()
	if err != nil {
		f.page.shell.Alert(err)
		return
	}
	c.Files = append(c.Files[:len(c.Files):len(c.Files)], a)
	f.page.keepDraft(c)
	if c == f.page.Conversation() {
		f.ShowFiles()
		kit.Focus(f.page.Composer.Input)
	}
}

// fits returns an error if the next message of c cannot take a.
func (f *attachments) fits(c *Conversation, a Attached) error {
	all := a.Size
	for _, have := range c.Files {
		all += have.Size
	}
	switch {
	case len(c.Files) >= maxAttached:
		return errors.New(format.Plural(maxAttached, "a message can have %d file at most", "a message can have %d files at most"))
	case all > view.MaxAttachment:
		return fmt.Errorf("%s can't be attached: the files together are larger than %d MB", a.Name, view.MaxAttachment>>20)
	}
	return nil
}

// ShowFiles shows the files of the next message of the shown conversation.
func (f *attachments) ShowFiles() {
	c := f.page.Conversation()
	shown := make([]view.Attachment, len(c.Files))
	for i, a := range c.Files {
		shown[i] = a.Attachment
	}
	f.page.Composer.carry(shown)
	f.page.on.Layout()
}

// detach removes a file from the next message.
func (f *attachments) detach(i int) {
	c := f.page.Conversation()
	if i < len(c.Files) {
		c.Files = append(c.Files[:i:i], c.Files[i+1:]...)
		f.page.keepDraft(c)
		f.ShowFiles()
	}
}

// turnToText replaces the file of a pasted text by its content in the composer.
func (f *attachments) turnToText(i int) {
	c := f.page.Conversation()
	if i < len(c.Files) {
		text := c.Files[i].Content
		f.detach(i)
		kit.Focus(f.page.Composer.Input)
		f.page.Composer.Input.Insert(text)
	}
}

// paste attaches text that is too long for the composer.
func (f *attachments) paste(text string) {
	c := f.page.Conversation()
	name := c.freeName(view.PastedText, ".txt", Attached.Text)
	c.reading++
	f.page.shell.Go(func() {
		a, err := newAttached(name, []byte(text))
		f.page.shell.Post(func() { f.attachTo(c, a, err) })
	})
}

// pasteOther attaches the picture or the files on the clipboard. If there are none, it pastes
// text, or tells the user if text is empty.
func (f *attachments) pasteOther(text string) bool {
	c := f.page.Conversation()
	name := c.freeName("Pasted image", ".png", Attached.Image)
	c.reading++
	f.page.shell.Go(func() {
		data, paths, err := f.page.on.Clipboard(f.page.shell.Ctx)
		var a Attached
		picture := err == nil && len(paths) == 0 && len(data) > 0
		if picture {
			a, err = newAttached(name, data)
		}
		f.page.shell.Post(func() {
			switch {
			case picture:
				f.attachTo(c, a, err)
				return
			case len(paths) > 0:
				f.attachAll(c, paths)
			case text != "": // the path of a file, copied as text
				f.insert(c, text)
			case err != nil:
				f.page.shell.Alert(err)
			default:
				f.page.shell.Toasts.Say("clip", "The clipboard is empty.")
			}
			f.wasRead(c, len(paths) > 0 || text != "")
		})
	})
	return true
}

// insert puts text at the cursor of the composer, or after the draft if c is not shown.
func (f *attachments) insert(c *Conversation, text string) {
	if c == f.page.Conversation() {
		f.page.Composer.Input.Insert(text)
		return
	}
	c.draft += text
	f.page.keepDraft(c)
}

// freeName returns an unused name for the next attachment of a kind, for example "Pasted image
// 2.png".
func (c *Conversation) freeName(name, ending string, of func(Attached) bool) string {
	n := 1
	for _, a := range c.Files {
		if of(a) {
			n++
		}
	}
	if n > 1 {
		name = fmt.Sprintf("%s %d", name, n)
	}
	return name + ending
}

// Pick lets the user choose a file to attach.
func (f *attachments) Pick() { f.page.on.LookFor("Attach", func(path string) { f.Attach(path) }) }
