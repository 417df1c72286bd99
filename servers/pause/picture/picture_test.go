package picture_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"goated/internal/waittest"
	"goated/servers/desktop/copied"
	"goated/servers/desktop/x11/clipboard"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/x11test"
	"goated/servers/pause/picture"
)

var desk x11test.Desk

func TestMain(m *testing.M) {
	os.Exit(x11test.Main(m, &desk, hidden.Options{Width: 640, Height: 480}))
}

func desktop(t *testing.T) picture.Desktop {
	t.Helper()
	desk.Need(t, "xdotool", "xsetroot")
	return picture.Desktop{Display: desk.Display, Authority: desk.Authority()}
}

func hand(t *testing.T, program string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+desk.Display, "XAUTHORITY="+desk.Authority())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
}

// region marks a region. do acts as the user's hands.
func region(t *testing.T, d picture.Desktop, do func()) ([]byte, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	type outcome struct {
		png []byte
		err error
	}
	ready, out := make(chan struct{}), make(chan outcome, 1)
	go func() {
		data, err := d.Region(ctx, func() { close(ready) })
		out <- outcome{data, err}
	}()
	select {
	case <-ready:
	case o := <-out:
		t.Fatalf("no region could be marked: %v", o.err)
	}
	do()
	o := waittest.Receive(t, "the region is marked", out)
	return o.png, o.err
}

// The picture shows the screen as it was before, and exactly the marked region. It contains neither
// the darkening nor the outline that the user sees.
func TestRegion(t *testing.T) {
	d := desktop(t)
	hand(t, "xsetroot", "-solid", "#336699")
	at := func(x, y int) []string { return []string{"mousemove", strconv.Itoa(x), strconv.Itoa(y)} }
	data, err := region(t, d, func() {
		hand(t, "xdotool", append(at(300, 200), "mousedown", "1")...)
		hand(t, "xdotool", at(250, 150)...)
		hand(t, "xdotool", append(at(100, 120), "mouseup", "1")...)
	})
	if err != nil {
		t.Fatal(err)
	}
	shot, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if shot.Bounds().Size() != image.Pt(200, 80) {
		t.Errorf("the picture has %v", shot.Bounds())
	}
	want := color.RGBA{0x33, 0x66, 0x99, 0xFF}
	for y := shot.Bounds().Min.Y; y < shot.Bounds().Max.Y; y++ {
		for x := shot.Bounds().Min.X; x < shot.Bounds().Max.X; x++ {
			if got := color.RGBAModel.Convert(shot.At(x, y)); got != want {
				t.Fatalf("%d,%d is %v", x, y, got)
			}
		}
	}
}

func TestRegionIsCancelled(t *testing.T) {
	d := desktop(t)
	for name, do := range map[string]func(){
		"Esc":             func() { hand(t, "xdotool", "key", "Escape") },
		"right button":    func() { hand(t, "xdotool", "click", "3") },
		"Esc while drags": func() { hand(t, "xdotool", "mousedown", "1", "mousemove", "50", "50", "key", "Escape", "mouseup", "1") },
	} {
		if _, err := region(t, d, do); !errors.Is(err, picture.ErrCancelled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestClipboard(t *testing.T) {
	d := desktop(t)
	b, err := clipboard.Open(t.Context(), clipboard.Options{Display: d.Display, Authority: d.Authority})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	put := func(c copied.Content) {
		t.Helper()
		if err := b.Write(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	put(copied.Content{Kind: copied.Text, Text: "no picture"})
	if _, _, err := d.Clipboard(t.Context()); !errors.Is(err, picture.ErrNoPicture) {
		t.Errorf("of a text: %v", err)
	}
	var shot bytes.Buffer
	if err := png.Encode(&shot, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	put(copied.Content{Kind: copied.Image, Data: shot.Bytes()})
	data, _, err := d.Clipboard(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, err := png.Decode(bytes.NewReader(data)); err != nil || got.Bounds().Size() != image.Pt(3, 2) {
		t.Errorf("the picture: %v, %v", got, err)
	}
	put(copied.Content{Kind: copied.Files, Files: []string{"/tmp/a b.png"}})
	if _, files, err := d.Clipboard(t.Context()); err != nil || len(files) != 1 || files[0] != "/tmp/a b.png" {
		t.Errorf("the files: %v, %v", files, err)
	}
}

// If the screen cannot be captured, the error tells the user why and what to do.
func TestOtherDesktops(t *testing.T) {
	t.Setenv("WAYLAND_DISPLAY", "wayland-0")
	t.Setenv("DISPLAY", ":0")
	if _, err := (picture.Desktop{}).Region(t.Context(), nil); !errors.Is(err, picture.ErrWayland) {
		t.Error(err)
	}
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("DISPLAY", "")
	if _, err := (picture.Desktop{}).Region(t.Context(), nil); !errors.Is(err, picture.ErrDesktop) {
		t.Error(err)
	}
	if _, _, err := (picture.Desktop{}).Clipboard(t.Context()); err == nil {
		t.Error("a clipboard without a desktop is read")
	}
}
