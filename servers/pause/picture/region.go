package picture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"time"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11/wire"
)

// smallest is the minimum width and height of a region, because a click without a drag marks
// nothing.
const smallest = 4

// grabTime is how long another program, for example with a menu, may hold the pointer.
const grabTime = 2 * time.Second

// Region freezes the screen, lets the user mark a region with the pointer, and returns the region
// as PNG. Esc and each mouse button but the left one cancel with [ErrCancelled]. Region calls ready
// when the user can begin; ready may be nil. It blocks until the user is done or ctx ends.
func (d Desktop) Region(ctx context.Context, ready func()) ([]byte, error) {
	if err := d.Regions(); err != nil {
		return nil, err
	}
	s := &selection{events: make(chan wire.Event, 256), done: make(chan struct{})}
	c, err := wire.Dial(ctx, wire.Options{Display: d.Display, Authority: d.Authority, Handle: s.handle})
	if err != nil {
		return nil, err
	}
	defer c.Close() // releases the window, the pixmaps and the grabs
	defer close(s.done)
	s.c = c
	if err := s.freeze(); err != nil {
		return nil, fmt.Errorf("taking a picture of the screen: %w", wire.Gone(err))
	}
	if err := s.cover(ctx); err != nil {
		return nil, err
	}
	if ready != nil {
		ready()
	}
	marked, err := s.mark(ctx)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := png.Encode(&out, s.bright.SubImage(marked)); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// A selection is a region that the user marks on a frozen screen.
type selection struct {
	c      *wire.Conn
	events chan wire.Event
	done   chan struct{} // closed when no goroutine reads events any more
	bright *image.RGBA   // a picture of the screen

	window xproto.Window
	copies xproto.Gcontext // copies from the pixmaps
	edge   xproto.Gcontext // draws the outline of the region
	lit    xproto.Pixmap   // the unchanged screen
	dim    xproto.Pixmap   // the darkened screen, shown outside the region
	escape xproto.Keycode
}

func (s *selection) handle(e wire.Event) {
	select {
	case s.events <- e:
	case <-s.done:
	}
}

// freeze captures the screen. It puts the picture and a darkened copy into pixmaps.
func (s *selection) freeze() error {
	w, h := s.c.Screen.WidthInPixels, s.c.Screen.HeightInPixels
	if s.c.Setup.ImageByteOrder != xproto.ImageOrderLSBFirst || s.c.Screen.RootDepth != 24 && s.c.Screen.RootDepth != 32 {
		return errors.New("the screen has other colours than goated can read")
	}
	shot, err := xproto.GetImage(s.c.X, xproto.ImageFormatZPixmap, xproto.Drawable(s.c.Root), 0, 0, w, h, ^uint32(0)).Reply()
	if err != nil {
		return err
	}
	if len(shot.Data) < int(w)*int(h)*4 {
		return errors.New("the screen has other colours than goated can read")
	}
	s.bright = image.NewRGBA(image.Rect(0, 0, int(w), int(h)))
	dark := make([]byte, int(w)*int(h)*4)
	for i := 0; i < len(dark); i += 4 {
		b, g, r := shot.Data[i], shot.Data[i+1], shot.Data[i+2]
		s.bright.Pix[i], s.bright.Pix[i+1], s.bright.Pix[i+2], s.bright.Pix[i+3] = r, g, b, 0xFF
		dark[i], dark[i+1], dark[i+2] = b/2, g/2, r/2
	}
	if s.copies, err = xproto.NewGcontextId(s.c.X); err != nil {
		return err
	}
	if err := xproto.CreateGCChecked(s.c.X, s.copies, xproto.Drawable(s.c.Root), 0, nil).Check(); err != nil {
		return err
	}
	if s.edge, err = xproto.NewGcontextId(s.c.X); err != nil {
		return err
	}
	const accent = 0x8DB59D // visible on dark and light backgrounds
	if err := xproto.CreateGCChecked(s.c.X, s.edge, xproto.Drawable(s.c.Root), xproto.GcForeground|xproto.GcLineWidth, []uint32{accent, 2}).Check(); err != nil {
		return err
	}
	if s.lit, err = s.pixmap(shot.Data); err != nil {
		return err
	}
	s.dim, err = s.pixmap(dark)
	return err
}

// pixmap sends pixels of the whole screen to the X server, in parts that fit into a request.
func (s *selection) pixmap(pixels []byte) (xproto.Pixmap, error) {
	w, h := s.c.Screen.WidthInPixels, s.c.Screen.HeightInPixels
	p, err := xproto.NewPixmapId(s.c.X)
	if err != nil {
		return 0, err
	}
	if err := xproto.CreatePixmapChecked(s.c.X, s.c.Screen.RootDepth, p, xproto.Drawable(s.c.Root), w, h).Check(); err != nil {
		return 0, err
	}
	line := int(w) * 4
	rows := max((200<<10)/line, 1)
	for y := 0; y < int(h); y += rows {
		n := min(rows, int(h)-y)
		xproto.PutImage(s.c.X, xproto.ImageFormatZPixmap, xproto.Drawable(p), s.copies, w, uint16(n), 0, int16(y), 0, s.c.Screen.RootDepth, pixels[y*line:(y+n)*line])
	}
	return p, s.c.Sync()
}

// cover covers the screen with the darkened picture, and grabs the pointer and the keyboard.
func (s *selection) cover(ctx context.Context) error {
	w, h := s.c.Screen.WidthInPixels, s.c.Screen.HeightInPixels
	id, err := xproto.NewWindowId(s.c.X)
	if err == nil {
		s.window = id
		err = xproto.CreateWindowChecked(s.c.X, s.c.Screen.RootDepth, id, s.c.Root, 0, 0, w, h, 0, xproto.WindowClassInputOutput, s.c.Screen.RootVisual,
			xproto.CwBackPixmap|xproto.CwOverrideRedirect, []uint32{uint32(s.dim), 1}).Check()
	}
	if err == nil {
		err = xproto.MapWindowChecked(s.c.X, id).Check()
	}
	if err == nil {
		s.escape, err = s.escapeKey()
	}
	if err != nil {
		return fmt.Errorf("covering the screen: %w", wire.Gone(err))
	}
	deadline := time.Now().Add(grabTime)
	for {
		held, err := s.grab()
		if err != nil || held {
			return err
		}
		if time.Now().After(deadline) {
			return errors.New("another program holds the pointer or the keyboard: close its menu and try again")
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(30 * time.Millisecond):
		}
	}
}

// grab grabs the pointer and the keyboard. It returns false if another program has grabbed one of
// them.
func (s *selection) grab() (bool, error) {
	const mask = xproto.EventMaskButtonPress | xproto.EventMaskButtonRelease | xproto.EventMaskPointerMotion
	cursor, err := s.crosshair()
	if err != nil {
		return false, wire.Gone(err)
	}
	p, err := xproto.GrabPointer(s.c.X, false, s.window, mask, xproto.GrabModeAsync, xproto.GrabModeAsync, s.window, cursor, xproto.TimeCurrentTime).Reply()
	if err != nil {
		return false, wire.Gone(err)
	}
	k, err := xproto.GrabKeyboard(s.c.X, false, s.window, xproto.TimeCurrentTime, xproto.GrabModeAsync, xproto.GrabModeAsync).Reply()
	if err != nil {
		return false, wire.Gone(err)
	}
	return p.Status == xproto.GrabStatusSuccess && k.Status == xproto.GrabStatusSuccess, nil
}

// crosshair returns the cursor for marking, or none if the server has no cursor font.
func (s *selection) crosshair() (xproto.Cursor, error) {
	font, err := xproto.NewFontId(s.c.X)
	if err != nil {
		return 0, err
	}
	cursor, err := xproto.NewCursorId(s.c.X)
	if err != nil {
		return 0, err
	}
	const name, glyph = "cursor", 34 // XC_crosshair
	if xproto.OpenFontChecked(s.c.X, font, uint16(len(name)), name).Check() != nil {
		return 0, nil
	}
	err = xproto.CreateGlyphCursorChecked(s.c.X, cursor, font, font, glyph, glyph+1, 0, 0, 0, 0xFFFF, 0xFFFF, 0xFFFF).Check()
	return cursor, err
}

// escapeKey returns the keycode of Esc on this keyboard.
func (s *selection) escapeKey() (xproto.Keycode, error) {
	first, last := s.c.Setup.MinKeycode, s.c.Setup.MaxKeycode
	m, err := xproto.GetKeyboardMapping(s.c.X, first, byte(last-first+1)).Reply()
	if err != nil {
		return 0, err
	}
	const escape = 0xFF1B
	for i, sym := range m.Keysyms {
		if sym == escape {
			return first + xproto.Keycode(i/int(m.KeysymsPerKeycode)), nil
		}
	}
	return 0, nil // if there is no such key, the right button cancels
}

// mark returns the region that the user marks by dragging.
func (s *selection) mark(ctx context.Context) (image.Rectangle, error) {
	var from image.Point
	var drawn image.Rectangle
	dragging := false
	for {
		var e wire.Event
		select {
		case <-ctx.Done():
			return image.Rectangle{}, ctx.Err()
		case <-s.c.Gone():
			return image.Rectangle{}, wire.ErrGone
		case e = <-s.events:
		}
		switch e := e.Core.(type) {
		case xproto.ButtonPressEvent:
			if e.Detail != xproto.ButtonIndex1 {
				return image.Rectangle{}, ErrCancelled
			}
			from, dragging = image.Pt(int(e.RootX), int(e.RootY)), true
		case xproto.MotionNotifyEvent:
			if dragging && len(s.events) == 0 { // only the latest position matters
				drawn = s.draw(drawn, s.between(from, image.Pt(int(e.RootX), int(e.RootY))))
			}
		case xproto.ButtonReleaseEvent:
			if r := s.between(from, image.Pt(int(e.RootX), int(e.RootY))); dragging && r.Dx() >= smallest && r.Dy() >= smallest {
				return r, nil
			}
			dragging = false
			drawn = s.draw(drawn, image.Rectangle{})
		case xproto.KeyPressEvent:
			if e.Detail == s.escape {
				return image.Rectangle{}, ErrCancelled
			}
		}
	}
}

func (s *selection) between(a, b image.Point) image.Rectangle {
	return image.Rectangle{Min: a, Max: b}.Canon().Intersect(s.bright.Bounds())
}

// draw shows a region in its original brightness, and darkens the previous one again.
func (s *selection) draw(before, now image.Rectangle) image.Rectangle {
	part := func(of xproto.Pixmap, r image.Rectangle) {
		if r = r.Intersect(s.bright.Bounds()); !r.Empty() {
			xproto.CopyArea(s.c.X, xproto.Drawable(of), xproto.Drawable(s.window), s.copies,
				int16(r.Min.X), int16(r.Min.Y), int16(r.Min.X), int16(r.Min.Y), uint16(r.Dx()), uint16(r.Dy()))
		}
	}
	part(s.dim, before.Inset(-2))
	part(s.lit, now)
	if !now.Empty() {
		xproto.PolyRectangle(s.c.X, xproto.Drawable(s.window), s.edge, []xproto.Rectangle{{
			X: int16(now.Min.X), Y: int16(now.Min.Y), Width: uint16(now.Dx()), Height: uint16(now.Dy())}})
	}
	return now
}
