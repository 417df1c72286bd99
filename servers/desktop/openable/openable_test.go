package openable

import (
	"os/exec"
	"testing"
)

// A program that is linked with a library of windows is an application without a desktop file.
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
