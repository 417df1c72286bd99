package modelmenu

import (
	"testing"

	"fyne.io/fyne/v2"

	"goated/internal/config"
	"goated/internal/models"
	"goated/ui/internal/pagetest"
	"goated/ui/kit"
)

// entries returns a group of models.
func entries(title string, names ...string) models.Group {
	g := models.Group{Title: title}
	for _, name := range names {
		g.Entries = append(g.Entries, models.Entry{Ref: config.ModelRef{Service: title, Name: name}, Title: name})
	}
	return g
}

// When more models arrived above the marked one, the mark moved to another model, which Enter then
// chose.
func TestTheMarkStaysOnItsModel(t *testing.T) {
	pagetest.New(t, false, fyne.NewSize(800, 600))
	chosen, added := "", false
	m := New(Options{
		Anchor: kit.NewLabel("Model", 13, kit.ColorText), Groups: []models.Group{entries("Cloud", "a", "b")}, Loading: true,
		Chosen: config.ModelRef{Service: "Cloud", Name: "a"}, OnChoose: func(e models.Entry) { chosen = e.Ref.Name }, OnAdd: func() { added = true },
	})
	m.key(&fyne.KeyEvent{Name: fyne.KeyDown})
	m.Add([]models.Group{entries("Local", "c", "d"), entries("Cloud", "a", "b")}, true)
	if m.key(&fyne.KeyEvent{Name: fyne.KeyReturn}); chosen != "b" {
		t.Errorf("Enter chooses %q", chosen)
	}
	m.key(&fyne.KeyEvent{Name: fyne.KeyDown})
	m.key(&fyne.KeyEvent{Name: fyne.KeyDown}) // moves to "Add a model or a key…"
	m.Add([]models.Group{entries("Cloud", "b")}, false)
	if m.key(&fyne.KeyEvent{Name: fyne.KeyReturn}); !added {
		t.Errorf("after fewer models, Enter chooses %q", chosen)
	}
	m.mark(0)
	m.Add([]models.Group{entries("Cloud", "a")}, false)
	if m.key(&fyne.KeyEvent{Name: fyne.KeyReturn}); chosen != "a" {
		t.Errorf("when the marked model is gone, Enter chooses %q", chosen)
	}
}
