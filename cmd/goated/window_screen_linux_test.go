package main

import (
	"testing"

	"github.com/jezek/xgb/xproto"
)

// On a small screen the window opens no larger than that, whatever size it had on
// a larger one, with room for a title bar; and what is at its edges can be used.
func TestWindowFitsTheScreen(t *testing.T) {
	for name, settings := range map[string]string{
		"first": `{"welcomed":true}`, "larger": `{"welcomed":true,"width":1920,"height":1080}`, "enlarged": `{"welcomed":true,"zoom":150}`,
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			d := newDeskOf(t, p, smallScreen)
			d.settle(settings)
			d.open()
			all := d.windows()
			g, err := xproto.GetGeometry(d.x, xproto.Drawable(all[len(all)-1])).Reply()
			if err != nil {
				t.Fatal(err)
			}
			if g.Width > 1024 || g.Width < 1000 || g.Height > 700-32 || g.Height < 620 {
				t.Errorf("it is %dx%d", g.Width, g.Height)
			}
			d.say("list the files in .") // the composer is at the lower edge
			d.turn(1)
			d.close()
		})
	}
}
