package main

import (
	"encoding/json"
	"image/color"
	"testing"

	"goated/internal/config"
)

// The theme and the size that the user chooses in the window take effect at once, and are still set
// after a restart.
func TestWindowKeepsItsSettings(t *testing.T) {
	p := newPlace(t)
	d := openDeskOf(t, p, wideScreen)
	d.until("the window is dark to begin with", func() bool { return d.ground(darkGround) > 0 })
	d.do("Theme: light")
	d.until("the window is light at once", func() bool { return d.ground(lightGround) > 0 })
	edge := d.ground(lightGround)
	d.press("ctrl+equal", "ctrl+equal")
	d.until("the settings are kept", func() bool {
		s := d.settings()
		return s.Theme == "light" && s.Percent() == 120
	})
	d.until("all is larger by two steps", func() bool { return d.ground(lightGround) > edge*115/100 })
	d.still()
	larger := d.ground(lightGround)
	d.close()
	d.open()
	d.until("after a restart it looks the same, down to the end of the screen", func() bool {
		return d.ground(lightGround) == larger && d.sight()(larger, 830) == lightGround
	})
	d.press("ctrl+0")
	d.do("Theme: system")
	d.until("the settings are the usual ones", func() bool {
		s := d.settings()
		return s.Theme == "" && s.Zoom == 0
	})
	d.settingsByKeyboard()
	d.close()
}

// ground returns where the page begins, to the right of the sidebar. It returns -1 if the page has
// another colour.
func (d *desk) ground(of color.RGBA) int {
	colour := d.sight()
	for x := range d.screen.width {
		if colour(x, 300) == of {
			return x
		}
	}
	return -1
}

// settingsByKeyboard reaches the settings by keyboard alone. A number typed there counts.
func (d *desk) settingsByKeyboard() {
	d.t.Helper()
	d.rests()
	d.opens("ctrl+comma")
	d.press("Tab", "space") // the page Limits
	d.still()
	d.press("Tab", "Tab", "Tab", "Tab", "Tab") // past the other pages into the first field
	d.write("45")
	d.until("the limit is kept", func() bool { return d.settings().ConnectTimeout == config.Limit(45e9) })
	d.press("Escape")
}

// detached runs a program without a terminal, as a desktop does.
var detached = []string{"setsid", "-w"}

// openFromMenu is openDesk, started from the desktop's menu with the project as the folder in the
// settings.
func openFromMenu(t *testing.T, p *place) *desk {
	t.Helper()
	settings, err := json.Marshal(config.Settings{Welcomed: true, Choices: config.Choices{Folder: p.project}})
	if err != nil {
		t.Fatal(err)
	}
	d := newDeskOf(t, p, smallScreen)
	d.settle(string(settings))
	p.project = p.home // a desktop starts programs there
	p.through = detached
	d.open()
	return d
}
