package portal

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/godbus/dbus/v5"
)

const (
	shortcuts = "org.freedesktop.portal.GlobalShortcuts"
	registry  = "org.freedesktop.host.portal.Registry"
	// program is the name of goated's desktop file, by which desktops identify the owner of the
	// shortcut. GNOME accepts only names with a dot.
	program = "goated.goated"
	// halting is the id of the shortcut.
	halting = "halt"
)

// A Shortcut is a global key combination that reaches goated whatever window has the focus. The caller
// must close it.
type Shortcut struct {
	portal *Portal
	live   *live

	name string // the keys, as the desktop names them
}

// Bind asks the desktop for a shortcut, and calls pressed when the user presses it. pressed must not
// block. The desktop may ask the user, and it may choose other keys. ctx limits how long that may take.
func Bind(ctx context.Context, o Options, pressed func()) (*Shortcut, error) {
	// The shortcut needs a separate connection, because a program can register only with the first call
	// of a connection.
	p, err := Open(ctx, Options{Session: o.Session})
	if err != nil {
		return nil, err
	}
	s := &Shortcut{portal: p}
	s.live = &live{signal: func(e *dbus.Signal) {
		if e.Name == shortcuts+".Activated" && len(e.Body) > 1 && e.Body[1] == halting {
			pressed()
		}
	}}
	if err := s.bind(ctx); err != nil {
		p.Close()
		return nil, err
	}
	return s, nil
}

func (s *Shortcut) bind(ctx context.Context) error {
	p := s.portal
	// Old portals, and portals that already identified the program, return an error. They then decide
	// without the registration.
	named := p.conn.Object(service, object).CallWithContext(ctx, registry+".Register", 0, program, map[string]dbus.Variant{})
	if err := p.open(ctx, shortcuts, s.live); err != nil {
		if errors.Is(err, ErrDenied) && named.Err != nil {
			return fmt.Errorf("%w: this desktop gives keys only to programs with a desktop file, and there is no %s.desktop (%w)", ErrMissing, program, err)
		}
		return err
	}
	type shortcut struct {
		ID      string
		Options map[string]dbus.Variant
	}
	trigger := "CTRL+ALT+Escape"
	if p.runs(gnome) { // GNOME uses Ctrl+Alt+Esc for its panels, and grants it without effect
		trigger = "CTRL+LOGO+Escape"
	}
	list := []shortcut{{halting, map[string]dbus.Variant{
		"description":       dbus.MakeVariant("Stop everything that goated does on the desktop"),
		"preferred_trigger": dbus.MakeVariant(trigger),
	}}}
	// GNOME 48 grants the shortcut with an undefined answer code (fixed by its commit 2751190), so the
	// list decides.
	results, refusal := p.ask(ctx, shortcuts+".BindShortcuts", map[string]dbus.Variant{}, s.live.session, list, "")
	var bound []shortcut
	if v, ok := results["shortcuts"]; ok {
		if err := dbus.Store([]any{v.Value()}, &bound); err != nil {
			return fmt.Errorf("%w: its list of shortcuts: %w", ErrFailed, err)
		}
	}
	for _, b := range bound {
		if b.ID == halting {
			s.name, _ = b.Options["trigger_description"].Value().(string)
			return nil
		}
	}
	if refusal != nil {
		return refusal
	}
	return fmt.Errorf("%w: they gave no key", ErrDenied)
}

// Name returns the keys as the desktop names them, or "" if it does not.
func (s *Shortcut) Name() string { return s.name }

// Ended returns a channel that is closed when the desktop has taken the shortcut back.
func (s *Shortcut) Ended() <-chan struct{} { return s.live.ended }

// Close gives up the shortcut.
func (s *Shortcut) Close() { s.portal.Close() }

// A Watch keeps asking the desktop for a shortcut in the background.
type Watch struct {
	cancel context.CancelFunc
	done   chan struct{}
	again  chan struct{} // holds a token after [Watch.Again] was called for a lost shortcut

	mu   sync.Mutex
	name string
	why  error
	lost bool // the desktop took the shortcut back, and may be asked again
}

// errWaiting means that there is no shortcut yet.
var errWaiting = fmt.Errorf("%w: the desktop was not answered yet", ErrAsking)

// maxAgain is how often the desktop is asked again, because each time it may ask the user.
const maxAgain = 8

// Follow runs [Bind] in the background until Close. It calls changed when goated gets the shortcut, with
// the name of its keys, and when it loses it, with "". This may be before Follow returns.
func Follow(o Options, pressed func(), changed func(keys string)) *Watch {
	ctx, cancel := context.WithCancel(context.Background())
	w := &Watch{cancel: cancel, done: make(chan struct{}), again: make(chan struct{}, 1), why: errWaiting}
	go func() {
		defer close(w.done)
		asked, ever := 0, false
		for {
			had, err := w.bindAndHold(ctx, o, pressed, changed)
			if ctx.Err() != nil {
				return
			}
			if ever = ever || had; !errors.Is(err, ErrMissing) { // a missing portal asks nobody
				asked++
			}
			// Do not ask again a desktop that never granted a shortcut, or a user who refused one.
			lost := ever && !errors.Is(err, ErrDenied) && asked <= maxAgain
			w.set("", err, lost)
			changed("")
			if !lost {
				return
			}
			select {
			case <-w.again:
			case <-ctx.Done():
				return
			}
		}
	}()
	return w
}

// bindAndHold binds the shortcut and keeps it until the desktop takes it back, or ctx ends.
func (w *Watch) bindAndHold(ctx context.Context, o Options, pressed func(), changed func(keys string)) (had bool, err error) {
	s, err := Bind(ctx, o, pressed)
	if err != nil {
		return false, err
	}
	defer s.Close()
	keys := cmp.Or(s.Name(), "the keys that you chose for goated in your desktop")
	w.set(keys, nil, false)
	changed(keys)
	select {
	case <-s.Ended():
	case <-s.portal.Ended():
	case <-ctx.Done():
	}
	return true, ErrEnded
}

func (w *Watch) set(name string, why error, lost bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.name, w.why, w.lost = name, why, lost
}

// Again asks the desktop for a shortcut that it took back, for example after its portals restarted. It
// does not wait. It does nothing if no shortcut was lost.
func (w *Watch) Again() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lost {
		w.lost = false
		w.again <- struct{}{} // only the first caller after a loss sends
	}
}

// Key returns the name of the keys, or the reason why there are none.
func (w *Watch) Key() (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.name, w.why
}

// Close gives up the shortcut, or cancels the question for it.
func (w *Watch) Close() {
	w.cancel()
	<-w.done
}
