// Package portaltest is a strict fake of xdg-desktop-portal, for machines without a Wayland desktop. It
// serves the interfaces Screenshot (version 2), RemoteDesktop (version 2), Clipboard, GlobalShortcuts
// and Registry of https://flatpak.github.io/xdg-desktop-portal/docs on a session bus. It refuses what
// the interfaces do not allow: unknown options, calls in a wrong order, a second use of a token,
// sessions of another caller or kind, and the use of keys or the clipboard without consent. It has no
// pointer, because goated asks for none. Functions of the test act as the user.
package portaltest

import (
	"crypto/rand"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"
)

const (
	service = "org.freedesktop.portal.Desktop"
	object  = "/org/freedesktop/portal/desktop"
	remote  = "org.freedesktop.portal.RemoteDesktop"
	// backend is the bus name of the program that shows the dialogs.
	backend = "org.freedesktop.impl.portal.desktop.test"
)

// The answers that a user can give.
const (
	Agree  = uint32(0)
	Refuse = uint32(1)
	Other  = uint32(2)
)

// A Key is a press or release of a key.
type Key struct {
	Sym  uint32
	Down bool
}

// A Portal is the fake portal. Set its functions before Serve. Each call runs on its own goroutine.
type Portal struct {
	// Keyboard returns the user's answer to the dialog that asks for a keyboard, and the devices that
	// they allow.
	Keyboard func() (answer, devices uint32)
	// Picture returns the user's answer to the dialog that asks for a picture, and the picture's URI.
	Picture func() (answer uint32, uri string)
	// Pressed is called for each key, in order. It may be nil.
	Pressed func(Key)
	// Lacks lists the interfaces that the desktop does not have, by the last part of their names.
	Lacks []string
	// Old makes RemoteDesktop version 1, which cannot keep the consent.
	Old bool
	Copying
	Keys

	conn *dbus.Conn

	mu       sync.Mutex
	sessions map[dbus.ObjectPath]*sessionState
	open     map[dbus.ObjectPath]bool // requests without an answer
	closed   int                      // the number of requests that the caller closed
	faults   []string
	tokens   map[string]given // what a token restores without asking the user
}

// A given describes what a user allowed.
type given struct {
	devices   uint32
	clipboard bool
}

// A sessionState records the progress of a session.
type sessionState struct {
	owner    string
	face     string // the interface that created it
	selected bool
	starting bool
	started  bool
	bound    bool // shortcuts are bound
	given
	wanted   bool            // the clipboard was requested
	reading  bool            // a clipboard read is in progress
	keys     map[uint32]bool // the keys that are down
	persist  bool            // the user's consent is kept
	restored given           // the earlier consent
}

type options = map[string]dbus.Variant

// Serve connects the portal to a session bus. The caller closes the returned connection.
func (p *Portal) Serve(address string) (*dbus.Conn, error) {
	conn, err := dbus.Connect(address)
	if err != nil {
		return nil, err
	}
	p.conn, p.sessions, p.open, p.tokens = conn, make(map[dbus.ObjectPath]*sessionState), make(map[dbus.ObjectPath]bool), make(map[string]given)
	p.board.transfer, p.seen, p.apps = make(map[uint32]*handover), make(map[string]bool), make(map[string]string)
	for face, methods := range map[string]map[string]any{
		"org.freedesktop.portal.Screenshot": {"Screenshot": p.screenshot},
		remote: {
			"CreateSession": p.createSession(remote), "SelectDevices": p.selectDevices, "Start": p.start, "NotifyKeyboardKeysym": p.key,
		},
		boards: {
			"RequestClipboard": p.requestClipboard, "SetSelection": p.setSelection, "SelectionRead": p.selectionRead,
			"SelectionWrite": p.selectionWrite, "SelectionWriteDone": p.selectionWriteDone,
		},
		shortcuts:                         {"CreateSession": p.createSession(shortcuts), "BindShortcuts": p.bindShortcuts},
		registry:                          {"Register": p.register},
		"org.freedesktop.DBus.Properties": {"Get": p.property},
	} {
		if slices.Contains(p.Lacks, face[strings.LastIndex(face, ".")+1:]) {
			continue
		}
		if err := conn.ExportMethodTable(methods, object, face); err != nil {
			return nil, err
		}
	}
	names := []string{backend, service}
	if p.GNOME {
		names = append([]string{"org.gnome.Shell"}, names...)
	}
	for _, name := range names {
		if r, err := conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || r != dbus.RequestNameReplyPrimaryOwner {
			return nil, fmt.Errorf("%s is not free: %v, %w", name, r, err)
		}
	}
	return conn, nil
}

