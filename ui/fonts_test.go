package ui

import (
	"strings"
	"testing"
)

// A text of five scripts without fonts brought five messages, which covered it.
func TestMissingFontsAreOneMessage(t *testing.T) {
	d := newDesk(t, Options{})
	for _, script := range []string{"Chinese", "Japanese", "Japanese", "", "Korean"} {
		d.prefs.measure.Setter.Missing(script)
	}
	d.until("the scripts are noted", func() bool { return len(d.queue) == 0 })
	d.shell.Clock.Tick(fontPause)
	if n := len(d.shell.Toasts.List.Objects); n != 1 {
		t.Fatalf("%d messages", n)
	}
	if !d.reads("No installed font has Chinese, Japanese or Korean characters. A box stands for each. Install a font for them, such as one of the Noto fonts.") {
		t.Error("the message does not name them all")
	}
	if got := noFont([]string{""}); !strings.Contains(got, "some of these") {
		t.Errorf("without a script it says %q", got)
	}
}
