package clipboard_test

import (
	"testing"

	"goated/internal/waittest"
	"goated/servers/desktop/x11/clipboard"
	"goated/servers/desktop/x11/hidden"
	"goated/servers/desktop/x11/x11test"
)

// An X server that hangs does not prevent the program from exiting.
func TestCloseWhileTheServerHangs(t *testing.T) {
	d, err := hidden.Start(t.Context(), hidden.Options{Bare: true, Width: 200, Height: 200})
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(d.Close)
	b, err := clipboard.Open(t.Context(), clipboard.Options{Display: d.Display, Authority: d.Authority()})
	if err != nil {
		t.Fatal(err)
	}
	x11test.Hang(t, d.Display)
	waittest.Return(t, "the end of the clipboard", b.Close)
}
