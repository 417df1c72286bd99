package main

import (
	"testing"

	"goated/ui/view"
)

// The theme and the size are chosen in the window, take effect at once, and are
// still there after a restart.
func TestWindowKeepsItsSettings(t *testing.T) {
	p := newDeskPlace(t)
	d := openDesk(t, p)
	if d.shows(lightGround) > d.shows(darkGround) {
		t.Fatal("the window is not dark to begin with")
	}
	d.do("Theme: light")
	if d.shows(darkGround) > d.shows(lightGround) {
		t.Error("the window is not light at once")
	}
	edge := d.ground()
	d.press("ctrl+equal", "ctrl+equal")
	d.until("the settings are kept", func() bool {
		s := d.settings()
		return s.Theme == "light" && s.Percent() == 120
	})
	d.still()
	larger := d.ground()
	if larger <= edge {
		t.Errorf("the sidebar is %d wide, and was %d", larger, edge)
	}
	d.close()
	d.open()
	if d.shows(darkGround) > d.shows(lightGround) || d.ground() != larger {
		t.Errorf("after a restart: %d points are light, and the sidebar is %d wide, not %d", d.shows(lightGround), d.ground(), larger)
	}
	d.press("ctrl+0")
	d.do("Theme: as the system")
	d.until("the settings are the usual ones", func() bool {
		s := d.settings()
		return s.Theme == "" && s.Zoom == 0
	})
	d.close()
}

// ground is where the page begins, at the right of the sidebar.
func (d *desk) ground() int {
	img := d.look()
	for x := range img.Bounds().Dx() {
		if c := img.RGBAAt(x, 300); c == lightGround || c == darkGround {
			return x
		}
	}
	return -1
}

// The settings are reached by keyboard alone, and a number typed there counts.
func TestWindowSettingsByKeyboard(t *testing.T) {
	p := newDeskPlace(t)
	d := openDesk(t, p)
	d.press("ctrl+comma")
	d.still()
	d.press("Tab", "space") // Limits
	d.still()
	d.press("Tab", "Tab", "Tab", "Tab", "Tab") // over the other pages into the first field
	d.write("45")
	d.until("the limit is kept", func() bool { return d.settings().ConnectTimeout == view.Limit(45e9) })
	d.press("Escape")
	d.close()
}
