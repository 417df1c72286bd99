package main

import (
	"errors"
	"runtime"
	"testing"

	"goated/servers/pause/dialogsocket"
)

// If no window can open, goated starts none to ask the user, and the error contains the reason.
func TestNoWindowIsStartedWithoutADisplay(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("there is always a display")
	}
	t.Setenv("DISPLAY", "")
	err := startWindow(t.Context(), &options{data: t.TempDir()})
	if want := "goated can't ask the user: its window is not open, and there is no display to open it on"; !errors.Is(err, dialogsocket.ErrClosed) || err.Error() != want {
		t.Errorf("%v", err)
	}
}
