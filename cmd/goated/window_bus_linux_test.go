package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"goated/internal/geminitest"
)

// goated finds a key that it stored in the keyring at the next start. The key is in no file. After
// the user deletes it, it is gone.
func TestWindowFindsTheKeyInTheKeyring(t *testing.T) {
	p := newPlace(t)
	p.bus().keyring()
	const key = "canary-of-the-keyring-0001"
	s := geminitest.New(t, geminitest.Key(key))
	s.Script(geminitest.Text("Good morning."))
	p.env = append(p.env, "GOOGLE_GEMINI_BASE_URL="+s.URL)

	set := p.command(t.Context(), "key", "set")
	set.Stdin = strings.NewReader(key + "\n")
	if out, err := set.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, _, _ := p.run("key"); !strings.Contains(out, "from keyring") {
		t.Errorf("goated key says %q", out)
	}
	d := openDesk(t, p)
	d.say("good morning")
	d.turn(1)
	if got := s.Requests()[0].Header.Get("X-Goog-Api-Key"); got != key {
		t.Errorf("the model was asked with the key %q", got)
	}
	d.close()
	_ = filepath.WalkDir(p.home, func(path string, e os.DirEntry, _ error) error {
		if data, err := os.ReadFile(path); err == nil && bytes.Contains(data, []byte(key)) {
			t.Errorf("the key is in %s", path)
		}
		return nil
	})
	if out, aside, code := p.run("key", "clear"); code != 0 {
		t.Errorf("goated key clear: %s%s", out, aside)
	}
	if out, _, _ := p.run("key"); !strings.Contains(out, "No key is set") {
		t.Errorf("after that, goated key says %q", out)
	}
	s.Done()
}

// If a long turn ends while another window is in front, goated sends a notification. If goated's
// window is in front, it sends none. The tray icon works beside that.
func TestWindowNotifies(t *testing.T) {
	p := newPlace(t)
	b := p.bus()
	b.herald()
	b.panel()
	s := p.gemini()
	long := geminitest.Turn(geminitest.Text("It "), geminitest.Delay(10500*time.Millisecond), geminitest.Text("is **done**."))
	hidden := make(chan struct{})
	s.Script(geminitest.Text("At once."), long, geminitest.Turn(geminitest.Text("It "), geminitest.Until(hidden), geminitest.Text("is done.")))
	d := openDesk(t, p)
	plain := b.pixels(d)
	d.say("quick one")
	d.turn(1)
	d.say("Count to a very large number")
	d.until("the model was asked", func() bool { return len(s.Requests()) == 2 })
	lookBack := d.lookAway()
	d.until("the notification is sent", func() bool { return len(b.heard()) > 0 })
	d.turn(2)
	if got := b.heard(); len(got) != 1 || got[0] != [2]string{"quick one", "It is done."} {
		t.Errorf("notified was %q", got)
	}
	lookBack()
	d.say("take your time")
	d.until("the model was asked", func() bool { return len(s.Requests()) == 3 })
	d.hides(b, plain, hidden)
	s.Done()
}

// lookAway opens another window, which gets the keyboard focus. lookBack closes it and gives the
// focus back.
func (d *desk) lookAway() (lookBack func()) {
	d.t.Helper()
	w, err := xproto.NewWindowId(d.x)
	if err != nil {
		d.t.Fatal(err)
	}
	xproto.CreateWindow(d.x, d.root.RootDepth, w, d.root.Root, 0, 0, 50, 50, 0, xproto.WindowClassInputOutput, d.root.RootVisual, 0, nil)
	xproto.MapWindow(d.x, w)
	focus := func(w xproto.Window) {
		if err := xproto.SetInputFocusChecked(d.x, xproto.InputFocusParent, w, xproto.TimeCurrentTime).Check(); err != nil {
			d.t.Fatal(err)
		}
	}
	own := d.windows()
	focus(w)
	return func() {
		xproto.DestroyWindow(d.x, w)
		focus(own[0])
	}
}

// hides sees that the menu of the tray icon hides the window, shows it again with its contents, and
// quits. If a turn ends while the window is hidden, the icon has a mark until the user looks. The
// turn ends when the channel is closed. plain is the icon without a mark.
func (d *desk) hides(b *bus, plain []byte, end chan<- struct{}) {
	d.t.Helper()
	d.until("the icon has no mark", func() bool { return bytes.Equal(b.pixels(d), plain) })
	d.write("half a sentence")
	d.still()
	b.choose(d, "Show or hide")
	d.until("the window is hidden", func() bool { return len(d.windows()) == 0 })
	close(end)
	d.until("the icon is marked", func() bool { return !bytes.Equal(b.pixels(d), plain) })
	b.choose(d, "Show or hide")
	d.until("the window is back", func() bool { return len(d.windows()) == 1 })
	d.until("the mark is gone", func() bool { return bytes.Equal(b.pixels(d), plain) })
	d.still()
	if got := d.copied(func() { d.press("ctrl+a", "ctrl+c") }); got != "half a sentence" {
		d.t.Errorf("the composer holds %q", got)
	}
	d.press("ctrl+w")
	d.until("the window is hidden by its key", func() bool { return len(d.windows()) == 0 })
	second := d.command("--data", d.data)
	if out, err := second.CombinedOutput(); err != nil {
		d.t.Errorf("a second start: %v\n%s", err, out)
	}
	d.until("a second start brings it back", func() bool { return len(d.windows()) == 1 })
	b.choose(d, "Quit")
	d.ended()
}
