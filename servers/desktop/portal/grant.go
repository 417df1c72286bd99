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
	// dialogTimeout is how long the dialog stays open.
	dialogTimeout = 5 * time.Minute
	// answerIn is how long an action waits for the user's answer. Then the caller says that the
	// user is asked, and the dialog stays.
	answerIn = 20 * time.Second
)

// A grant is something that the user allows in a dialog: keys, or the clipboard. Each has a
// session of its own, so that keys alone do not open the clipboard. Its fields are guarded by
// the portal's mu.
type grant struct {
	p       *Portal
	consent consent
	// board says that it is for the clipboard. Its session has a keyboard, too, because the
	// dialog of GNOME agrees to nothing without a device. No key is pressed there.
	board  bool
	signal func(*dbus.Signal) // of its session, in order; nil: there are none

	asking *asking // nil: the user is not asked
	live   *live   // nil: there is no consent
}

// A live is a session that the user agreed to, or is asked about.
type live struct {
	session dbus.ObjectPath
	grant   *grant        // nil: nothing is kept of it
	ended   chan struct{} // closed when the user or the desktop ends it
	signal  func(*dbus.Signal)
	used    bool // a key was pressed
}

// An asking is a dialog that asks the user.
type asking struct {
	ctx    context.Context // its cause says why the dialog closes
	cancel context.CancelCauseFunc
	done   chan struct{} // closed at its end
	err    error         // after done
}

// allow asks the user, unless they agreed before. It waits for the answer for some seconds, and
// returns [ErrAsking] then: the dialog stays open. fresh says that the session was not used yet.
func (g *grant) allow(ctx context.Context) (l *live, fresh bool, err error) {
	late := time.NewTimer(answerIn)
	defer late.Stop()
	for {
		l, a := g.ask(ctx)
		if l != nil {
			return l, !l.used, nil
		}
		closing := a.ctx.Err() != nil
		select {
		case <-a.done:
		case <-late.C:
			return nil, false, ErrAsking
		case <-ctx.Done():
			return nil, false, fmt.Errorf("%w (%w)", ErrAsking, context.Cause(ctx))
		}
		if closing { // of a call before
			continue
		}
		if a.err != nil {
			return nil, false, a.err
		}
		g.p.mu.Lock()
		defer g.p.mu.Unlock()
		if l = g.current(); l == nil {
			return nil, false, ErrEnded
		}
		return l, true, nil
	}
}

// ask returns the session to which the user agreed, or else the dialog that is open, or a new one.
func (g *grant) ask(ctx context.Context) (*live, *asking) {
	p := g.p
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := g.current(); l != nil {
		return l, nil
	}
	if g.asking != nil {
		return nil, g.asking
	}
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(ctx))
	limited, stop := context.WithTimeoutCause(ctx, dialogTimeout, ErrUnanswered)
	a := &asking{ctx: limited, cancel: cancel, done: make(chan struct{})}
	g.asking = a
	go func() { // Close waits for it by done
		defer close(a.done)
		defer cancel(nil)
		defer stop()
		l, err := g.start(limited)
		if err != nil && limited.Err() != nil {
			err = context.Cause(limited)
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		g.asking, g.live, a.err = nil, l, err
	}()
	return nil, a
}

// Withdraw closes the dialogs that ask the user. The calls that wait for them get the cause.
func (p *Portal) Withdraw(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, g := range []*grant{p.keys, p.board.grant} {
		if g.asking != nil {
			g.asking.cancel(cause)
		}
	}
}

// current returns the session to which the consent holds, or nil. The caller holds p.mu.
func (g *grant) current() *live {
	if g.live == nil {
		return nil
	}
	select {
	case <-g.live.ended:
		g.live = nil
	default:
	}
	return g.live
}

