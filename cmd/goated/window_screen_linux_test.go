package main

import (
	"testing"

	"github.com/jezek/xgb/xproto"
)

// On a small screen, the window is no larger than the screen, with room for a title bar. That also
// holds if it was larger on another screen and its interface is scaled up. Everything at its edges
// can be used. TestWindowSleeps checks the same for a first window.
func TestWindowFitsTheScreen(t *testing.T) {
	d := newDeskOf(t, newPlace(t), smallScreen.full())
	d.settle(`{"welcomed":true,"width":1920,"height":1080,"zoom":150}`)
	d.open()
	d.fits()
	d.say("list the files in .") // the composer is at the lower edge
	d.turn(1)
	d.close()
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
