package portal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/godbus/dbus/v5"
)

// keyboard is the device type of a keyboard in RemoteDesktop.
const keyboard = uint32(1)

const (
	// dialogTimeout is how long a dialog stays open.
	dialogTimeout = 5 * time.Minute
	// answerIn is how long a call waits for the user's answer. Then it returns ErrAsking, and the
	// dialog stays open.
	answerIn = 20 * time.Second
)

// A grant is something that the user allows in a dialog: pressing keys, or using the clipboard. Each
// grant has its own session, so that consent to keys does not include the clipboard. The portal's mu
// guards its fields.
type grant struct {
	p       *Portal
	consent consent
	// board means that the grant is for the clipboard. Its session includes a keyboard, too, because
	// GNOME's dialog cannot be accepted without a device. No key is pressed in it.
	board  bool
	signal func(*dbus.Signal) // called for each signal of the session, in order; may be nil

	asking *openDialog // nil if no dialog is open
	live   *live       // nil if there is no consent
}

// A live is a session that the user agreed to, or is being asked about.
type live struct {
	session dbus.ObjectPath
	grant   *grant        // nil if the consent is not kept
	ended   chan struct{} // closed when the user or the desktop ends it
	signal  func(*dbus.Signal)
	used    bool // a key was pressed
}

// An openDialog is an open dialog.
type openDialog struct {
	ctx    context.Context // its cause is the reason why the dialog closes
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when the dialog has ended
	err    error         // valid after done is closed
}

// allow asks the user unless they have already agreed. It waits for the answer for up to [answerIn].
// Then it returns [ErrAsking], and the dialog stays open. fresh reports whether the session has not
// been used yet.
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
		if closing { // the dialog belongs to an earlier call and is closing
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

// ask returns the session that the user agreed to. If there is none, it returns the open dialog, or
// opens one.
func (g *grant) ask(ctx context.Context) (*live, *openDialog) {
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
	a := &openDialog{ctx: limited, cancel: cancel, done: make(chan struct{})}
	g.asking = a
	go func() { // Close waits for a.done
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

// Withdraw closes the dialogs that ask the user. Calls that wait for them return cause.
func (p *Portal) Withdraw(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, g := range []*grant{p.keys, p.board.grant} {
		if g.asking != nil {
			g.asking.cancel(cause)
		}
	}
}

// current returns the session with the user's consent, or nil. The caller holds p.mu.
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

// open opens a session of a portal interface.
func (p *Portal) open(ctx context.Context, face string, l *live) error {
	token := "goated" + rand.Text()
	l.session, l.ended = p.handle("session", token), make(chan struct{})
	p.mu.Lock()
	p.sessions[l.session] = l
	p.mu.Unlock()
	results, err := p.ask(ctx, face+".CreateSession", map[string]dbus.Variant{"session_handle_token": dbus.MakeVariant(token)})
	if err == nil {
		// The specification defines the handle as a path, but portals send a string.
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

// start opens a session and asks the user for consent.
func (g *grant) start(ctx context.Context) (*live, error) {
	p, l := g.p, &live{grant: g, signal: g.signal}
	if err := p.open(ctx, remote, l); err != nil {
		return nil, err
	}
	restore, err := g.requestConsent(ctx, l)
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
	case <-l.ended: // the user has ended it already
	default:
		g.consent.keep(restore)
	}
	return l, nil
}

// requestConsent asks the user what the session may do. restore is the token that restores the consent at the
// next start.
func (g *grant) requestConsent(ctx context.Context, l *live) (restore string, err error) {
	p := g.p
	if g.board { // must precede Start
		if err := p.callSession(ctx, l, boards+".RequestClipboard", map[string]dbus.Variant{}); err != nil {
			return "", err
		}
	}
	asked := map[string]dbus.Variant{"types": dbus.MakeVariant(keyboard)}
	if g.consent != "" && p.version(ctx, remote) >= 2 { // version 1 cannot keep the consent
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

// Allow asks the user whether goated may press keys, unless they have already agreed. It waits for the
// answer for up to 20 seconds. Then it returns [ErrAsking], and the dialog stays open. fresh reports
// whether no key has been pressed since they agreed.
func (p *Portal) Allow(ctx context.Context) (fresh bool, err error) {
	_, fresh, err = p.keys.allow(ctx)
	return fresh, err
}

// Key presses or releases a key, identified by its X keysym. Call [Portal.Allow] first.
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
	return p.callSession(ctx, l, remote+".NotifyKeyboardKeysym", map[string]dbus.Variant{}, int32(sym), state)
}

// callSession calls a method of a session that returns nothing.
func (p *Portal) callSession(ctx context.Context, l *live, method string, args ...any) error {
	return p.get(ctx, l, nil, method, args...)
}

// get calls a method of a session, and stores its result in out unless out is nil.
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
