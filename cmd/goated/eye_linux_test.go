package main

import (
	"encoding/binary"
	"hash/maphash"
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/damage"
	"github.com/jezek/xgb/shm"
	"github.com/jezek/xgb/xproto"
	"golang.org/x/sys/unix"
)

// An eye takes screenshots of a display. On its own connection, the X server reports each change.
// The eye takes a screenshot, which has four megabytes, only after a change, into shared memory.
type eye struct {
	x      *xgb.Conn
	root   *xproto.ScreenInfo
	change damage.Damage
	memory shm.Seg
	seen   []byte             // the last picture, in the format of the X server; the server writes to it
	sum    uint64             // of the last picture: equal pictures have equal sums
	areas  map[color.RGBA]int // in the last picture, of the colours that were asked for
	seed   maphash.Seed
}

func (e *eye) open(t testing.TB, display string) {
	t.Helper()
	var err error
	if e.x, err = xgb.NewConnDisplay(display); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.x.Close)
	e.root = xproto.Setup(e.x).DefaultScreen(e.x)
	e.extend(t, "DAMAGE")
	e.extend(t, "MIT-SHM")
	if _, err := damage.QueryVersion(e.x, 1, 1).Reply(); err != nil {
		t.Fatal(err)
	}
	if e.change, err = damage.NewDamageId(e.x); err != nil {
		t.Fatal(err)
	}
	if err := damage.CreateChecked(e.x, e.change, xproto.Drawable(e.root.Root), damage.ReportLevelNonEmpty).Check(); err != nil {
		t.Fatal(err)
	}
	e.share(t)
	e.seed = maphash.MakeSeed()
	e.take(t)
}

// extend tells the connection the opcode of an extension. The Init function of the extension's
// package would also write to the map of events, which other connections read.
func (e *eye) extend(t testing.TB, extension string) {
	t.Helper()
	asked, err := xproto.QueryExtension(e.x, uint16(len(extension)), extension).Reply()
	if err != nil {
		t.Fatal(err)
	}
	e.x.ExtLock.Lock()
	e.x.Extensions[extension] = asked.MajorOpcode
	e.x.ExtLock.Unlock()
}

// share allocates the memory for screenshots. The kernel removes it when both sides have detached,
// however the test ends.
func (e *eye) share(t testing.TB) {
	t.Helper()
	id, err := unix.SysvShmGet(unix.IPC_PRIVATE, 4*int(e.root.WidthInPixels)*int(e.root.HeightInPixels), unix.IPC_CREAT|0o600)
	if err != nil {
		t.Fatalf("making the memory for pictures: %v", err)
	}
	defer unix.SysvShmCtl(id, unix.IPC_RMID, nil)
	if e.seen, err = unix.SysvShmAttach(id, 0, 0); err != nil {
		t.Fatalf("attaching the memory for pictures: %v", err)
	}
	t.Cleanup(func() { _ = unix.SysvShmDetach(e.seen) })
	if e.memory, err = shm.NewSegId(e.x); err != nil {
		t.Fatal(err)
	}
	if err := shm.AttachChecked(e.x, e.memory, uint32(id), false).Check(); err != nil {
		t.Fatalf("sharing the memory for pictures with the X server: %v", err)
	}
}

func (e *eye) take(t testing.TB) {
	t.Helper()
	damage.Subtract(e.x, e.change, 0, 0) // so that later changes are reported again
	if _, err := shm.GetImage(e.x, xproto.Drawable(e.root.Root), 0, 0, e.root.WidthInPixels, e.root.HeightInPixels, ^uint32(0), xproto.ImageFormatZPixmap, e.memory, 0).Reply(); err != nil {
		t.Fatalf("taking a picture: %v", err)
	}
	e.sum = maphash.Bytes(e.seed, e.seen)
	e.areas = make(map[color.RGBA]int)
}

// look takes a new screenshot if something has changed.
func (e *eye) look(t testing.TB) {
	t.Helper()
	if _, err := xproto.GetInputFocus(e.x).Reply(); err != nil { // earlier reports arrive before this response
		t.Fatalf("asking the X server: %v", err)
	}
	changed := false
	for {
		event, err := e.x.PollForEvent()
		if event == nil && err == nil {
			break
		}
		if _, ok := event.(damage.NotifyEvent); ok {
			changed = true
		}
	}
	if changed {
		e.take(t)
	}
}

// pixels returns a screenshot of the display. Each pixel has four bytes: blue, green, red and an
// unused one. The next screenshot overwrites it. The caller must not change it.
func (d *display) pixels() []byte {
	d.t.Helper()
	d.eye.look(d.t)
	return d.eye.seen
}

// sum returns a hash of a screenshot of the display. Equal screenshots have equal sums.
func (d *display) sum() uint64 {
	d.t.Helper()
	d.eye.look(d.t)
	return d.eye.sum
}

// look takes a screenshot of the whole display.
func (d *display) look() *image.RGBA {
	d.t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, int(d.root.WidthInPixels), int(d.root.HeightInPixels)))
	pix := d.pixels()
	for i := 0; i+3 < len(pix) && i+3 < len(img.Pix); i += 4 {
		img.Pix[i], img.Pix[i+1], img.Pix[i+2], img.Pix[i+3] = pix[i+2], pix[i+1], pix[i], 0xFF
	}
	return img
}

// sight looks at the display and returns the colour at each place of the screen. Use it before
// the next look.
func (d *display) sight() func(x, y int) color.RGBA {
	d.t.Helper()
	pix, line := d.pixels(), int(d.root.WidthInPixels)
	return func(x, y int) color.RGBA {
		p := pix[4*(d.screen.points(y)*line+d.screen.points(x)):]
		return color.RGBA{p[2], p[1], p[0], 0xFF}
	}
}

// colours counts the colours on the display, in every second line.
func (d *display) colours() map[uint32]int {
	d.t.Helper()
	pix, line := d.pixels(), 4*int(d.root.WidthInPixels)
	count := make(map[uint32]int)
	for y := 0; y+line <= len(pix); y += 2 * line {
		last, n := uint32(0), 0 // most neighbours have the same colour
		for i := y; i < y+line; i += 4 {
			c := binary.LittleEndian.Uint32(pix[i:]) & 0xFFFFFF
			if c != last {
				if n > 0 {
					count[last] += n
				}
				last, n = c, 0
			}
			n++
		}
		count[last] += n
	}
	return count
}

// shows returns the area of the display that has a colour, in units.
func (d *display) shows(want color.RGBA) int {
	d.t.Helper()
	pix := d.pixels()
	if area, counted := d.eye.areas[want]; counted {
		return area
	}
	n := 0
	for i := 0; i+3 < len(pix); i += 4 {
		if pix[i] == want.B && pix[i+1] == want.G && pix[i+2] == want.R {
			n++
		}
	}
	area := int(math.Ceil(float64(n) / (d.screen.scale * d.screen.scale)))
	d.eye.areas[want] = area
	return area
}
