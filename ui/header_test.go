package ui_test

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"goated/internal/config"
	"goated/ui"
	"goated/ui/internal/samplechat"
)

// The menu of a conversation has reserved space in the header, even after a chat without a
// menu. It once covered the gauge of the context.
func TestMenuInTheHeaderHasRoom(t *testing.T) {
	s, _ := archive(t)
	var instructed config.Settings
	instructed.Instructions = strings.Repeat("Be brief. ", 100) // keeps the text of the gauge constant
	d := shown(t, ui.Options{History: s, Settings: instructed, Agent: ui.AgentOptions{NewSession: sessions(samplechat.Echo)}})
	d.says("first")
	d.newChat()
	d.Press("first")
	gauge, size, _ := d.Place("<1%")
	menu := d.PlaceOfIcon("more", 1) // the first is in the sidebar
	if menu.Y > 56 || menu.X < gauge.X+size.Width {
		t.Errorf("the menu begins at %v, and the gauge ends at %v", menu, gauge.X+size.Width)
	}
}

// In a narrow window the gauge of the context gives way to the title. Before, only "…" was left
// of the title.
func TestNarrowHeaderShowsTheTitle(t *testing.T) {
	d := newDesk(t, everything(t))
	for _, c := range []struct {
		width float32
		gauge bool
	}{{1280, true}, {480, false}, {640, true}} {
		d.Window.Resize(fyne.NewSize(c.width, 840))
		if _, size, _ := d.Place("New chat"); size.Width < 40 {
			t.Errorf("in %g the title is %g wide", c.width, size.Width)
		}
		if d.Reads("0%") != c.gauge {
			t.Errorf("in %g the gauge is shown: %v", c.width, !c.gauge)
		}
	}
}
