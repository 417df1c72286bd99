package samples

import (
	"errors"
	"image"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// Golden compares a picture with the file name in testdata. If they differ, it saves the picture
// in testdata/failed. test.AssertImageMatches would print both in hexadecimal.
func Golden(t testing.TB, name string, got image.Image) {
	t.Helper()
	want, err := readPicture(filepath.Join("testdata", name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	if err == nil && SamePicture(got, want) {
		return
	}
	path := filepath.Join("testdata", "failed", name)
	if err := writePicture(path, got); err != nil {
		t.Fatal(err)
	}
	t.Errorf("it does not look like testdata/%s; it is in %s", name, path)
}

func readPicture(path string) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return png.Decode(f)
}

func writePicture(path string, img image.Image) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return png.Encode(f, img)
}
