package backend

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"time"

	"goated/servers/desktop/fault"
	"goated/servers/desktop/guard"
	"goated/servers/desktop/remark"
	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/screenshot"
)

// shoot shows the dialog for a picture.
func (w *wayland) shoot(ctx context.Context) (image.Image, error) {
	if w.c.o.Shoot != nil {
		return w.c.o.Shoot(ctx)
	}
	p, err := w.portals()
	if err != nil {
		return nil, err
	}
	return p.Screenshot(ctx)
}

// picture asks the user for a picture and returns what they choose. It may show goated, because the
// user saw it before they agreed. No dialog opens while the user has halted everything.
func (w *wayland) picture(ctx context.Context) (*screenshot.Picture, error) {
	ctx, end, err := w.c.guard.Begin(ctx)
	if err != nil {
		return nil, fault.Status(err)
	}
	defer end()
	m, age, err := w.choice.Picture(ctx)
	if errors.Is(context.Cause(ctx), guard.ErrHalted) {
		return nil, fault.Status(guard.ErrHalted)
	}
	if err != nil {
		return nil, withPortalAdvice(err)
	}
	if n := int(age.Round(time.Second).Seconds()); n > 1 {
		remark.Add(ctx, fmt.Sprintf("The user chose this picture %d seconds ago: the screen may look different now", n))
	}
	size := m.Bounds().Size()
	rgba := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(rgba, rgba.Rect, m, m.Bounds().Min, draw.Src)
	for i := 0; i+4 <= len(rgba.Pix); i += 4 { // the pixels of a screen picture are in the order blue, green, red
		rgba.Pix[i], rgba.Pix[i+2] = rgba.Pix[i+2], rgba.Pix[i]
	}
	return &screenshot.Picture{Rect: x11.Rect{W: size.X, H: size.Y}, Pix: rgba.Pix, Stride: rgba.Stride}, nil
}
