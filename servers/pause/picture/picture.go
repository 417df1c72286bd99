// Package picture gets the pictures that a user shows to a model: the picture on the clipboard, or
// a region of the screen that the user marks (seed 004, screenshot_request). Both need an X11
// desktop.
//
// It owns its connections to the desktop, each for the duration of a call. It must not know
// goated's dialogs or windows.
package picture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"goated/servers/desktop/copied"
	"goated/servers/desktop/x11/clipboard"
)

// These are errors for the user.
var (
	// ErrNoPicture means that the clipboard contains neither a picture nor files.
	ErrNoPicture = errors.New("the clipboard has no picture")
	// ErrCancelled means that the user marked no region.
	ErrCancelled = errors.New("no region was marked")
	// ErrWayland and ErrDesktop mean that goated cannot capture the screen of this desktop.
	ErrWayland = errors.New("on Wayland, goated cannot take pictures of the screen: use the tool of your desktop, and paste or choose the picture")
	ErrDesktop = errors.New("on this system, goated cannot take pictures of the screen: use the tool of your system, and choose the picture")
)

// A Desktop is the desktop from which to take pictures. The zero value is the desktop of the
// environment.
type Desktop struct {
	Display   string // like ":0"; empty: $DISPLAY
	Authority string // the authority file; empty: $XAUTHORITY or ~/.Xauthority
}

// readTimeout is how long the clipboard's owner may take to answer.
const readTimeout = 5 * time.Second

// Clipboard returns the picture on the clipboard as PNG, or the paths of the files on it.
func (d Desktop) Clipboard(ctx context.Context) (png []byte, files []string, err error) {
	if d.display() == "" {
		return nil, nil, errors.New("on this system, goated cannot read pictures from the clipboard: choose the picture instead")
	}
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	b, err := clipboard.Open(ctx, clipboard.Options{Display: d.Display, Authority: d.Authority})
	if err != nil {
		return nil, nil, err
	}
	defer b.Close()
	c, _, err := b.Read(ctx, copied.Image, copied.Files)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the clipboard: %w", err)
	}
	if len(c.Data) == 0 && len(c.Files) == 0 {
		return nil, nil, ErrNoPicture
	}
	return c.Data, c.Files, nil
}

// Regions returns nil if the user can mark a region of the screen, and otherwise the reason why
// not.
func (d Desktop) Regions() error {
	switch {
	case d.Display == "" && os.Getenv("WAYLAND_DISPLAY") != "":
		return ErrWayland
	case d.display() == "":
		return ErrDesktop
	}
	return nil
}

func (d Desktop) display() string {
	if d.Display != "" {
		return d.Display
	}
	return os.Getenv("DISPLAY")
}
