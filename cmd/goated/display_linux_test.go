package main

import (
	"bufio"
	"context"
	"fmt"
	"image/color"
	"io"
	"log"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/damage"
	"github.com/jezek/xgb/xproto"

	"goated/internal/proctest"
)

var damageOnce struct {
	sync.Once
	err error
}

// damageEvents registers the damage extension's events with the X library before any other
// connection exists. The library has one map of events, which all connections read without a lock.
func damageEvents(display string) error {
	damageOnce.Do(func() {
		xgb.Logger = log.New(io.Discard, "", 0) // it reports an authority file that Xvfb does not need
		var x *xgb.Conn
		if x, damageOnce.err = xgb.NewConnDisplay(display); damageOnce.err == nil {
			damageOnce.err = damage.Init(x)
			x.Close()
		}
	})
	return damageOnce.err
}

// A display is a virtual display that exists until the test ends. There is no window manager.
type display struct {
	t      testing.TB
	name   string
	x      *xgb.Conn
	root   xproto.ScreenInfo
	screen resolution
	eye    eye
}

// A resolution is the size of a screen in units of Fyne, and the points of a unit. Scripts
// count in units, so that they run at each scale.
type resolution struct {
	width, height int
	scale         float64
}

// Screens. A script that names places of the window is for one of them. Without a GPU, most of a
// test's processor time goes into the points of its window: at half the scale, a frame has a
// quarter of them.
var (
	smallScreen = resolution{1024, 700, 0.5}
	wideScreen  = resolution{1280, 840, 0.5}
)

// full is the same screen with a point for each unit, for scripts about pictures and sizes.
func (s resolution) full() resolution {
	s.scale = 1
	return s
}

// points is how many points some units have.
func (s resolution) points(units int) int { return int(float64(units) * s.scale) }

func startDisplay(t testing.TB) *display { return startDisplayOf(t, wideScreen.full()) }

func startDisplayOf(t testing.TB, s resolution) *display {
	t.Helper()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	// Without -noreset the server starts again when its only client leaves, and refuses the
	// next one meanwhile: damageEvents is such a client. Without -r, a key that a busy
	// machine releases late is pressed again.
	server := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", fmt.Sprintf("%dx%dx24", s.points(s.width), s.points(s.height)), "-nolisten", "tcp", "-noreset", "-r")
	server.ExtraFiles = []*os.File{write}
	if err := proctest.Start(t, server); err != nil {
		t.Fatalf("starting Xvfb, which \"make tools\" installs: %v", err)
	}
	_ = write.Close()
	number, err := bufio.NewReader(read).ReadString('\n')
	_ = read.Close()
	if err != nil {
		t.Fatalf("Xvfb has no display: %v", err)
	}
	d := &display{t: t, name: ":" + strings.TrimSpace(number), screen: s}
	if err := damageEvents(d.name); err != nil {
		t.Fatalf("the X server does not report changes: %v", err)
	}
	if d.x, err = xgb.NewConnDisplay(d.name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.x.Close)
	d.root = *xproto.Setup(d.x).DefaultScreen(d.x)
	d.eye.open(t, d.name)
	return d
}

// run runs a program on the display and returns its output, or "" if it fails.
func (d *display) run(name string, args ...string) string {
	ctx, cancel := context.WithTimeout(d.t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+d.name)
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return string(out)
}

// windows lists the windows on the display, the topmost last.
func (d *display) windows() []xproto.Window {
	d.t.Helper()
	tree, err := xproto.QueryTree(d.x, d.root.Root).Reply()
	if err != nil {
		d.t.Fatal(err)
	}
	var shown []xproto.Window
	for _, w := range tree.Children {
		if a, err := xproto.GetWindowAttributes(d.x, w).Reply(); err == nil && a.MapState == xproto.MapStateViewable && a.Class == xproto.WindowClassInputOutput {
			shown = append(shown, w)
		}
	}
	return shown
}

// atom returns the X atom for a name.
func (d *display) atom(name string) xproto.Atom {
	d.t.Helper()
	got, err := xproto.InternAtom(d.x, false, uint16(len(name)), name).Reply()
	if err != nil {
		d.t.Fatal(err)
	}
	return got.Atom
}

// These are the theme's colours with a meaning; see ui/kit/theme.go.
var (
	darkGood    = color.RGBA{0x86, 0xC2, 0x9D, 0xFF} // a completed card
	darkBad     = color.RGBA{0xEC, 0x98, 0x91, 0xFF} // a failure
	darkHere    = color.RGBA{0x8A, 0x6D, 0x1F, 0xFF} // behind the current match of a search
	darkAllow   = color.RGBA{0x8D, 0xB5, 0x9D, 0xFF} // the main action, for example to allow a call
	lightAllow  = color.RGBA{0x3D, 0x5C, 0x4C, 0xFF}
	darkGround  = color.RGBA{0x16, 0x19, 0x17, 0xFF}
	lightGround = color.RGBA{0xFB, 0xFB, 0xF9, 0xFF}

	darkSurface  = color.RGBA{0x1D, 0x21, 0x1F, 0xFF} // cards and fields
	lightSurface = color.RGBA{0xFF, 0xFF, 0xFF, 0xFF}
)
