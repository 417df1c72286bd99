// Package drop drops files onto a window of an X11 desktop, as a file manager does (XDND 3 to 5,
// https://freedesktop.org/wiki/Specifications/XDND). The mouse pointer does not move. Messages tell the
// window where the files are dragged.
//
// The package owns a connection during a drop. It must not depend on elements.
package drop

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/x11/wire"
)

// ErrRefused means that a window does not accept the files.
var ErrRefused = errors.New("the window does not take files there")

const (
	newest = 5 // version of XDND
	oldest = 3
	// answer is how long the target may take for each answer.
	answer = 5 * time.Second
	// steps is how many position messages a drag sends. Some programs ignore the first one, which
	// starts the drag.
	steps = 3
)

// A Target is the position where files are dropped.
type Target struct {
	Window uint32 // of the application
	X, Y   int    // on the screen
}

// Files drops files onto a window. paths are absolute. The drag takes about d. Files calls allow just
// before the drop, and cancels the drag if it returns an error. allow may be nil.
func Files(ctx context.Context, display, authority string, at Target, paths []string, d time.Duration, allow func() error) error {
	s := &source{at: at, events: make(chan any, 64)}
	for _, p := range paths {
		s.list = append(s.list, (&url.URL{Scheme: "file", Path: p}).String())
	}
	c, err := wire.Dial(ctx, wire.Options{Display: display, Authority: authority, Handle: func(e wire.Event) {
		select {
		case s.events <- e.Core:
		default: // no program sends that many events
		}
	}})
	if err != nil {
		return err
	}
	s.c = c
	defer c.Close()
	if err := s.prepare(); err != nil {
		return err
	}
	return s.drag(ctx, d, allow)
}

// A source plays the program from which the files are dragged.
type source struct {
	c       *wire.Conn
	window  xproto.Window
	at      Target
	list    []string // URLs
	version uint32   // of XDND: the highest that both sides know
	now     xproto.Timestamp
	events  chan any
}

// prepare checks that the target accepts files and creates the window of the source.
func (s *source) prepare() (err error) {
	if err := s.c.Intern("XdndAware", "XdndSelection", "XdndEnter", "XdndPosition", "XdndStatus", "XdndLeave", "XdndDrop", "XdndFinished", "XdndActionCopy", "text/uri-list"); err != nil {
		return err
	}
	aware, ok := s.c.Ask(xproto.Window(s.at.Window), "XdndAware").Cardinal()
	if !ok || aware < oldest {
		return fmt.Errorf("%w: its program takes no files by dragging", ErrRefused)
	}
	s.version = min(newest, uint32(aware))
	if s.window, err = xproto.NewWindowId(s.c.X); err != nil {
		return wire.Gone(err)
	}
	xproto.CreateWindow(s.c.X, 0, s.window, s.c.Root, -10, -10, 1, 1, 0, xproto.WindowClassInputOnly, 0, xproto.CwOverrideRedirect|xproto.CwEventMask, []uint32{1, xproto.EventMaskPropertyChange})
	// The event about this change contains the server's time.
	xproto.ChangeProperty(s.c.X, xproto.PropModeAppend, s.window, xproto.AtomWmName, xproto.AtomString, 8, 0, nil)
	return s.c.Sync()
}

// drag enters the target window, moves to the position, and drops the files.
func (s *source) drag(ctx context.Context, d time.Duration, allow func() error) error {
	err := s.await(ctx, "the time", func(e any) bool {
		p, ok := e.(xproto.PropertyNotifyEvent)
		s.now = p.Time
		return ok
	})
	if err != nil {
		return err
	}
	selection := s.c.Atom("XdndSelection")
	xproto.SetSelectionOwner(s.c.X, s.window, selection, s.now)
	s.send("XdndEnter", s.version<<24, uint32(s.c.Atom("text/uri-list")), 0, 0)
	accepts := false
	for range steps {
		s.send("XdndPosition", 0, uint32(s.at.X)<<16|uint32(s.at.Y), uint32(s.now), uint32(s.c.Atom("XdndActionCopy")))
		err := s.await(ctx, "where the files may go", func(e any) bool {
			m, ok := s.message(e, "XdndStatus")
			accepts = ok && m[1]&1 != 0
			return ok
		})
		if err == nil {
			err = s.c.Pause(ctx, d/steps)
		}
		if err != nil {
			s.send("XdndLeave", 0, 0, 0, 0)
			return err
		}
	}
	if !accepts {
		s.send("XdndLeave", 0, 0, 0, 0)
		return ErrRefused
	}
	if allow != nil {
		if err := allow(); err != nil {
			s.send("XdndLeave", 0, 0, 0, 0)
			return err
		}
	}
	s.send("XdndDrop", 0, uint32(s.now), 0, 0)
	taken := true
	err = s.await(ctx, "whether the files arrived", func(e any) bool {
		m, ok := s.message(e, "XdndFinished")
		taken = !ok || s.version < 5 || m[1]&1 != 0 // older versions do not tell
		return ok
	})
	if err == nil && !taken {
		err = ErrRefused
	}
	return err
}

// send sends a message to the target.
func (s *source) send(name string, data ...uint32) {
	e := xproto.ClientMessageEvent{Format: 32, Window: xproto.Window(s.at.Window), Type: s.c.Atom(name),
		Data: xproto.ClientMessageDataUnionData32New(append([]uint32{uint32(s.window)}, data...))}
	xproto.SendEvent(s.c.X, false, xproto.Window(s.at.Window), xproto.EventMaskNoEvent, string(e.Bytes()))
}

// message returns the data of a message from the target, if e is one with this name.
func (s *source) message(e any, name string) ([]uint32, bool) {
	m, ok := e.(xproto.ClientMessageEvent)
	if !ok || m.Format != 32 || m.Type != s.c.Atom(name) || m.Data.Data32[0] != s.at.Window {
		return nil, false
	}
	return m.Data.Data32, true
}

// await waits for an event. In the meantime it answers requests for the files.
func (s *source) await(ctx context.Context, what string, done func(any) bool) error {
	if err := s.c.Sync(); err != nil {
		return err
	}
	late := time.NewTimer(answer)
	defer late.Stop()
	for {
		select {
		case e := <-s.events:
			if r, ok := e.(xproto.SelectionRequestEvent); ok {
				s.give(r)
			}
			if done(e) {
				return nil
			}
		case <-late.C:
			return fmt.Errorf("%w: its program did not answer %s within %v", ErrRefused, what, answer)
		case <-s.c.Gone():
			return wire.ErrGone
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// give answers the target's request for the files.
func (s *source) give(r xproto.SelectionRequestEvent) {
	uris := s.c.Atom("text/uri-list")
	property := r.Property
	if r.Target == uris {
		data := []byte(strings.Join(s.list, "\r\n") + "\r\n")
		xproto.ChangeProperty(s.c.X, xproto.PropModeReplace, r.Requestor, property, uris, 8, uint32(len(data)), data)
	} else {
		property = 0
	}
	n := xproto.SelectionNotifyEvent{Time: r.Time, Requestor: r.Requestor, Selection: r.Selection, Target: r.Target, Property: property}
	xproto.SendEvent(s.c.X, false, r.Requestor, xproto.EventMaskNoEvent, string(n.Bytes()))
}
