package pause_test

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/servers/pause/dialog"
	"goated/ui/pause"
)

// A single Esc cancelled a dialog and lost the text of the answer. It also loses no choice and no
// file now.
func TestOneEscapeLosesNoInput(t *testing.T) {
	for name, enter := range map[string]func(d *desk){
		"text":   func(d *desk) { d.Press("Switch to text"); d.Type("Neither: stop.") },
		"choice": func(d *desk) { d.TypeRune('2') },
		"a file": func(d *desk) { d.Press("Attach…") },
	} {
		t.Run(name, func(t *testing.T) {
			d := open(t, plan(), func(p *pause.Dialog) {
				p.Files.Pick = func(add func([]dialog.Attachment)) { add([]dialog.Attachment{{Name: "map.png"}}) }
			})
			enter(d)
			d.Key(fyne.KeyEscape)
			d.Key(fyne.KeyEscape) // the repeat of a key that is held down
			const warning = "Press Esc again to cancel. What you entered is lost then."
			if len(d.answers) > 0 || !d.Reads(warning) || len(d.Misfits()) > 0 {
				t.Fatalf("Esc answers %+v, and the dialog reads %q", d.answers, d.Texts())
			}
			d.later()
			if d.Reads("Switch to text") {
				d.Press("Switch to text")
			}
			d.Type("x")
			if d.Reads(warning) {
				t.Error("the warning stays while the user continues")
			}
			d.Key(fyne.KeyEscape)
			d.later()
			d.Key(fyne.KeyEscape)
			if len(d.answers) != 1 || !d.answers[0].Cancelled {
				t.Errorf("a second Esc answers %+v", d.answers)
			}
		})
	}
}
