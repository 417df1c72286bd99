package clipboard

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"os"
	"slices"
	"testing"

	"goated/servers/desktop/copied"
	x11 "goated/servers/desktop/x11/clipboard"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/x11test"
)

var desk x11test.Desk

func TestMain(m *testing.M) {
	os.Exit(x11test.Main(m, &desk, hidden.Options{Bare: true, Width: 200, Height: 200}))
}

// Read reads another program's picture and files. Files take precedence, because file managers also
// offer a picture of an icon.
func TestReadsPicturesAndFiles(t *testing.T) {
	desk.Need(t)
	other, err := x11.Open(t.Context(), x11.Options{Display: desk.Display, Authority: desk.Authority()})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 9, 7))); err != nil {
		t.Fatal(err)
	}
	put := func(c copied.Content) {
		t.Helper()
		if err := other.Write(t.Context(), c); err != nil {
			t.Fatal(err)
		}
	}
	put(copied.Content{Kind: copied.Image, Data: picture.Bytes()})
	if data, files, err := read(t.Context(), desk.Display, desk.Authority()); err != nil || len(files) > 0 || !bytes.Equal(data, picture.Bytes()) {
		t.Errorf("read %d bytes, %v, %v", len(data), files, err)
	}
	want := []string{"/tmp/a b.txt", "/tmp/日本.txt"}
	put(copied.Content{Kind: copied.Files, Files: want})
	if data, files, err := read(t.Context(), desk.Display, desk.Authority()); err != nil || len(data) > 0 || !slices.Equal(files, want) {
		t.Errorf("read %d bytes, %v, %v", len(data), files, err)
	}
	put(copied.Content{Kind: copied.Text, Text: "words"})
	if data, files, err := read(t.Context(), desk.Display, desk.Authority()); err != nil || len(data) > 0 || len(files) > 0 {
		t.Errorf("text is read as %d bytes, %v, %v", len(data), files, err)
	}
	if _, _, err := read(t.Context(), "", ""); !errors.Is(err, errUnsupported) {
		t.Errorf("without a display: %v", err)
	}
}
