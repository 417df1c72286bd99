package pause_test

import (
	"image/png"
	"os"
	"testing"
)

// save writes a picture of a dialog, for somebody who looks at it: GOATED_LOOK names
// the folder.
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
