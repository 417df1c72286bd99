package pause_test

import (
	"image/png"
	"os"
	"testing"
)

// save writes a picture of a dialog for manual inspection. GOATED_LOOK is the folder for
// pictures.
func save(t *testing.T, path string, d *desk) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := png.Encode(f, d.Picture()); err != nil {
		t.Fatal(err)
	}
}
