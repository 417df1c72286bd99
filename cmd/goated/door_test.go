package main

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"goated/servers/pause/door"
)

// Where no window can open, none is started to ask the user, and the error says why.
func TestNoWindowIsStartedWithoutADisplay(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("there is always a display")
	}
	t.Setenv("DISPLAY", "")
	err := startWindow(t.Context(), &options{data: t.TempDir()})
	if !errors.Is(err, door.ErrClosed) || !strings.Contains(err.Error(), "DISPLAY is not set") {
		t.Errorf("%v", err)
	}
}
