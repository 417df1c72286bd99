package workspace

import (
	"errors"
	"testing"
)

// Resolving the links of a path on a share connects to the share's host. So a path on another
// volume is refused before that.
func TestPathsOnOtherVolumesAreRefused(t *testing.T) {
	for name, want := range map[string]bool{
		`C:\project\a.go`: true, `c:\elsewhere`: true, `D:\project`: false, `\\host\share\x`: false, `//host/share/x`: false,
		`\\?\UNC\host\share\x`: false, `\\.\pipe\x`: false,
	} {
		if got := sameVolume(name, `C:\project`); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	w, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if clean, err := w.Clean(`\\host.invalid\share\x`); !errors.Is(err, ErrOutside) {
		t.Errorf("%q, %v", clean, err)
	}
}