// Faults returns the rules that the caller broke, and the keys that it still holds.
func (p *Portal) Faults() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	faults := append([]string(nil), p.faults...)
	for path, s := range p.sessions {
		for sym, down := range s.keys {
			if down {
				faults = append(faults, fmt.Sprintf("%s holds the key %#x", path, sym))
			}
		}
	}
	return faults
}

func (p *Portal) property(face, name string) (dbus.Variant, *dbus.Error) {
	if face != remote || name != "version" {
		return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.UnknownProperty", []any{name})
	}
	if p.Old {
		return dbus.MakeVariant(uint32(1)), nil
	}
	return dbus.MakeVariant(uint32(2)), nil
}

// Sessions returns how many sessions are open.
func (p *Portal) Sessions() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.sessions)
}

// Requests returns how many dialogs are open, and how many the caller closed.
func (p *Portal) Requests() (open, closed int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.open), p.closed
}

// End ends all sessions, as a user does in the desktop's panel.
func (p *Portal) End() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for path := range p.sessions {
		p.end(path)
	}
}

func (p *Portal) end(path dbus.ObjectPath) {
	p.remove(path)
	_ = p.conn.Emit(path, "org.freedesktop.portal.Session.Closed", options{})
}

// fault records and returns the error of a call that breaks a rule.
func (p *Portal) fault(name, format string, args ...any) *dbus.Error {
	text := fmt.Sprintf(format, args...)
	p.faults = append(p.faults, text)
	return dbus.NewError(name, []any{text})
}

const invalid = "org.freedesktop.portal.Error.InvalidArgument"

// check returns an error for options that the interface does not have.
func (p *Portal) check(method string, o options, has map[string]string) *dbus.Error {
	for name, v := range o {
		if has[name] == "" {
			return p.fault(invalid, "%s has no option %q", method, name)
		}
		if got := v.Signature().String(); got != has[name] {
			return p.fault(invalid, "the option %s of %s is %s, and not %s", name, method, got, has[name])
		}
	}
	return nil
}

// path returns the path of an object that belongs to a caller.
func path(kind string, sender dbus.Sender, token dbus.Variant) dbus.ObjectPath {
	t, _ := token.Value().(string)
	if t == "" {
		t = "t"
	}
	name := strings.ReplaceAll(strings.TrimPrefix(string(sender), ":"), ".", "_")
	return dbus.ObjectPath(object + "/" + kind + "/" + name + "/" + t)
}

// request creates a request that is answered later.
func (p *Portal) request(sender dbus.Sender, o options, answer func() (uint32, options)) (dbus.ObjectPath, *dbus.Error) {
	at := path("request", sender, o["handle_token"])
	if !at.IsValid() || p.open[at] {
		return "", p.fault(invalid, "the token of %s is in use or invalid", at)
	}
	p.open[at] = true
	_ = p.conn.ExportMethodTable(map[string]any{"Close": func() *dbus.Error {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.open[at] {
			delete(p.open, at)
			p.closed++
		}
		return nil
	}}, at, "org.freedesktop.portal.Request")
	go func() { // ends with the user's answer; the test waits for its effect
		code, results := answer()
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.open[at] {
			delete(p.open, at)
			_ = p.conn.Emit(at, "org.freedesktop.portal.Request.Response", code, results)
		}
	}()
	return at, nil
}

func (p *Portal) screenshot(parent string, o options, sender dbus.Sender) (dbus.ObjectPath, *dbus.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.check("Screenshot", o, map[string]string{"handle_token": "s", "modal": "b", "interactive": "b"}); err != nil {
		return "", err
	}
	if o["interactive"].Value() != true {
		return "", p.fault(invalid, "the user does not choose the picture")
	}
	return p.request(sender, o, func() (uint32, options) {
		answer, uri := p.Picture()
		return answer, options{"uri": dbus.MakeVariant(uri)}
	})
}

