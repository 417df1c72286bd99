package ui_test

import (
	"testing"

	"goated/agent"
	"goated/ui"

	"fyne.io/fyne/v2"
)

// A press beside the settings closed nothing once a field had been edited and emptied again, and, after a
// wrong limit, on no page. It closes them now, or shows the page with what is not applied.
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

// A limit that goated does not take says what it takes, and not only by its colour, also after
// the page was left.
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
