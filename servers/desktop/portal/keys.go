package portal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/godbus/dbus/v5"
)

// keyboard is the device type of a keyboard.
const keyboard = uint32(1)

const (
	// patience is how long the dialog stays open.
	patience = 5 * time.Minute
	// answerIn is how long a key waits for the user's answer. Then the caller says that the
	// user is asked, and the dialog stays.
	answerIn = 20 * time.Second
)

// A typing is a session in which goated may press keys.
type typing struct {
	session dbus.ObjectPath
	ended   chan struct{} // closed when the user or the desktop ends it
	used    bool          // a key was pressed
}

// An asking is a dialog that asks whether goated may press keys.
type asking struct {
	cancel context.CancelFunc
	done   chan struct{} // closed at its end
	err    error         // after done
}

// Allow asks the user whether goated may press keys, unless they agreed before. It waits for
// the answer for some seconds, and returns [ErrAsking] then: the dialog stays open. fresh says
// that no key was pressed since they agreed.
func (p *Portal) Allow(ctx context.Context) (fresh bool, err error) {
	p.mu.Lock()
	if p.live() {
		defer p.mu.Unlock()
		return !p.typing.used, nil
	}
	a := p.asking
	if a == nil {
		consent, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		a = &asking{cancel: cancel, done: make(chan struct{})}
		p.asking = a
		go func() { // Close waits for it by done
			defer close(a.done)
			defer cancel()
			t, err := p.start(consent)
			p.mu.Lock()
			defer p.mu.Unlock()
			p.asking, p.typing, a.err = nil, t, err
		}()
	}
	p.mu.Unlock()
	late := time.NewTimer(answerIn)
	defer late.Stop()
	select {
	case <-a.done:
		return a.err == nil, a.err
	case <-late.C:
		return false, ErrAsking
	case <-ctx.Done():
		return false, fmt.Errorf("%w (%w)", ErrAsking, context.Cause(ctx))
	}
}

// live reports whether the consent holds. The caller holds p.mu.
func (p *Portal) live() bool {
	if p.typing == nil {
		return false
	}
	select {
	case <-p.typing.ended:
		p.typing = nil
		return false
	default:
		return true
	}
}

// start asks for a session with a keyboard.
func (p *Portal) start(ctx context.Context) (*typing, error) {
	token := "goated" + rand.Text()
	t := &typing{session: p.handle("session", token), ended: make(chan struct{})}
	p.mu.Lock()
	p.ends[t.session] = t.ended
	p.mu.Unlock()
	results, err := p.ask(ctx, remote+".CreateSession", map[string]dbus.Variant{"session_handle_token": dbus.MakeVariant(token)})
	if err == nil {
		// The interface says that the handle is a path, and the portals send a string.
		if path := fmt.Sprint(results["session_handle"].Value()); path != string(t.session) {
			err = fmt.Errorf("%w: its session is %s", ErrFailed, path)
		}
	}
	if err != nil {
		p.forget(t)
		return nil, err
	}
	asked := map[string]dbus.Variant{"types": dbus.MakeVariant(keyboard)}
	if p.persists(ctx) {
		asked["persist_mode"] = dbus.MakeVariant(untilRevoked)
		if token := p.consent.token(); token != "" {
			asked["restore_token"] = dbus.MakeVariant(token)
		}
	}
	_, err = p.ask(ctx, remote+".SelectDevices", asked, t.session)
	if err == nil {
		results, err = p.ask(ctx, remote+".Start", map[string]dbus.Variant{}, t.session, "")
	}
	if err == nil {
		if devices, _ := results["devices"].Value().(uint32); devices&keyboard == 0 {
			err = fmt.Errorf("%w: they gave no keyboard", ErrDenied)
		}
	}
	if err != nil {
		if errors.Is(err, ErrDenied) {
			p.consent.forget()
		}
		p.end(t.session, session)
		p.forget(t)
		return nil, err
	}
	restore, _ := results["restore_token"].Value().(string)
	p.keep(t, restore)
	return t, nil
}

// keep keeps the consent to a session for the next start, unless the user ended it already.
func (p *Portal) keep(t *typing, token string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-t.ended:
	default:
		p.consent.keep(token)
	}
}

func (p *Portal) forget(t *typing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.ends, t.session)
}

// Key presses or releases a key, by its X keysym. Call [Portal.Allow] first.
func (p *Portal) Key(ctx context.Context, sym uint32, down bool) error {
	p.mu.Lock()
	live, t := p.live(), p.typing
	if live {
		t.used = true
	}
	p.mu.Unlock()
	if !live {
		return ErrEnded
	}
	state := uint32(0)
	if down {
		state = 1
	}
	call := p.conn.Object(service, object).CallWithContext(ctx, remote+".NotifyKeyboardKeysym", 0, t.session, map[string]dbus.Variant{}, int32(sym), state)
	if call.Err == nil {
		return nil
	}
	p.mu.Lock()
	ended := !p.live()
	p.mu.Unlock()
	if ended {
		return ErrEnded
	}
	return missing(remote+".NotifyKeyboardKeysym", call.Err)
}