// createSession returns a method that creates sessions of an interface.
func (p *Portal) createSession(face string) func(options, dbus.Sender) (dbus.ObjectPath, *dbus.Error) {
	return func(o options, sender dbus.Sender) (dbus.ObjectPath, *dbus.Error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.seen[string(sender)] = true
		if face == shortcuts && p.Nameless && p.apps[string(sender)] == "" {
			return "", dbus.NewError("org.freedesktop.portal.Error.NotAllowed", []any{"An app id is required"})
		}
		if err := p.check("CreateSession", o, map[string]string{"handle_token": "s", "session_handle_token": "s"}); err != nil {
			return "", err
		}
		at := path("session", sender, o["session_handle_token"])
		if p.sessions[at] != nil {
			return "", p.fault(invalid, "the session %s exists", at)
		}
		return p.request(sender, o, func() (uint32, options) {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.sessions[at] = &sessionState{owner: string(sender), face: face, keys: make(map[uint32]bool)}
			_ = p.conn.ExportMethodTable(map[string]any{"Close": func() *dbus.Error {
				p.mu.Lock()
				defer p.mu.Unlock()
				p.remove(at)
				return nil
			}}, at, "org.freedesktop.portal.Session")
			return Agree, options{"session_handle": dbus.MakeVariant(string(at))} // a string, as real portals send it
		})
	}
}

// remove removes a session and its clipboard contents. The caller holds p.mu.
func (p *Portal) remove(at dbus.ObjectPath) {
	delete(p.sessions, at)
	if p.board.owner == at {
		p.board.owner, p.board.types = "", nil
		p.tell()
	}
}

// session returns a session that belongs to a caller and an interface.
func (p *Portal) session(at dbus.ObjectPath, sender dbus.Sender, face string) (*sessionState, *dbus.Error) {
	s := p.sessions[at]
	if s == nil || s.owner != string(sender) || s.face != face {
		return nil, dbus.NewError(denied, []any{"Invalid session"})
	}
	return s, nil
}

func (p *Portal) selectDevices(at dbus.ObjectPath, o options, sender dbus.Sender) (dbus.ObjectPath, *dbus.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, err := p.session(at, sender, remote)
	if err != nil {
		return "", err
	}
	if err := p.check("SelectDevices", o, map[string]string{"handle_token": "s", "types": "u", "restore_token": "s", "persist_mode": "u"}); err != nil {
		return "", err
	}
	if s.selected || s.starting {
		return "", p.fault(invalid, "the devices are selected twice")
	}
	s.selected = true
	s.devices, _ = o["types"].Value().(uint32)
	mode, _ := o["persist_mode"].Value().(uint32)
	token, _ := o["restore_token"].Value().(string)
	if p.Old && (mode != 0 || token != "") || mode > 2 {
		return "", p.fault(invalid, "the mode %d and the token %q", mode, token)
	}
	s.persist, s.restored = mode == 2, p.tokens[token]
	delete(p.tokens, token) // it is valid once
	return p.request(sender, o, func() (uint32, options) { return Agree, options{} })
}

func (p *Portal) start(at dbus.ObjectPath, parent string, o options, sender dbus.Sender) (dbus.ObjectPath, *dbus.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, err := p.session(at, sender, remote)
	if err != nil {
		return "", err
	}
	if err := p.check("Start", o, map[string]string{"handle_token": "s"}); err != nil {
		return "", err
	}
	if !s.selected || s.starting {
		return "", p.fault(invalid, "the session starts before its devices are selected, or twice")
	}
	s.starting = true
	return p.request(sender, o, func() (uint32, options) {
		answer, got := Agree, s.restored
		if got.devices == 0 {
			answer, got.devices = p.Keyboard()
			got.clipboard = p.Board == nil || p.Board()
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		if answer != Agree {
			p.end(at)
			return answer, options{}
		}
		s.started, s.devices, s.clipboard = true, s.devices&got.devices, s.wanted && got.clipboard
		results := options{"devices": dbus.MakeVariant(s.devices)}
		if s.clipboard {
			results["clipboard_enabled"] = dbus.MakeVariant(true)
			p.tell()
		}
		if s.persist {
			token := rand.Text()
			p.tokens[token] = s.given
			results["restore_token"] = dbus.MakeVariant(token)
		}
		return answer, results
	})
}

func (p *Portal) key(at dbus.ObjectPath, o options, sym int32, state uint32, sender dbus.Sender) *dbus.Error {
	p.mu.Lock()
	s, err := p.session(at, sender, remote)
	switch {
	case err != nil:
	case !s.started || s.devices&1 == 0:
		err = p.fault(denied, "a key without consent")
	case len(o) > 0 || state > 1 || sym <= 0:
		err = p.fault(invalid, "the key %d, %d, %v", sym, state, o)
	case s.keys[uint32(sym)] == (state == 1):
		err = p.fault(invalid, "the key %#x is in this state", sym)
	default:
		s.keys[uint32(sym)] = state == 1
	}
	p.mu.Unlock()
	if err == nil && p.Pressed != nil {
		p.Pressed(Key{uint32(sym), state == 1})
	}
	return err
}
