package notify_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/internal/bustest"
	"goated/internal/notify"
	"goated/internal/waittest"
)

// A panel is the program that shows notifications on a desktop.
type panel struct {
	conn      *dbus.Conn
	abilities []string

	mu     sync.Mutex
	early  string // the key that the user presses before Notify has returned
	notes  []shown
	closed []uint32
	told   chan struct{} // receives a token after each call
}

type shown struct {
	title, text string
	actions     []string
	hints       map[string]dbus.Variant
}

func newPanel(t *testing.T, address string, abilities ...string) *panel {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	p := &panel{conn: conn, abilities: abilities, told: make(chan struct{}, 100)}
	if err := conn.Export(p, "/org/freedesktop/Notifications", "org.freedesktop.Notifications"); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.RequestName("org.freedesktop.Notifications", dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p *panel) GetCapabilities() ([]string, *dbus.Error) { return p.abilities, nil }

func (p *panel) Notify(_ string, _ uint32, _, title, text string, actions []string, hints map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	p.mu.Lock()
	p.notes = append(p.notes, shown{title, text, actions, hints})
	id, early := uint32(len(p.notes)), p.early
	p.mu.Unlock()
	if early != "" {
		p.signal("ActionInvoked", id, early)
	}
	p.told <- struct{}{}
	return id, nil
}

func (p *panel) CloseNotification(id uint32) *dbus.Error {
	p.mu.Lock()
	p.closed = append(p.closed, id)
	p.mu.Unlock()
	p.told <- struct{}{}
	return nil
}

func (p *panel) signal(name string, body ...any) {
	_ = p.conn.Emit("/org/freedesktop/Notifications", "org.freedesktop.Notifications."+name, body...)
}

func (p *panel) wait(t *testing.T) {
	t.Helper()
	select {
	case <-p.told:
	case <-time.After(30 * time.Second):
		t.Fatal("the desktop was asked nothing")
	}
}

func dial(t *testing.T, address string) *notify.Desktop {
	t.Helper()
	d, err := notify.Dial(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.Close)
	return d
}

var note = notify.Note{Title: "Claude Code asks", Text: "Delete <all> & go on?", Actions: []notify.Action{{Key: "yes", Label: "Yes"}, {Key: "no", Label: "No"}}}

// When the user presses a button, Show returns its key.
func TestAButtonIsPressed(t *testing.T) {
	address := bustest.Start(t)
	p := newPanel(t, address, "actions", "body-markup")
	d := dial(t, address)
	for i, want := range []string{"no", "", "yes"} {
		got := make(chan string, 1)
		go func() {
			key, err := d.Show(t.Context(), note)
			if err != nil {
				t.Error(err)
			}
			got <- key
		}()
		p.wait(t)
		p.signal("ActionInvoked", uint32(99), "yes") // from another program
		if want == "" {
			p.signal("NotificationClosed", uint32(i+1), uint32(2))
		} else {
			p.signal("ActionInvoked", uint32(i+1), want)
			p.signal("NotificationClosed", uint32(i+1), uint32(2))
		}
		if key := waittest.Receive(t, "the press of a button", got); key != want {
			t.Errorf("the key is %q, want %q", key, want)
		}
	}
	n := p.notes[0]
	if n.title != note.Title || n.text != "Delete &lt;all&gt; &amp; go on?" || strings.Join(n.actions, ",") != "yes,Yes,no,No" || n.hints["suppress-sound"].Value() != true {
		t.Errorf("the desktop shows %+v", n)
	}
}

// The user may press a button before the desktop answers.
func TestAnEarlyPressCounts(t *testing.T) {
	address := bustest.Start(t)
	p := newPanel(t, address, "actions")
	p.mu.Lock()
	p.early = "yes"
	p.mu.Unlock()
	if key, err := dial(t, address).Show(t.Context(), note); err != nil || key != "yes" {
		t.Errorf("%q, %v", key, err)
	}
}

// If a question is answered elsewhere, its notification disappears.
func TestTheNotificationGoesWithItsQuestion(t *testing.T) {
	address := bustest.Start(t)
	p := newPanel(t, address) // without actions and markup
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	d := dial(t, address)
	loud := note
	loud.Sound = true
	go func() {
		_, err := d.Show(ctx, loud)
		ended <- err
	}()
	p.wait(t)
	cancel()
	if err := waittest.Receive(t, "the question ends", ended); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p.wait(t)
	n := p.notes[0]
	if len(p.closed) != 1 || p.closed[0] != 1 || len(n.actions) > 0 || n.text != note.Text || n.hints["sound-name"].Value() != "message-new-instant" {
		t.Errorf("closed %v, shown %+v", p.closed, n)
	}
}

func TestNoDesktop(t *testing.T) {
	address := bustest.Start(t)
	if _, err := notify.Dial(t.Context(), address); !errors.Is(err, notify.ErrNone) {
		t.Errorf("a bus without a desktop: %v", err)
	}
	if _, err := notify.Dial(t.Context(), "unix:path=/nonexistent"); !errors.Is(err, notify.ErrNone) {
		t.Errorf("no bus: %v", err)
	}
	newPanel(t, address)
	d := dial(t, address)
	d.Close()
	if _, err := d.Show(t.Context(), note); err == nil {
		t.Error("a closed desktop shows a notification")
	}
}
