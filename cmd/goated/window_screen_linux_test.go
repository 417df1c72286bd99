package main

import (
	"os"
	"testing"

	"github.com/jezek/xgb/xproto"
)

// On a small screen the window opens no larger than that, whatever size it had on
// a larger one, with room for a title bar; and what is at its edges can be used.
func TestWindowFitsTheScreen(t *testing.T) {
	for _, settings := range []string{`{"welcomed":true}`, `{"welcomed":true,"width":1920,"height":1080}`, `{"welcomed":true,"zoom":150}`} {
		p := newDeskPlace(t)
		d := newDeskOf(t, p, "1024x700x24")
		d.settle(settings)
		d.open()
		all := d.windows()
		g, err := xproto.GetGeometry(d.x, xproto.Drawable(all[len(all)-1])).Reply()
		if err != nil {
			t.Fatal(err)
		}
		if g.Width > 1024 || g.Width < 1000 || g.Height > 700-32 || g.Height < 620 {
			t.Errorf("%s: it is %dx%d", settings, g.Width, g.Height)
		}
		if dir := os.Getenv("GOATED_SCREEN"); dir != "" {
			d.save(dir + "/screen.png")
		}
		d.say("list the files in .") // the composer is at the lower edge
		d.turn(1)
		d.close()
	}
}
