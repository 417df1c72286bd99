package ui

import (
	"path/filepath"
	"sync"
	"testing"

	"fyne.io/fyne/v2"

	"goated/internal/config"
	"goated/internal/store"
	"goated/ui/internal/samples"
)

func archive(t *testing.T) (*store.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, path
}

// keeping is a window over a history.
func keeping(t *testing.T, s *store.Store) *desk {
	t.Helper()
	d := newDesk(t, Options{History: s, Agent: AgentOptions{NewSession: samples.Sessions(samples.Model(samples.Echo))}})
	d.show()
	return d
}

// says sends a message and waits until the turn is kept.
func (d *desk) says(text string) {
	d.t.Helper()
	d.chats.Composer.Input.SetText(text)
	press(d.chats.Composer.Input, fyne.KeyReturn)
	d.settled()
}

// settled waits until no turn is under way and the last one was read again.
func (d *desk) settled() {
	d.t.Helper()
	d.until("the turn is kept", func() bool {
		c := d.chats.Conversation()
		n := len(c.Thread.Turns)
		return d.idle() && !c.Read.Loading && c.Saved.ID != "" && n > 0 && c.Thread.Turns[n-1].ID == c.Saved.Active && c.Thread.End == c.Chat.Len()
	})
}

func (d *desk) command(t *testing.T, id string) command {
	t.Helper()
	for _, c := range d.commands.all() {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("there is no command %q", id)
	return command{}
}

// kept is a place for settings that remembers the last.
type kept struct {
	mu   sync.Mutex
	last config.Settings
	n    int
}

func (k *kept) save(s config.Settings) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.last, k.n = s, k.n+1
	return nil
}

// On a small screen the content may need more room than the window has at a high zoom, so the
// window grows. At 100 % it has its size again: it stayed larger than the screen.
func TestZoomReturnsToTheSizeOfTheWindow(t *testing.T) {
	d := newDesk(t, Options{Desktop: DesktopOptions{Scale: func(int) {}}})
	d.frame.win.Resize(fyne.NewSize(1000, 668))
	for range 6 {
		d.prefs.zoom(1)
		size, least := d.frame.win.Canvas().Size(), d.frame.root.MinSize()
		d.frame.win.Resize(size.Max(least)) // as a desktop does
		d.clock = d.clock.Add(2 * settling)
	}
	if least := d.frame.root.MinSize(); d.prefs.zoomed.size.Height >= least.Height {
		t.Fatalf("the window has its %v, more than %v: the test tells nothing", d.prefs.zoomed.size, least)
	}
	d.prefs.zoom(0)
	if size := d.frame.win.Canvas().Size(); size.Height > 672 || size.Width > 1004 || size.Height < 664 {
		t.Errorf("the window has %v, and had 1000 by 668", size)
	}
}

// Between two quick steps a desktop may report a size that Fyne asked for. The window does not
// grow for that. Later, the user resized it.
func TestQuickZoomsKeepTheSizeOfTheWindow(t *testing.T) {
	d := newDesk(t, Options{Desktop: DesktopOptions{Scale: func(int) {}}})
	d.frame.win.Resize(fyne.NewSize(1000, 800))
	d.prefs.zoom(1)
	d.frame.win.Resize(fyne.NewSize(1000, 800)) // of its content at 110 %
	d.prefs.zoom(-1)
	if size := d.frame.win.Canvas().Size(); size != fyne.NewSize(1000, 800) {
		t.Errorf("the window has %v, and had 1000 by 800", size)
	}
	d.prefs.zoom(1)
	d.clock = d.clock.Add(2 * settling)
	d.frame.win.Resize(fyne.NewSize(1000, 800))
	d.prefs.zoom(-1)
	if size := d.frame.win.Canvas().Size(); size != fyne.NewSize(1100, 880) {
		t.Errorf("the window has %v after the user made it larger", size)
	}
}
