// Package portal uses the desktop portals of a Wayland session for what the session lets a program do
// with the user's consent: take a picture that the user chooses, press keys, use the clipboard, and
// receive a key that stops goated.
//
// It uses the D-Bus interfaces org.freedesktop.portal.Screenshot, RemoteDesktop, Clipboard and
// GlobalShortcuts (https://flatpak.github.io/xdg-desktop-portal/docs). The package owns its connections
// to the session bus, and the sessions that the user agreed to. It must not depend on which window has
// the keyboard focus: the caller checks that first. It does not use the pointer, because no portal
// reports which window is at a position.
package portal

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"
)

// Most errors of this package wrap one of these.
var (
	// ErrMissing means that the desktop has no portal for the request.
	ErrMissing = errors.New("this desktop has no portal for it")
	// ErrDenied means that the user did not agree.
	ErrDenied = errors.New("the user did not agree in the dialog of the desktop")
	// ErrAsking means that the desktop is still waiting for the user's answer.
	ErrAsking = errors.New("the desktop asks the user in a dialog whether goated may do it; ask the user to answer there, and try again")
	// ErrUnanswered means that the dialog was closed because nobody answered it.
	ErrUnanswered = errors.New("nobody answered the dialog of the desktop within 5 minutes, so goated closed it; ask the user whether they can answer now, and try again: the dialog opens again")
	// ErrClosed means that the Portal or Choice is closed.
	ErrClosed = errors.New("goated closed its connection to this desktop; tell the user to restart the desktop server")
	// ErrEnded means that the user's consent has ended.
	ErrEnded = errors.New("the user or the desktop ended goated's permission; the next try asks again")
	// ErrFailed means that the portal failed.
	ErrFailed = errors.New("the portal of the desktop failed")
)

const (
	service     = "org.freedesktop.portal.Desktop"
	object      = "/org/freedesktop/portal/desktop"
	screenshots = "org.freedesktop.portal.Screenshot"
	remote      = "org.freedesktop.portal.RemoteDesktop"
	boards      = "org.freedesktop.portal.Clipboard"
	request     = "org.freedesktop.portal.Request"
	session     = "org.freedesktop.portal.Session"
	bus         = "org.freedesktop.DBus"
)

// Options configure a [Portal].
type Options struct {
	Session string // the address of the session bus; if empty, from the environment

	// Consent is the path of a file, mode 0600, that keeps the user's consent to keys for the next
	// start. If empty, the user is asked at each start.
	Consent string
	// Clipboard is the path of the corresponding file for the clipboard.
	Clipboard string
}

// A Portal is a connection to the portals of a session. Its methods are safe for concurrent use. The
// caller must close it.
type Portal struct {
	conn  *dbus.Conn
	stop  context.CancelFunc // ends the connection
	keys  *grant
	board *Clipboard
	reads sync.WaitGroup

	mu       sync.Mutex
	waiting  map[dbus.ObjectPath]chan response // requests, by their handle
	sessions map[dbus.ObjectPath]*live
	asks     map[string]asker // the programs that ask the user on behalf of the desktop, by bus name
}

// A response is the user's answer to a request.
type response struct {
	code    uint32
	results map[string]dbus.Variant
}

// connecting is how long the session bus may take to accept a connection.
const connecting = 5 * time.Second

// connect connects to the session bus. Call stop after the connection.
func connect(ctx context.Context, session string) (conn *dbus.Conn, stop context.CancelFunc, err error) {
	ctx, cancel := context.WithTimeout(ctx, connecting)
	defer cancel()
	life, stop := context.WithCancel(context.Background())
	answered := context.AfterFunc(ctx, stop) // ends the connection if the bus does not answer
	if session != "" {
		conn, err = dbus.Connect(session, dbus.WithContext(life))
	} else {
		conn, err = dbus.ConnectSessionBus(dbus.WithContext(life))
	}
	if !answered() && err == nil {
		_ = conn.Close()
		err = context.Cause(ctx)
	}
	if err != nil {
		stop()
		return nil, nil, fmt.Errorf("%w: connecting to the session bus: %w", ErrMissing, err)
	}
	return conn, stop, nil
}

// Open connects to the session bus.
func Open(ctx context.Context, o Options) (*Portal, error) {
	conn, stop, err := connect(ctx, o.Session)
	if err != nil {
		return nil, err
	}
	p := &Portal{conn: conn, stop: stop, waiting: make(map[dbus.ObjectPath]chan response), sessions: make(map[dbus.ObjectPath]*live), asks: make(map[string]asker)}
	p.keys = &grant{p: p, consent: consent(o.Consent)}
	p.board = newClipboard(p, consent(o.Clipboard))
	signals := make(chan *dbus.Signal, 64)
	conn.Signal(signals)
	p.reads.Go(func() { p.read(signals) })
	for _, face := range []string{request, session, boards, shortcuts} {
		if err := conn.AddMatchSignalContext(ctx, dbus.WithMatchSender(service), dbus.WithMatchInterface(face)); err != nil {
			p.Close()
			return nil, fmt.Errorf("%w: %w", ErrFailed, err)
		}
	}
	if err := p.findAskers(ctx); err != nil {
		p.Close()
		return nil, fmt.Errorf("%w: looking for the dialogs of the desktop: %w", ErrFailed, err)
	}
	return p, nil
}

