//go:build linux

package main

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// A monitor is a client of a display that notices new windows, and what they show. It costs the
// program under test nothing until its window appears.
type monitor struct {
	t    testing.TB
	conn *xgb.Conn
}

func watch(t testing.TB, display string) *monitor {
	t.Helper()
	xgb.Logger.SetOutput(io.Discard) // it reports an authority file that Xvfb does not need
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	err = xproto.ChangeWindowAttributesChecked(conn, root, xproto.CwEventMask, []uint32{xproto.EventMaskSubstructureNotify}).Check()
	if err != nil {
		t.Fatal(err)
	}
	return &monitor{t: t, conn: conn}
}

// painted waits until a window of the program is mapped, and then until its upper edge has more
// than one colour. It is accurate to two milliseconds.
func (s *monitor) painted(within time.Duration) {
	s.t.Helper()
	deadline := time.Now().Add(within)
	for window := xproto.Window(0); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if window == 0 {
			window = s.mapped()
			continue
		}
		g, err := xproto.GetGeometry(s.conn, xproto.Drawable(window)).Reply()
		if err != nil {
			window = 0
			continue
		}
		image, err := xproto.GetImage(s.conn, xproto.ImageFormatZPixmap, xproto.Drawable(window), 0, 0, g.Width, min(g.Height, 60), ^uint32(0)).Reply()
		if err == nil && len(image.Data) > 4 && !bytes.Equal(image.Data[4:], image.Data[:len(image.Data)-4]) {
			return
		}
	}
	s.t.Fatal("no window was painted")
}

// mapped returns the window that was mapped last, or 0 if none was mapped since the last call.
func (s *monitor) mapped() (window xproto.Window) {
	for {
		event, err := s.conn.PollForEvent()
		if event == nil && err == nil {
			return window
		}
		if m, ok := event.(xproto.MapNotifyEvent); ok {
			if g, err := xproto.GetGeometry(s.conn, xproto.Drawable(m.Window)).Reply(); err == nil && g.Width > 20 {
				window = m.Window
			}
		}
	}
}
