// Package clipboard reads pictures and files that another program copied, for the composer. The
// window's toolkit reads only text.
//
// It owns nothing: each read opens a connection to the display and closes it. It supports X11,
// which Wayland desktops also provide. On other systems it returns [errUnsupported]. It must not
// know the window.
package clipboard

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"goated/servers/desktop/copied"
	"goated/servers/desktop/x11/clipboard"
)

// errUnsupported means that goated cannot read pictures from this system's clipboard.
var errUnsupported = errors.New("goated can't read pictures from the clipboard of this system: save the picture to a file and attach it with Ctrl+O")

// readTimeout is how long the clipboard's owner may take to answer.
const readTimeout = 10 * time.Second

// Read returns the absolute paths of the copied files. If there are none, it returns the picture as
// a PNG. Both are empty if the clipboard has neither. Do not call it on the UI goroutine: if this
// program owns the clipboard, it answers on that goroutine.
func Read(ctx context.Context) (picture []byte, files []string, err error) {
	return read(ctx, os.Getenv("DISPLAY"), "")
}

func read(ctx context.Context, display, authority string) (picture []byte, files []string, err error) {
	if display == "" {
		return nil, nil, errUnsupported
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	b, err := clipboard.Open(ctx, clipboard.Options{Display: display, Authority: authority})
	if err != nil {
		return nil, nil, fmt.Errorf("reading the clipboard: %w", err)
	}
	defer b.Close()
	c, _, err := b.Read(ctx, copied.Files, copied.Image)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the clipboard: %w", err)
	}
	return c.Data, c.Files, nil
}