// open opens a session of a portal.
func (p *Portal) open(ctx context.Context, face string, l *live) error {
	token := "goated" + rand.Text()
	l.session, l.ended = p.handle("session", token), make(chan struct{})
	p.mu.Lock()
	p.sessions[l.session] = l
	p.mu.Unlock()
	results, err := p.ask(ctx, face+".CreateSession", map[string]dbus.Variant{"session_handle_token": dbus.MakeVariant(token)})
	if err == nil {
		// The interface says that the handle is a path, and the portals send a string.
		if path := fmt.Sprint(results["session_handle"].Value()); path != string(l.session) {
			err = fmt.Errorf("%w: its session is %s", ErrFailed, path)
		}
	}
	if err != nil {
		p.forget(l)
	}
	return err
}

func (p *Portal) forget(l *live) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.sessions, l.session)
}

// start asks for a session.
func (g *grant) start(ctx context.Context) (*live, error) {
	p, l := g.p, &live{grant: g, signal: g.signal}
	if err := p.open(ctx, remote, l); err != nil {
		return nil, err
	}
	restore, err := g.agree(ctx, l)
	if err != nil {
		if errors.Is(err, ErrDenied) {
			g.consent.forget()
		}
		p.end(l.session, session)
		p.forget(l)
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-l.ended: // the user ended it already
	default:
		g.consent.keep(restore)
	}
	return l, nil
}

// agree asks the user what the session may do.
func (g *grant) agree(ctx context.Context, l *live) (restore string, err error) {
	p := g.p
	if g.board { // before Start
		if err := p.in(ctx, l, boards+".RequestClipboard", map[string]dbus.Variant{}); err != nil {
			return "", err
		}
	}
	asked := map[string]dbus.Variant{"types": dbus.MakeVariant(keyboard)}
	if g.consent != "" && p.version(ctx, remote) >= 2 { // the first version keeps no consent
		asked["persist_mode"] = dbus.MakeVariant(untilRevoked)
		if token := g.consent.token(); token != "" {
			asked["restore_token"] = dbus.MakeVariant(token)
		}
	}
	if _, err := p.ask(ctx, remote+".SelectDevices", asked, l.session); err != nil {
		return "", err
	}
	results, err := p.ask(ctx, remote+".Start", map[string]dbus.Variant{}, l.session, "")
	if err != nil {
		return "", err
	}
	if g.board {
		if enabled, _ := results["clipboard_enabled"].Value().(bool); !enabled {
			return "", fmt.Errorf("%w: they gave no clipboard", ErrDenied)
		}
	} else if devices, _ := results["devices"].Value().(uint32); devices&keyboard == 0 {
		return "", fmt.Errorf("%w: they gave no keyboard", ErrDenied)
	}
	restore, _ = results["restore_token"].Value().(string)
	return restore, nil
}

// Allow asks the user whether goated may press keys, unless they agreed before. It waits for
// the answer for some seconds, and returns [ErrAsking] then: the dialog stays open. fresh says
// that no key was pressed since they agreed.
func (p *Portal) Allow(ctx context.Context) (fresh bool, err error) {
	_, fresh, err = p.keys.allow(ctx)
	return fresh, err
}

// Key presses or releases a key, by its X keysym. Call [Portal.Allow] first.
func (p *Portal) Key(ctx context.Context, sym uint32, down bool) error {
	p.mu.Lock()
	l := p.keys.current()
	if l != nil {
		l.used = true
	}
	p.mu.Unlock()
	if l == nil {
		return ErrEnded
	}
	state := uint32(0)
	if down {
		state = 1
	}
	return p.in(ctx, l, remote+".NotifyKeyboardKeysym", map[string]dbus.Variant{}, int32(sym), state)
}

// in calls a method of a session, and stores what it returns in out.
func (p *Portal) in(ctx context.Context, l *live, method string, args ...any) error {
	return p.get(ctx, l, nil, method, args...)
}

// get is in for a method that returns something.
func (p *Portal) get(ctx context.Context, l *live, out any, method string, args ...any) error {
	call := p.conn.Object(service, object).CallWithContext(ctx, method, 0, append([]any{l.session}, args...)...)
	err := call.Err
	if err == nil && out != nil {
		err = call.Store(out)
	}
	if err == nil {
		return nil
	}
	select {
	case <-l.ended:
		return ErrEnded
	default:
		return missing(method, err)
	}
}
