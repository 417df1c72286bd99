// Package clipboard reads and writes the clipboard of an X11 desktop: text, HTML, RTF, images and
// files, up to 64 MiB in both directions (ICCCM 2). It keeps a history of the contents that it read or
// wrote, and of no others.
//
// The package owns a connection. It owns the selection while its contents are on the clipboard.
package clipboard

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/copied"
	"goated/servers/desktop/x11/wire"
)

// A Clipboard is the clipboard of a display. Its methods are safe for concurrent use.
type Clipboard struct {
	c       *wire.Conn
	window  xproto.Window
	reading chan struct{} // holds a token during a read
	reads   int           // questions so far; guarded by reading
	notify  chan xproto.SelectionNotifyEvent
	value   chan struct{} // a part of an incremental transfer arrived
	lost    chan struct{} // the owner of a selection ended
	history copied.History

	mu        sync.Mutex
	owned     []copied.Offer // nil: another program owns the clipboard
	content   copied.Content
	transfers map[transferKey]*transfer
	changed   func() // called when the owner changes
}

// Options configure a [Clipboard].
type Options struct {
	Display   string
	Authority string
	Changed   func() // called on one goroutine when the owner of the clipboard changes; may be nil
}

// Open connects to the clipboard.
func Open(ctx context.Context, o Options) (*Clipboard, error) {
	b := &Clipboard{reading: make(chan struct{}, 1), notify: make(chan xproto.SelectionNotifyEvent, 16), value: make(chan struct{}, 1), lost: make(chan struct{}, 1),
		transfers: make(map[transferKey]*transfer), changed: o.Changed}
	ready := make(chan struct{})
	handle := func(e wire.Event) {
		<-ready
		b.handle(e)
	}
	c, err := wire.Dial(ctx, wire.Options{Display: o.Display, Authority: o.Authority, Handle: handle, Extensions: []string{"XFIXES"}})
	if err != nil {
		return nil, err
	}
	b.c = c
	close(ready)
	if b.window, err = xproto.NewWindowId(c.X); err == nil {
		err = xproto.CreateWindowChecked(c.X, 0, b.window, c.Root, -10, -10, 1, 1, 0, xproto.WindowClassInputOnly, 0,
			xproto.CwOverrideRedirect|xproto.CwEventMask, []uint32{1, xproto.EventMaskPropertyChange}).Check()
	}
	if err == nil {
		err = c.Intern("CLIPBOARD", "TARGETS", "INCR", "CLIPBOARD_MANAGER", "SAVE_TARGETS", copied.Hint)
	}
	if err != nil {
		c.Close()
		return nil, fmt.Errorf("opening the clipboard: %w", wire.Gone(err))
	}
	if c.Has("XFIXES") {
		if _, err := xfixes.QueryVersion(c.X, 5, 0).Reply(); err == nil {
			xfixes.SelectSelectionInput(c.X, b.window, c.Atom("CLIPBOARD"),
				xfixes.SelectionEventMaskSetSelectionOwner|xfixes.SelectionEventMaskSelectionWindowDestroy|xfixes.SelectionEventMaskSelectionClientClose)
		}
	}
	return b, c.Sync()
}

// handover is how long a clipboard manager may take to save the contents.
const handover = 500 * time.Millisecond

// Close hands the contents over to the clipboard manager, if there is one, and ends the connection.
func (b *Clipboard) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), handover)
	defer cancel()
	defer context.AfterFunc(ctx, b.Abort)()
	b.mu.Lock()
	owned := b.owned != nil
	b.mu.Unlock()
	if manager, err := xproto.GetSelectionOwner(b.c.X, b.c.Atom("CLIPBOARD_MANAGER")).Reply(); err == nil && manager.Owner != 0 && owned {
		_, _, _ = b.convert(ctx, "CLIPBOARD_MANAGER", "SAVE_TARGETS")
	}
	b.c.Close()
}

// Abort ends the connection to a server that hangs, so that pending calls fail. Call Close as well.
func (b *Clipboard) Abort() { b.c.Abort() }

// Gone returns a channel that is closed when the connection to the display has ended.
func (b *Clipboard) Gone() <-chan struct{} { return b.c.Gone() }

// Write puts contents on the clipboard.
func (b *Clipboard) Write(_ context.Context, c copied.Content) error {
	offers, err := c.Offers()
	if err != nil {
		return err
	}
	for _, o := range offers {
		b.c.Atom(o.Target)
	}
	b.mu.Lock()
	b.owned, b.content = offers, c
	b.mu.Unlock()
	if err := b.own(b.window); err != nil {
		return err
	}
	b.history.Add(c, "goated")
	return nil
}

// Clear empties the clipboard.
func (b *Clipboard) Clear(context.Context) error {
	// Only the owner can give up the selection.
	if err := b.own(b.window); err != nil {
		return err
	}
	b.mu.Lock()
	b.owned = nil
	b.mu.Unlock()
	return b.own(0)
}

// own makes a window the owner of the clipboard.
func (b *Clipboard) own(w xproto.Window) error {
	selection := b.c.Atom("CLIPBOARD")
	xproto.SetSelectionOwner(b.c.X, w, selection, xproto.TimeCurrentTime)
	r, err := xproto.GetSelectionOwner(b.c.X, selection).Reply()
	if err != nil {
		return wire.Gone(err)
	}
	if r.Owner != w {
		return fmt.Errorf("%w: another program took the clipboard at the same moment", copied.ErrOwner)
	}
	return nil
}

// Read returns the contents of the clipboard, and the list of kinds in which it offers them. It uses
// the first kind in want that is offered. Without want it prefers files, then text. An empty clipboard
// offers no kinds.
func (b *Clipboard) Read(ctx context.Context, want ...copied.Kind) (copied.Content, []copied.Kind, error) {
	owner, err := xproto.GetSelectionOwner(b.c.X, b.c.Atom("CLIPBOARD")).Reply()
	if err != nil {
		return copied.Content{}, nil, wire.Gone(err)
	}
	if owner.Owner == 0 {
		return copied.Content{}, nil, nil
	}
	b.mu.Lock()
	owned, content := b.owned, b.content
	b.mu.Unlock()
	if owner.Owner != b.window {
		owned = nil // the event about the new owner may come later
	}
	var list []string
	if owned != nil {
		for _, o := range owned {
			list = append(list, o.Target)
		}
	} else {
		if list, err = b.listTargets(ctx); err != nil {
			return copied.Content{}, nil, err
		}
		if slices.Contains(list, copied.Hint) {
			if hint, _, err := b.convert(ctx, "CLIPBOARD", copied.Hint); err != nil || string(hint) == "secret" {
				return copied.Content{}, nil, copied.ErrSecret
			}
		}
	}
	has := copied.Kinds(list)
	order := has
	if len(want) > 0 {
		order = slices.DeleteFunc(slices.Clone(want), func(k copied.Kind) bool { return !slices.Contains(has, k) })
	}
	if owned != nil && (len(order) == 0 || len(want) == 0 || order[0] == content.Kind) {
		return content, has, nil
	}
	for _, k := range order {
		for _, target := range copied.Targets(k) {
			if !slices.Contains(list, target) {
				continue
			}
			data, _, err := b.convert(ctx, "CLIPBOARD", target)
			if err != nil {
				return copied.Content{}, has, err
			}
			if c, ok := copied.Decode(k, target, data); ok {
				b.history.Add(c, "")
				return c, has, nil
			}
		}
	}
	return copied.Content{}, has, nil
}

// History lists what was read and written, at most 100 entries. The newest is first.
func (b *Clipboard) History() []copied.Entry { return b.history.Entries() }