// Close closes the dialogs, ends the sessions that the user agreed to, and disconnects.
func (p *Portal) Close() {
	grants := []*grant{p.keys, p.board.grant}
	for _, g := range grants {
		p.mu.Lock()
		asks := g.asking
		p.mu.Unlock()
		if asks != nil {
			asks.cancel(ErrClosed)
			<-asks.done
		}
	}
	p.mu.Lock()
	var open []dbus.ObjectPath
	for path := range p.sessions {
		open = append(open, path)
	}
	clear(p.sessions) // from here on, only this program ends a session
	p.mu.Unlock()
	for _, path := range open {
		p.end(path, session)
	}
	_ = p.conn.Close()
	p.stop()
	p.reads.Wait()
	p.board.close()
}

// starting is how long a portal may take to start and to open a dialog.
const starting = 20 * time.Second

// ending is how long a portal may take to close a dialog or a session.
const ending = time.Second

// end closes a dialog or a session. It waits for the reply, because what is sent last before the
// connection closes may get lost.
func (p *Portal) end(path dbus.ObjectPath, face string) {
	ctx, cancel := context.WithTimeout(context.Background(), ending)
	defer cancel()
	_ = p.conn.Object(service, path).CallWithContext(ctx, face+".Close", 0).Err // the session may have ended already
}

// Ended returns a channel that is closed when the connection to the session bus ends.
func (p *Portal) Ended() <-chan struct{} { return p.conn.Context().Done() }

// read dispatches signals to those who wait for them, until the connection ends.
func (p *Portal) read(signals <-chan *dbus.Signal) {
	for s := range signals {
		var l *live
		p.mu.Lock()
		switch s.Name {
		case request + ".Response":
			if c := p.waiting[s.Path]; c != nil && len(s.Body) == 2 {
				code, _ := s.Body[0].(uint32)
				results, _ := s.Body[1].(map[string]dbus.Variant)
				delete(p.waiting, s.Path)
				c <- response{code, results}
			}
		case session + ".Closed":
			if l := p.sessions[s.Path]; l != nil {
				delete(p.sessions, s.Path)
				close(l.ended)
				if l.grant != nil {
					l.grant.consent.forget() // the user who ended it expects to be asked next time
				}
			}
		case bus + ".NameOwnerChanged":
			if len(s.Body) == 3 {
				name, _ := s.Body[0].(string)
				before, _ := s.Body[1].(string)
				owner, _ := s.Body[2].(string)
				p.changed(name, owner)
				if name == service && before != "" { // its sessions ended with it
					for path, l := range p.sessions {
						delete(p.sessions, path)
						close(l.ended)
					}
				}
			}
		default: // the signals of the other interfaces begin with their session
			if len(s.Body) > 0 {
				path, _ := s.Body[0].(dbus.ObjectPath)
				l = p.sessions[path]
			}
		}
		p.mu.Unlock()
		if l != nil && l.signal != nil {
			l.signal(s)
		}
	}
}

// handle returns the path of the object that the portal will create for a token.
func (p *Portal) handle(kind, token string) dbus.ObjectPath {
	sender := strings.ReplaceAll(strings.TrimPrefix(p.conn.Names()[0], ":"), ".", "_")
	return dbus.ObjectPath(object + "/" + kind + "/" + sender + "/" + token)
}

// ask calls a method that answers through a request object, and waits for the user's answer. It adds
// the token of the request to options. If ctx ends, ask closes the dialog. It returns the results even
// if the user refuses.
func (p *Portal) ask(ctx context.Context, method string, options map[string]dbus.Variant, args ...any) (map[string]dbus.Variant, error) {
	token := "goated" + rand.Text()
	path := p.handle("request", token)
	answer := make(chan response, 1)
	p.mu.Lock()
	p.waiting[path] = answer // before the call, because the answer may come first
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.waiting, path)
	}()
	options["handle_token"] = dbus.MakeVariant(token)
	var handle dbus.ObjectPath
	// The call continues after ctx ends, because a dialog that it opens has to be closed.
	opening, cancel := context.WithTimeout(context.WithoutCancel(ctx), starting)
	defer cancel()
	call := p.conn.Object(service, object).CallWithContext(opening, method, 0, append(args, options)...)
	if err := call.Store(&handle); err != nil {
		return nil, missing(method, err)
	}
	if handle != path {
		return nil, fmt.Errorf("%w: %s answers by %s, and not by %s: xdg-desktop-portal 0.9 or later is needed", ErrMissing, method, handle, path)
	}
	select {
	case r := <-answer:
		switch r.code {
		case 0:
			return r.results, nil
		case 1:
			return r.results, ErrDenied
		}
		return r.results, fmt.Errorf("%w: %s ended without an answer of the user", ErrFailed, method)
	case <-ctx.Done():
		p.end(path, request)
		return nil, context.Cause(ctx)
	case <-p.conn.Context().Done():
		return nil, fmt.Errorf("%w: the session bus has ended", ErrFailed)
	}
}

// missing converts the error of a call to ErrMissing, ErrDenied or ErrFailed.
func missing(method string, err error) error {
	var remote dbus.Error
	if errors.As(err, &remote) {
		switch remote.Name {
		case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.UnknownInterface", "org.freedesktop.DBus.Error.UnknownMethod",
			"org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.Spawn.ExecFailed", "org.freedesktop.DBus.Error.Spawn.ServiceNotFound":
			return fmt.Errorf("%w: %s: %s", ErrMissing, method, err)
		case "org.freedesktop.portal.Error.NotAllowed", "org.freedesktop.DBus.Error.AccessDenied":
			return fmt.Errorf("%w: %s: %s", ErrDenied, method, err)
		}
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return fmt.Errorf("%w: %s: %w", ErrFailed, method, err)
}
