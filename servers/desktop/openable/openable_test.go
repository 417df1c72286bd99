package openable

import (
	"os/exec"
	"testing"
)

// A program without a desktop file counts as an application if it is linked with a windowing
// library.
func TestWindowed(t *testing.T) {
	for name, want := range map[string]bool{"galculator": true, "xterm": true, "cat": false} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if got := windowed(path); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
