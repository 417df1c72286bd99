package ui_test

import (
	"testing"

	"goated/agent"
	"goated/ui"

	"fyne.io/fyne/v2"
)

// A click beside the settings did not close them after a field had been edited and emptied
// again, nor, on any page, after a wrong limit. It now closes them, or shows the page with the
// unapplied text.
func TestAPressBesideTheSettingsShowsWhatIsNotApplied(t *testing.T) {
	beside := fyne.NewPos(4, 400)
	d := shown(t, ui.Options{})
	d.run("Settings")
	d.Enter(agent.DefaultModel, "gemini-x")
	if d.PressAt(beside, 0); d.Layers() != 1 {
		t.Fatal("the name of a model is lost")
	}
	d.Enter(agent.DefaultModel, "")
	if d.PressAt(beside, 0); d.Layers() != 0 {
		t.Fatal("an empty field keeps the settings open")
	}
	d.run("Settings")
	d.Press("Limits")
	d.Enter("60", "99999")
	d.Press("Appearance")
	if d.PressAt(beside, 0); d.Layers() != 1 || !d.HasField("60") || d.Field("60") != "99999" {
		t.Fatalf("%d layers, and the page shows %q", d.Layers(), d.Texts())
	}
	d.Enter("60", "")
	if d.PressAt(beside, 0); d.Layers() != 0 {
		t.Error("an empty limit keeps the settings open")
	}
}

// A limit that goated rejects comes with the allowed values rather than only with a colour,
// even after the user has left the page.
func TestAWrongLimitSaysWhatIsAllowed(t *testing.T) {
	const seconds, requests = "Enter a whole number from 1 to 3600. If you enter none, the limit is 60.", "Enter a whole number from 1 to 200. If you enter none, the limit is 10."
	d := shown(t, ui.Options{})
	d.run("Settings")
	d.Press("Limits")
	for _, wrong := range []string{"-5x", "0", "99999", "2.5"} {
		if d.Enter("60", wrong); !d.Reads(seconds) || d.Reads(requests) {
			t.Errorf("%q: the page shows %q", wrong, d.Texts())
		}
	}
	d.Press("Appearance")
	if d.Press("Limits"); !d.Reads(seconds) {
		t.Errorf("later the page shows %q", d.Texts())
	}
	for _, right := range []string{"90", ""} {
		if d.Enter("60", right); d.Reads(seconds) {
			t.Errorf("%q: the page shows %q", right, d.Texts())
		}
	}
}
