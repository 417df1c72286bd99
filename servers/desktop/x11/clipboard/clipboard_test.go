package clipboard_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"log"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jezek/xgb"

	"goated/servers/desktop/copied"
	"goated/servers/desktop/x11/clipboard"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/x11test"
)

var desk x11test.Desk

func TestMain(m *testing.M) {
	xgb.Logger = log.New(io.Discard, "", 0)
	os.Exit(x11test.Main(m, &desk, hidden.Options{Bare: true, Width: 200, Height: 200}))
}

func open(t testing.TB) *clipboard.Clipboard {
	t.Helper()
	desk.Need(t, "xclip")
	b, err := clipboard.Open(t.Context(), clipboard.Options{Display: desk.Display, Authority: desk.Authority()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

// pasted returns what xclip reads from the clipboard.
func pasted(t testing.TB, target string) []byte {
	t.Helper()
	out, err := desk.Command(t, "xclip", "-o", "-selection", "clipboard", "-t", target).Output()
	if err != nil {
		t.Fatalf("xclip reads no %s: %v", target, err)
	}
	return out
}

// copies lets xclip own the clipboard until the test ends.
func copies(t testing.TB, target string, data []byte) {
	t.Helper()
	cmd := desk.Command(t, "xclip", "-quiet", "-selection", "clipboard", "-t", target)
	cmd.Stdin = bytes.NewReader(data)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	// xclip prints that it waits for requests once it owns the clipboard. The list of targets does not
	// show this, because the previous owner may have had the same targets.
	if line, err := bufio.NewReader(said).ReadString('\n'); err != nil {
		t.Fatalf("xclip does not take the clipboard: %q, %v", line, err)
	}
	desk.Until(t, "clipboard of xclip", func() bool {
		out, err := desk.Command(t, "xclip", "-o", "-selection", "clipboard", "-t", "TARGETS").Output()
		return err == nil && strings.Contains(string(out), target) && !strings.Contains(string(out), "text/plain;charset=utf-8")
	})
}

func picture(t testing.TB, encode func(io.Writer, image.Image) error) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 9, 7))
	m.Set(3, 4, color.RGBA{255, 0, 0, 255})
	var b bytes.Buffer
	if err := encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const sample = "naïve 日本語 🙂\nsecond line"

// sizes are sizes near the limits of a request and of a transfer in chunks.
var sizes = []int{0, 1, 128<<10 - 1, 128 << 10, 128<<10 + 1, 256 << 10, 4 << 20}

func TestTextInBothDirections(t *testing.T) {
	b := open(t)
	texts := []string{sample}
	for _, n := range sizes[1:] {
		texts = append(texts, strings.Repeat("x", n-1)+"y")
	}
	for _, text := range texts {
		name := fmt.Sprintf("%d bytes", len(text))
		if err := b.Write(t.Context(), copied.Content{Kind: copied.Text, Text: text}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := string(pasted(t, "UTF8_STRING")); got != text {
			t.Errorf("%s: xclip reads %d bytes", name, len(got))
		}
		copies(t, "UTF8_STRING", []byte(text))
		c, kinds, err := b.Read(t.Context())
		if err != nil || c.Kind != copied.Text || c.Text != text || !slices.Equal(kinds, []copied.Kind{copied.Text}) {
			t.Errorf("%s: read %d bytes, %v, %v", name, len(c.Text), kinds, err)
		}
	}
	if h := b.History(); len(h) != len(texts) || h[len(h)-1].Content.Text != sample || h[0].At.Before(h[1].At) {
		t.Errorf("the history has %d entries", len(h))
	}
}

func TestOtherKindsInBothDirections(t *testing.T) {
	b := open(t)
	png1 := picture(t, png.Encode)
	jpeg1 := picture(t, func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) })
	for name, c := range map[string]struct {
		content copied.Content
		target  string
		data    string
	}{
		"HTML":  {copied.Content{Kind: copied.HTML, Text: "<b>naïve 日本</b>"}, "text/html", "<b>naïve 日本</b>"},
		"RTF":   {copied.Content{Kind: copied.RTF, Data: []byte(`{\rtf1 x}`)}, "text/rtf", `{\rtf1 x}`},
		"PNG":   {copied.Content{Kind: copied.Image, Data: png1}, "image/png", string(png1)},
		"files": {copied.Content{Kind: copied.Files, Files: []string{"/tmp/a b.txt", "/tmp/日本%.txt"}}, "text/uri-list", "file:///tmp/a%20b.txt\r\nfile:///tmp/%E6%97%A5%E6%9C%AC%25.txt\r\n"},
	} {
		if err := b.Write(t.Context(), c.content); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := string(pasted(t, c.target)); got != c.data {
			t.Errorf("%s: xclip reads %q", name, got)
		}
		copies(t, c.target, []byte(c.data))
		got, _, err := b.Read(t.Context())
		if err != nil || got.Kind != c.content.Kind || got.Text != c.content.Text || !bytes.Equal(got.Data, c.content.Data) || !slices.Equal(got.Files, c.content.Files) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if err := b.Write(t.Context(), copied.Content{Kind: copied.Image, Data: jpeg1}); err != nil {
		t.Fatal(err)
	}
	if m, err := png.Decode(bytes.NewReader(pasted(t, "image/png"))); err != nil || m.Bounds().Dx() != 9 {
		t.Errorf("a JPEG is not read as PNG: %v", err)
	}
	if err := b.Write(t.Context(), copied.Content{Kind: copied.URL, Text: "https://example.com/"}); err != nil {
		t.Fatal(err)
	}
	if got := string(pasted(t, "UTF8_STRING")); got != "https://example.com/" {
		t.Errorf("a URL is read as %q", got)
	}
}

func TestClipboardRefuses(t *testing.T) {
	b := open(t)
	for name, c := range map[string]copied.Content{
		"no kind":       {Text: "x"},
		"text":          {Kind: copied.Text, Text: "\xff"},
		"picture":       {Kind: copied.Image, Data: []byte("no picture")},
		"relative path": {Kind: copied.Files, Files: []string{"a"}},
		"no files":      {Kind: copied.Files},
		"URL":           {Kind: copied.URL, Text: "example"},
	} {
		if err := b.Write(t.Context(), c); !errors.Is(err, copied.ErrContent) {
			t.Errorf("%s: %v", name, err)
		}
	}
	copies(t, "x-kde-passwordManagerHint", []byte("secret"))
	if _, _, err := b.Read(t.Context()); !errors.Is(err, copied.ErrSecret) {
		t.Errorf("a secret was read: %v", err)
	}
	if err := b.Clear(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c, kinds, err := b.Read(t.Context()); err != nil || c.Kind != 0 || kinds != nil {
		t.Errorf("an empty clipboard holds %+v, %v, %v", c, kinds, err)
	}
}

// TestFrozenOwner reads from a program that is stopped.
func TestFrozenOwner(t *testing.T) {
	b := open(t)
	cmd := desk.Command(t, "xclip", "-quiet", "-selection", "clipboard")
	cmd.Stdin = strings.NewReader("frozen")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	desk.Until(t, "owner", func() bool { c, _, err := b.Read(t.Context()); return err == nil && c.Text == "frozen" })
	freeze(t, cmd.Process)
	if _, _, err := b.Read(t.Context()); !errors.Is(err, copied.ErrOwner) {
		t.Errorf("a frozen program answers: %v", err)
	}
}

func BenchmarkRead4MiB(b *testing.B) {
	board := open(b)
	copies(b, "UTF8_STRING", []byte(strings.Repeat("x", 4<<20)))
	b.Run("goated", func(b *testing.B) {
		for b.Loop() {
			if c, _, err := board.Read(b.Context()); err != nil || len(c.Text) != 4<<20 {
				b.Fatal(len(c.Text), err)
			}
		}
	})
	b.Run("xclip", func(b *testing.B) {
		for b.Loop() {
			if got := pasted(b, "UTF8_STRING"); len(got) != 4<<20 {
				b.Fatal(len(got))
			}
		}
	})
}
