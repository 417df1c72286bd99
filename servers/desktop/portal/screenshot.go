package portal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	_ "image/jpeg" // a portal may save another format than PNG
	_ "image/png"
	"io"
	"net/url"
	"os"

	"github.com/godbus/dbus/v5"
)

// maxPicture is the size limit of the file in bytes. maxPixels is the limit of the picture in pixels.
const (
	maxPicture = 64 << 20
	maxPixels  = 64 << 20
)

// Screenshot lets the user choose what goated sees, and returns that picture. The desktop shows a
// dialog each time. Screenshot removes the file that the portal saved.
func (p *Portal) Screenshot(ctx context.Context) (image.Image, error) {
	results, err := p.ask(ctx, screenshots+".Screenshot", map[string]dbus.Variant{
		"interactive": dbus.MakeVariant(true),
		"modal":       dbus.MakeVariant(true),
	}, "")
	if err != nil {
		return nil, err
	}
	uri, _ := results["uri"].Value().(string)
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" {
		return nil, fmt.Errorf("%w: the picture is at %q, which is no file", ErrFailed, uri)
	}
	b, err := picture(u.Path)
	if err != nil {
		return nil, err
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("%w: reading its picture: %w", ErrFailed, err)
	}
	if c.Width*c.Height > maxPixels {
		return nil, fmt.Errorf("%w: its picture has %d × %d pixels", ErrFailed, c.Width, c.Height)
	}
	m, _, err := image.Decode(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("%w: reading its picture: %w", ErrFailed, err)
	}
	return m, nil
}

// picture reads the file of a screenshot and removes it.
func picture(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, os.ErrPermission) || errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%w: it saved the picture as %s, which the sandbox of this server hides: %w", ErrFailed, path, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxPicture+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFailed, err)
	}
	if len(b) > maxPicture {
		return nil, fmt.Errorf("%w: its picture has more than %d bytes", ErrFailed, maxPicture)
	}
	_ = os.Remove(path) // nobody else needs it; if the desktop forbids the removal, it stays
	return b, nil
}
