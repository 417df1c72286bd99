package pause_test

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/servers/pause/dialog"
	"goated/ui/kit"
	"goated/ui/pause"
)

// long are questions with the longest texts that buttons, options and groups may have.
func long() []dialog.Question {
	words := func(most int) string { return strings.Repeat("all of the old backups ", 20)[:most] }
	options := []dialog.Option{
		{Label: words(dialog.MaxLabel), Value: "1", Group: words(dialog.MaxLabel), Tags: []string{words(dialog.MaxLabel)}, Description: words(400)},
		{Label: strings.Repeat("W", 60), Value: "2"},
	}
	return []dialog.Question{
		&dialog.Planner{DecisionContext: words(100), Plan: "1. Dump", Options: options},
		&dialog.TextInput{Question: words(100)},
		&dialog.TextInput{Question: "What is the API key?"},
		&dialog.SingleChoice{Question: words(100), Options: options},
		&dialog.MultiChoice{Question: words(100), Options: append(options, make10()...)},
		&dialog.Screenshot{Question: words(100)},
		&dialog.Confirm{Question: "Delete them?", IsDangerous: true, YesLabel: "Delete all of the old backups now", NoLabel: "Keep all of the old backups for now"},
		&dialog.Confirm{Question: "Delete them?", Title: words(dialog.MaxLabel), YesLabel: words(dialog.MaxLabel), NoLabel: words(dialog.MaxLabel)},
	}
}

// make10 returns enough options for the dialog to mention the arrow keys.
func make10() (all []dialog.Option) {
	for _, name := range strings.Split("a b c d e f g h i j", " ") {
		all = append(all, dialog.Option{Label: name, Value: name})
	}
	return all
}

// widths are those of wide and narrow windows, at 100 % and at 150 %.
var widths = []float32{1280, 853, 640, 480, 320}

// Buttons of a planner and of a confirmation extended beyond their sheet.
func TestDialogsFit(t *testing.T) {
	for _, q := range long() {
		for _, width := range widths {
			d := openIn(t, width, q, withFiles)
			d.fits(q, width)
			if c, ok := q.(*dialog.Confirm); ok && !(d.Says(c.YesLabel) && d.Says(c.NoLabel)) {
				t.Errorf("in %g, the words of the buttons are not in full anywhere", width)
			}
			d.Press("Switch to text")
			d.fits(q, width)
		}
	}
}

// withFiles offers all ways to add files.
func withFiles(p *pause.Dialog) {
	p.Files.Pick = func(func([]dialog.Attachment)) {}
	p.Files.Capture = func(func([]dialog.Attachment)) {}
}

// fits fails for each text that does not fit into its place. A narrow window may truncate the
// labels on the buttons of a confirmation, because the full labels are above the buttons.
func (d *desk) fits(q dialog.Question, width float32) {
	d.T.Helper()
	for _, misfit := range d.Misfits() {
		if _, ok := q.(*dialog.Confirm); ok && width < 640 && strings.Contains(misfit, " needs ") {
			continue
		}
		d.T.Errorf("%s in %g: %s", q.Kind(), width, misfit)
	}
}

// The same applies to a dialog in a conversation.
func TestCardsFit(t *testing.T) {
	for _, q := range long() {
		d := open(t, q, nil)
		sh := shellOf(d.Window)
		p := pause.Dialog{Question: q, Caller: dialog.Caller{Name: "Claude Code", Folder: "/home/ada/trip-planner"}, Count: sh.NewCounter()}
		withFiles(&p)
		c := pause.NewCard(sh, p, nil, func() {})
		scroll := kit.NewScroll(kit.Vertical(0, c.Object()))
		d.Window.SetContent(scroll)
		for _, o := range d.Canvas().Overlays().List() {
			d.Canvas().Overlays().Remove(o)
		}
		for _, width := range widths {
			d.Window.Resize(fyne.NewSize(width, 840))
			d.fits(q, width)
		}
	}
}
