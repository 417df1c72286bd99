package screenshot_test

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg"
	"image/png"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jezek/xgb"
	_ "golang.org/x/image/tiff"
	"pgregory.net/rapid"

	"goated/servers/desktop/x11"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/screenshot"
	"goated/servers/desktop/x11/x11test"
)

var desk x11test.Desk

func TestMain(m *testing.M) {
	xgb.Logger = log.New(io.Discard, "", 0)
	flag.Parse()
	o := hidden.Options{Width: 900, Height: 600}
	if flag.Lookup("test.bench").Value.String() != "" {
		o = hidden.Options{Width: 1920, Height: 1080}
	}
	os.Exit(x11test.Main(m, &desk, o))
}

func camera(t testing.TB, d *x11.Desktop) *screenshot.Camera {
	t.Helper()
	k, err := screenshot.New(t.Context(), screenshot.Options{Desktop: d, Display: desk.Display, Authority: desk.Authority()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	return k
}

// imported returns the picture that ImageMagick's import takes.
func imported(t *testing.T, args ...string) image.Image {
	t.Helper()
	path := filepath.Join(t.TempDir(), "import.png")
	desk.Output(t, "import", append(args, "png24:"+path)...)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// same compares the pixels of two pictures.
func same(t *testing.T, what string, got, want image.Image) {
	t.Helper()
	a, b := rgba(got), rgba(want)
	if a.Bounds() != b.Bounds() {
		t.Errorf("%s: %v, want %v", what, a.Bounds(), b.Bounds())
		return
	}
	for i := range a.Pix {
		if a.Pix[i] != b.Pix[i] {
			x, y := i%a.Stride/4, i/a.Stride
			t.Errorf("%s: the pixel at %d, %d is %v, want %v", what, x, y, a.At(x, y), b.At(x, y))
			return
		}
	}
}

func rgba(m image.Image) *image.RGBA {
	out := image.NewRGBA(image.Rectangle{Max: m.Bounds().Size()})
	draw.Draw(out, out.Bounds(), m, m.Bounds().Min, draw.Src)
	return out
}

func decode(t *testing.T, b []byte, err error) image.Image {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	m, _, err := image.Decode(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// drawn opens a terminal with text and waits until the text is drawn.
func drawn(t testing.TB, d *x11.Desktop, k *screenshot.Camera, title, command string) x11.Window {
	t.Helper()
	done := filepath.Join(t.TempDir(), "done")
	w := desk.Terminal(t, d, title, "sh", "-c", command+"; touch "+done+"; sleep 1000")
	desk.Until(t, "end of "+command, func() bool { _, err := os.Stat(done); return err == nil })
	still(t, k)
	return w
}

// still waits until the screen stops changing.
func still(t testing.TB, k *screenshot.Camera) {
	t.Helper()
	const quiet = 300 * time.Millisecond // longer than a busy program takes to draw
	var last []byte
	since := time.Now()
	desk.Until(t, "still screen", func() bool {
		p, err := k.Screen(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(p.Pix, last) {
			last, since = p.Pix, time.Now()
		}
		return time.Since(since) > quiet
	})
}

func TestPicturesAreThoseOfImport(t *testing.T) {
	d := desk.Open(t, nil)
	k := camera(t, d)
	w := drawn(t, d, k, "pictured", "ls -l --color=always /usr/bin | head -18")
	moved, err := d.Move(t.Context(), w.ID, 333, 222)
	if err != nil {
		t.Fatal(err)
	}
	still(t, k)
	p, err := k.Screen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := imported(t, "-window", "root")
	b, err := p.PNG()
	same(t, "screen as PNG", decode(t, b, err), want)
	b, err = p.TIFF()
	same(t, "screen as TIFF", decode(t, b, err), want)
	same(t, "screen as image.Image", p, want)
	if b, err = p.JPEG(95); decode(t, b, err).Bounds().Size() != want.Bounds().Size() {
		t.Error("the JPEG has another size")
	}

	p, err = k.Region(t.Context(), x11.Rect{X: 300, Y: 200, W: 201, H: 99})
	if err != nil {
		t.Fatal(err)
	}
	b, err = p.PNG()
	same(t, "region", decode(t, b, err), imported(t, "-window", "root", "-crop", "201x99+300+200", "+repage"))

	window := func(what string) {
		t.Helper()
		p, err := k.Window(t.Context(), w.ID)
		if err != nil {
			t.Fatal(err)
		}
		if p.Rect != moved.Frame {
			t.Errorf("%s: the window is at %+v, its picture at %+v", what, moved.Frame, p.Rect)
		}
		f := moved.Frame
		b, err := p.PNG()
		same(t, what, decode(t, b, err), imageOf(want, f))
	}
	window("window")
	other := desk.Terminal(t, d, "covers")
	if _, err := d.Move(t.Context(), other.ID, 400, 300); err != nil {
		t.Fatal(err)
	}
	if _, err = d.Activate(t.Context(), w.ID); err != nil { // its decoration shows the focus
		t.Fatal(err)
	}
	still(t, k)
	want = imported(t, "-window", "root")
	desk.Output(t, "xdotool", "windowraise", fmt.Sprint(other.ID))
	window("window below another")
}

func imageOf(m image.Image, r x11.Rect) image.Image {
	return m.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(image.Rect(r.X, r.Y, r.X+r.W, r.Y+r.H))
}

func TestOwnWindowsAreNotPictured(t *testing.T) {
	all := desk.Open(t, nil)
	open := camera(t, all)
	below := drawn(t, all, open, "below", "seq 1000")
	if _, err := all.Move(t.Context(), below.ID, 200, 200); err != nil {
		t.Fatal(err)
	}
	still(t, open)
	before, err := open.Screen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	mine := drawn(t, all, open, "secret", "seq 1000")
	moved, err := all.Move(t.Context(), mine.ID, 250, 250)
	if err != nil {
		t.Fatal(err)
	}
	d := desk.Open(t, func(w x11.Window) bool { return w.PID == mine.PID })
	k := camera(t, d)
	p, err := k.Screen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	inner := x11.Rect{X: moved.Client.X, Y: moved.Client.Y, W: 100, H: 100}
	same(t, "the place of an own window", imageOf(p.RGBA(), inner), imageOf(before.RGBA(), inner))
	if _, err := k.Window(t.Context(), mine.ID); err == nil {
		t.Error("an own window has a picture")
	}
	if _, err := k.Region(t.Context(), x11.Rect{X: 4000, Y: 0, W: 10, H: 10}); err == nil {
		t.Error("a region beside the screen has a picture")
	}
}

// TestPNG encodes random pictures and decodes them with the standard library.
func TestPNG(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, h := rapid.IntRange(1, 70).Draw(t, "width"), rapid.IntRange(1, 300).Draw(t, "height")
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		p := &screenshot.Picture{Rect: x11.Rect{W: w, H: h}, Stride: 4 * w, Pix: make([]byte, 4*w*h)}
		for i := range p.Pix {
			p.Pix[i] = byte(random.IntN(rapid.IntRange(1, 255).Draw(t, "colours") + 1))
			if i > 64 {
				p.Pix[i] = p.Pix[random.IntN(64)]
			}
		}
		b, err := p.PNG()
		if err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		for y := range h {
			for x := range w {
				if r, g, b, _ := m.At(x, y).RGBA(); byte(r>>8) != p.Pix[y*p.Stride+4*x+2] || byte(g>>8) != p.Pix[y*p.Stride+4*x+1] || byte(b>>8) != p.Pix[y*p.Stride+4*x] {
					t.Fatalf("the pixel at %d, %d differs", x, y)
				}
			}
		}
	})
}

// BenchmarkScreen1920x1080 takes a picture, and fails if that is slower than scrot or import.
func BenchmarkScreen1920x1080(b *testing.B) {
	d := desk.Open(b, nil)
	k := camera(b, d)
	drawn(b, d, k, "benchmark", "ls -l --color=always /usr/bin | head -18")
	path := filepath.Join(b.TempDir(), "shot.png")
	for name, encode := range map[string]func(*screenshot.Picture) ([]byte, error){
		"PNG": (*screenshot.Picture).PNG, "JPEG": func(p *screenshot.Picture) ([]byte, error) { return p.JPEG(85) },
	} {
		b.Run(name, func(b *testing.B) {
			x11test.Beside(b, func() {
				p, err := k.Screen(b.Context())
				if err == nil {
					_, err = encode(p)
				}
				if err != nil {
					b.Fatal(err)
				}
			}, map[string]func(){
				"scrot":  func() { desk.Output(b, "scrot", "--overwrite", path) },
				"import": func() { desk.Output(b, "import", "-window", "root", path) },
			})
		})
	}
}
