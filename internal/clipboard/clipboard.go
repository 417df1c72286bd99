// Package clipboard reads pictures and files that another program copied, for the
// composer. The window's toolkit reads only text.
//
// It owns nothing: each read opens a connection to the display and closes it. It
// knows X11, which Wayland desktops also serve; elsewhere it reports
// [errUnsupported]. It must not know the window.
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

// errUnsupported says that goated cannot read pictures from this system's clipboard.
var errUnsupported = errors.New("goated can't read pictures from the clipboard of this system: save the picture to a file and attach it with Ctrl+O")

// readTimeout is how long the program that owns the clipboard may take.
const readTimeout = 10 * time.Second

// Read returns the files that were copied, as absolute paths, or else the picture, as
// a PNG. Both are empty if the clipboard has neither. Call it off the UI goroutine:
// the program that owns the clipboard may be this one, and answers there.
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
