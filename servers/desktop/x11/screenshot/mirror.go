package screenshot

import (
	"bytes"
	"context"
	"image"

	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"
	"golang.org/x/image/draw"

	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/wire"
)

// A Mirror takes pictures of a whole screen, with the mouse pointer, to show them to the user live.
// Unlike a [Camera] it hides nothing, so it is only for a desktop on which goated has no windows. Only
// one goroutine may use it at a time.
type Mirror struct {
	c       *wire.Conn
	segment segment
	last    []byte // the pixels of the last picture
	spot    image.Point
	within  image.Point
	pointer bool // the server can report the pointer's image
}

// NewMirror opens a display for pictures. The caller must close the Mirror.
func NewMirror(ctx context.Context, display, authority string) (*Mirror, error) {
	c, err := wire.Dial(ctx, wire.Options{Display: display, Authority: authority, Extensions: []string{"MIT-SHM", "XFIXES"}})
	if err != nil {
		return nil, err
	}
	if err := pixels(c); err != nil {
		c.Close()
		return nil, err
	}
	m := &Mirror{c: c}
	if c.Has("XFIXES") {
		const major, minor = 4, 0
		_, err := xfixes.QueryVersion(c.X, major, minor).Reply()
		m.pointer = err == nil
	}
	return m, nil
}

// Close ends the connection and releases the memory.
func (m *Mirror) Close() {
	m.segment.free(m.c)
	m.c.Close()
}

// Take returns a picture of the screen, scaled down to fit into within (in pixels). It returns nil if
// nothing has changed since the last picture.
func (m *Mirror) Take(ctx context.Context, within image.Point) (*image.RGBA, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, err
	}
	g, err := xproto.GetGeometry(m.c.X, xproto.Drawable(m.c.Root)).Reply()
	if err != nil {
		return nil, wire.Gone(err)
	}
	w, h := int(g.Width), int(g.Height)
	pix, err := m.grab(w, h)
	if err != nil {
		return nil, err
	}
	at, err := xproto.QueryPointer(m.c.X, m.c.Root).Reply()
	if err != nil {
		return nil, wire.Gone(err)
	}
	spot := image.Pt(int(at.RootX), int(at.RootY))
	if bytes.Equal(pix, m.last) && spot == m.spot && within == m.within {
		return nil, nil
	}
	m.last, m.spot, m.within = append(m.last[:0], pix...), spot, within
	p := &Picture{Rect: x11.Rect{W: w, H: h}, Pix: pix, Stride: 4 * w}
	full := p.RGBA()
	m.point(full)
	size := fit(w, h, within)
	if size == full.Rect.Max {
		return full, nil
	}
	small := image.NewRGBA(image.Rectangle{Max: size})
	draw.BiLinear.Scale(small, small.Rect, full, full.Rect, draw.Src, nil)
	return small, nil
}

// grab reads the screen. The result is valid until the next call.
func (m *Mirror) grab(w, h int) ([]byte, error) {
	if shared, err := m.segment.grab(m.c, xproto.Drawable(m.c.Root), 0, 0, w, h); err == nil {
		return shared, nil
	}
	r, err := xproto.GetImage(m.c.X, xproto.ImageFormatZPixmap, xproto.Drawable(m.c.Root), 0, 0, uint16(w), uint16(h), ^uint32(0)).Reply()
	if err != nil {
		return nil, wire.Gone(err)
	}
	if len(r.Data) < 4*w*h {
		return nil, x11.ErrUnsupported
	}
	return r.Data[:4*w*h], nil
}

// point draws the mouse pointer, which shows the user where goated clicks.
func (m *Mirror) point(on *image.RGBA) {
	if !m.pointer {
		return
	}
	r, err := xfixes.GetCursorImage(m.c.X).Reply()
	if err != nil || len(r.CursorImage) < int(r.Width)*int(r.Height) {
		return
	}
	shape := image.NewRGBA(image.Rect(0, 0, int(r.Width), int(r.Height)))
	for i := range int(r.Width) * int(r.Height) {
		argb := r.CursorImage[i] // premultiplied, as in image.RGBA
		shape.Pix[4*i], shape.Pix[4*i+1], shape.Pix[4*i+2], shape.Pix[4*i+3] = byte(argb>>16), byte(argb>>8), byte(argb), byte(argb>>24)
	}
	place := shape.Rect.Add(image.Pt(int(r.X)-int(r.Xhot), int(r.Y)-int(r.Yhot)))
	draw.Draw(on, place, shape, image.Point{}, draw.Over)
}

// fit returns the largest size that fits into within, keeps the aspect ratio of the screen, and does
// not exceed the screen.
func fit(w, h int, within image.Point) image.Point {
	switch {
	case within.X >= w && within.Y >= h:
		return image.Pt(w, h)
	case within.X*h <= within.Y*w:
		return image.Pt(max(within.X, 1), max(within.X*h/w, 1))
	}
	return image.Pt(max(within.Y*w/h, 1), max(within.Y, 1))
}
