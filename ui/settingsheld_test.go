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
