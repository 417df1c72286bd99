package ui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"os"
	"path/filepath"
	"time"

	"goated/servers/pause/dialog"
	"goated/servers/pause/picture"
	"goated/ui/pause"
	"goated/ui/shell"
	"goated/ui/view/format"
)

// Pictures reads pictures of the user's desktop. Its methods block and are safe for concurrent
// use.
type Pictures interface {
	// Clipboard returns the picture on the clipboard as PNG, or the files on the clipboard.
	Clipboard(ctx context.Context) (png []byte, files []string, err error)
	// Region lets the user select a region of the screen and returns it as PNG. It calls ready
	// when the user can begin.
	Region(ctx context.Context, ready func()) ([]byte, error)
	// Regions returns nil if Region works, otherwise an error with the reason.
	Regions() error
}

// An attacher attaches files to the answers of dialogs.
type attacher struct {
	shell    *shell.Shell
	pictures Pictures // nil: the clipboard and the screen cannot be read
	show     func(on bool)
}

// sources returns the ways to attach files that this desktop supports.
func (a attacher) sources() pause.Sources {
	s := pause.Sources{Pick: a.pick, Read: a.read}
	if a.pictures == nil {
		return s
	}
	s.Paste = a.paste
	if err := a.pictures.Regions(); err != nil {
		s.Blind = err.Error()
	} else {
		s.Capture = a.capture
	}
	return s
}

// pick lets the user choose a file.
func (a attacher) pick(add func([]dialog.Attachment)) {
	a.shell.ChooseFile("Attach", func(path string) { a.read([]string{path}, add) })
}

// load runs get off the UI goroutine and adds the files that it returns.
func (a attacher) load(add func([]dialog.Attachment), get func() ([]dialog.Attachment, error)) {
	a.shell.Go(func() {
		all, err := get()
		a.shell.Post(func() {
			if err != nil {
				a.shell.Alert(err)
				return
			}
			add(all)
		})
	})
}

func (a attacher) read(paths []string, add func([]dialog.Attachment)) {
	a.load(add, func() ([]dialog.Attachment, error) { return readFiles(paths) })
}

func readFiles(paths []string) (all []dialog.Attachment, err error) {
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // opening a pipe would block until something writes to it
			what := "not a regular file"
			if info.IsDir() {
				what = "a folder"
			}
			return nil, fmt.Errorf("%s is %s, so it can't be attached: choose a file", path, what)
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		attachment, err := readAttachment(filepath.Base(path), f)
		if err != nil {
			return nil, err
		}
		all = append(all, attachment)
	}
	return all, nil
}

func (a attacher) paste(add func([]dialog.Attachment)) {
	a.load(add, func() ([]dialog.Attachment, error) {
		png, files, err := a.pictures.Clipboard(a.shell.Ctx)
		if err != nil || len(png) == 0 {
			all, failed := readFiles(files)
			return all, errors.Join(err, failed)
		}
		return []dialog.Attachment{{Name: "pasted.png", Type: "image/png", Data: png}}, nil
	})
}

// repaintDelay is how long the desktop may take to draw what was behind goated's window. No event
// reports that it has finished.
const repaintDelay = 400 * time.Millisecond

// capture hides the window, lets the user select a region, and shows the window again.
func (a attacher) capture(add func([]dialog.Attachment)) {
	a.show(false)
	a.shell.Go(func() {
		select {
		case <-time.After(repaintDelay):
		case <-a.shell.Ctx.Done():
		}
		png, err := a.pictures.Region(a.shell.Ctx, nil)
		a.shell.Post(func() {
			a.show(true)
			switch {
			case errors.Is(err, picture.ErrCancelled):
			case err != nil:
				a.shell.Alert(err)
			default:
				add([]dialog.Attachment{{Name: "region.png", Type: "image/png", Data: png}})
			}
		})
	})
}

// readAttachment reads a file and closes it.
func readAttachment(name string, file io.ReadCloser) (dialog.Attachment, error) {
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, dialog.MaxAttachments+1))
	if err != nil {
		return dialog.Attachment{}, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(data) > dialog.MaxAttachments {
		return dialog.Attachment{}, fmt.Errorf("%s is too large: at most %s can be attached", name, format.Size(dialog.MaxAttachments))
	}
	return dialog.Attachment{Name: name, Type: mediaType(name), Data: data}, nil
}

// mediaType returns the media type of a file from its name.
func mediaType(name string) string {
	if t, _, err := mime.ParseMediaType(mime.TypeByExtension(filepath.Ext(name))); err == nil {
		return t
	}
	return "application/octet-stream"
}
