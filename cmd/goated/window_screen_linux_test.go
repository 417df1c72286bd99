package main

import (
	"os"
	"testing"

	"github.com/jezek/xgb/xproto"
)

// On a small screen, the window is no larger than the screen, with room for a title bar. That also
// holds if it was larger on another screen and its interface is scaled up. Everything at its edges
// can be used. TestWindowSleeps checks the same for a first window. A desktop server cannot reach
// the scaled window: X11 uses pixels, and Fyne its own units.
func TestWindowFitsTheScreen(t *testing.T) {
	screens := map[string]resolution{"150": smallScreen}
	if os.Getenv("GOATED_LONG") != "" {
		screens["200"] = wideScreen // 150 % includes fractions of pixels, so make test can skip this one
	}
	for zoom, screen := range screens {
		t.Run(zoom, func(t *testing.T) {
			d := newDeskOf(t, newPlace(t), screen.full())
			d.settle(`{"welcomed":true,"theme":"light","width":1920,"height":1080,"zoom":` + zoom + `}`)
			d.open()
			if screen == smallScreen {
				d.fits()
			}
			d.say("list the files in .") // the composer is at the lower edge
			d.turn(1)
			d.ownWindow()
			d.close()
		})
	}
}

// fits checks that the window fills the small screen and is no larger.
func (d *desk) fits() {
	d.t.Helper()
	all := d.windows()
	g, err := xproto.GetGeometry(d.x, xproto.Drawable(all[len(all)-1])).Reply()
	if err != nil {
		d.t.Fatal(err)
	}
	at := d.screen.points
	if int(g.Width) > at(1024) || int(g.Width) < at(1000) || int(g.Height) > at(700-32) || int(g.Height) < at(620) {
		d.t.Errorf("the window is %dx%d", g.Width, g.Height)
	}
}
