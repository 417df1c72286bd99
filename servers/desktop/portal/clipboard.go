package portal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"goated/servers/desktop/copied"
)

const (
	// step is how long another program may take for each chunk of the contents.
	step = 2 * time.Second
	// reportTimeout is how long the desktop may take to report the contents of the clipboard after the user
	// agreed. Some desktops report them only when they change.
	reportTimeout = 500 * time.Millisecond
	// maxTransfers limits how many programs may read the contents at the same time.
	maxTransfers = 32
)

// A Clipboard is the clipboard of a Wayland session. The desktop asks the user before the first use.
// Contents that were written stay on the clipboard while the portal is open. Its methods are safe for
// concurrent use.
type Clipboard struct {
	grant   *grant
	reading chan struct{} // holds a token during a read, because desktops allow only one at a time
	history copied.History
	serving sync.WaitGroup

	mu        sync.Mutex
	session   dbus.ObjectPath // the session to which the fields below belong
	reported  chan struct{}   // closed when the desktop has reported the contents
	types     []string        // the MIME types that it reported
	own       bool            // the contents are those that Write stored
	content   copied.Content  // the contents written last
	offers    []copied.Offer  // the formats of content
	transfers int             // the number of running transfers
}

func newClipboard(p *Portal, c consent) *Clipboard {
	b := &Clipboard{reading: make(chan struct{}, 1)}
	b.grant = &grant{p: p, consent: c, board: true, signal: b.signal}
	return b
}

// Clipboard returns the clipboard of the session.
func (p *Portal) Clipboard() *Clipboard { return p.board }

// close waits for the programs that read the contents. The connection must be closed.
func (b *Clipboard) close() { b.serving.Wait() }

// resetIfOther resets the fields if they belong to another session. The caller holds mu.
func (b *Clipboard) resetIfOther(session dbus.ObjectPath) {
	if b.session != session {
		b.session, b.reported, b.types, b.own, b.content, b.offers = session, make(chan struct{}), nil, false, copied.Content{}, nil
	}
}

// signal is called for each signal of the session, in order.
func (b *Clipboard) signal(s *dbus.Signal) {
	session, _ := s.Body[0].(dbus.ObjectPath)
	switch {
	case s.Name == boards+".SelectionOwnerChanged" && len(s.Body) == 2:
		options, _ := s.Body[1].(map[string]dbus.Variant)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.resetIfOther(session)
		own, _ := options["session_is_owner"].Value().(bool)
		if own { // a late signal lists the types of an earlier write
			b.types = targets(b.offers)
		} else {
			b.types = mimeTypes(options["mime_types"].Value())
		}
		b.own = own && len(b.offers) > 0
		select {
		case <-b.reported:
		default:
			close(b.reported)
		}
	case s.Name == boards+".SelectionTransfer" && len(s.Body) == 3:
		target, _ := s.Body[1].(string)
		serial, _ := s.Body[2].(uint32)
		b.mu.Lock()
		defer b.mu.Unlock()
		b.resetIfOther(session)
		at := slices.IndexFunc(b.offers, func(o copied.Offer) bool { return o.Target == target })
		if at < 0 || b.transfers == maxTransfers {
			b.grant.p.conn.Object(service, object).Go(boards+".SelectionWriteDone", dbus.FlagNoReplyExpected, nil, session, serial, false)
			return
		}
		b.transfers++
		data := b.offers[at].Data
		b.serving.Go(func() {
			b.serve(&live{session: session, ended: make(chan struct{})}, serial, data)
			b.mu.Lock()
			defer b.mu.Unlock()
			b.transfers--
		})
	}
}

// mimeTypes decodes a list of MIME types. GNOME up to version 48 wraps it in a structure.
func mimeTypes(v any) []string {
	if in, ok := v.([]any); ok && len(in) == 1 {
		v = in[0]
	}
	list, _ := v.([]string)
	return list
}

// serve sends the contents to another program.
func (b *Clipboard) serve(l *live, serial uint32, data []byte) {
	p := b.grant.p
	ctx := p.conn.Context()
	var fd dbus.UnixFD
	err := p.get(ctx, l, &fd, boards+".SelectionWrite", serial)
	if err == nil {
		err = transfer(ctx, fd, func(f *os.File) error {
			for part := range slices.Chunk(data, 1<<16) {
				if err := f.SetWriteDeadline(time.Now().Add(step)); err != nil {
					return err
				}
				if _, err := f.Write(part); err != nil {
					return err
				}
			}
			return nil
		})
	}
	_ = p.callSession(ctx, l, boards+".SelectionWriteDone", serial, err == nil) // the session may have ended
}

// transfer calls use with the file descriptor of a transfer, and closes it when ctx ends.
func transfer(ctx context.Context, fd dbus.UnixFD, use func(*os.File) error) error {
	f, err := pipe(fd)
	if err != nil {
		return fmt.Errorf("%w: its descriptor: %w", ErrFailed, err)
	}
	stop := context.AfterFunc(ctx, func() { _ = f.Close() })
	defer stop()
	err = use(f)
	if ctx.Err() != nil {
		_ = f.Close() // closing twice is harmless
		return context.Cause(ctx)
	}
	return errors.Join(err, f.Close())
}

// choose makes this session the owner of the clipboard with the given contents.
func (b *Clipboard) choose(ctx context.Context, l *live, c copied.Content, offers []copied.Offer) error {
	types := targets(offers)
	b.mu.Lock()
	b.resetIfOther(l.session)
	b.content, b.offers, b.own, b.types = c, offers, len(offers) > 0, types
	b.mu.Unlock()
	return b.grant.p.callSession(ctx, l, boards+".SetSelection", map[string]dbus.Variant{"mime_types": dbus.MakeVariant(types)})
}

// targets returns the MIME types that goated reports to the desktop. The other targets are X11 names, which
// desktops translate themselves.
func targets(offers []copied.Offer) []string {
	types := []string{}
	for _, o := range offers {
		if strings.Contains(o.Target, "/") {
			types = append(types, o.Target)
		}
	}
	return types
}

// Write puts contents on the clipboard.
func (b *Clipboard) Write(ctx context.Context, c copied.Content) error {
	offers, err := c.Offers()
	if err != nil {
		return err
	}
	l, _, err := b.grant.allow(ctx)
	if err == nil {
		err = b.choose(ctx, l, c, offers)
	}
	if err == nil {
		b.history.Add(c, "goated")
	}
	return err
}

// Clear empties the clipboard.
func (b *Clipboard) Clear(ctx context.Context) error {
	l, _, err := b.grant.allow(ctx)
	if err != nil {
		return err
	}
	// Only the owner can give up the selection.
	offers, err := copied.Content{Kind: copied.Text}.Offers()
	if err == nil {
		err = b.choose(ctx, l, copied.Content{}, offers)
	}
	if err == nil {
		err = b.choose(ctx, l, copied.Content{}, nil)
	}
	return err
}

// History lists what was read and written. The newest is first.
func (b *Clipboard) History() []copied.Entry { return b.history.Entries() }

// Read returns the contents of the clipboard, and the list of kinds in which it offers them. It uses
// the first kind in want that is offered. Without want it prefers files, then text. An empty clipboard
// offers no kinds.
func (b *Clipboard) Read(ctx context.Context, want ...copied.Kind) (copied.Content, []copied.Kind, error) {
	none := copied.Content{}
	l, _, err := b.grant.allow(ctx)
	if err != nil {
		return none, nil, err
	}
	select {
	case b.reading <- struct{}{}:
	case <-ctx.Done():
		return none, nil, context.Cause(ctx)
	}
	defer func() { <-b.reading }()
	types, own, err := b.reportedTypes(ctx, l)
	if err != nil {
		return none, nil, err
	}
	if slices.Contains(types, copied.Hint) {
		if hint, err := b.fetch(ctx, l, copied.Hint); err != nil || string(hint) == "secret" {
			return none, nil, copied.ErrSecret
		}
	}
	has := copied.Kinds(types)
	order := has
	if len(want) > 0 {
		order = slices.DeleteFunc(slices.Clone(want), func(k copied.Kind) bool { return !slices.Contains(has, k) })
	}
	if own.Kind != 0 && (len(order) == 0 || len(want) == 0 || order[0] == own.Kind) {
		return own, has, nil
	}
	for _, k := range order {
		for _, target := range copied.Targets(k) {
			if !slices.Contains(types, target) {
				continue
			}
			data, err := b.fetch(ctx, l, target)
			if err != nil {
				return none, has, err
			}
			if c, ok := copied.Decode(k, target, data); ok {
				b.history.Add(c, "")
				return c, has, nil
			}
		}
	}
	return none, has, nil
}

// reportedTypes returns the MIME types on the clipboard. own is the contents if goated wrote them here.
func (b *Clipboard) reportedTypes(ctx context.Context, l *live) (types []string, own copied.Content, err error) {
	b.mu.Lock()
	b.resetIfOther(l.session)
	reported := b.reported
	b.mu.Unlock()
	late := time.NewTimer(reportTimeout)
	defer late.Stop()
	select {
	case <-reported:
	case <-late.C: // it is empty, or the desktop reports only changes
	case <-ctx.Done():
		return nil, own, context.Cause(ctx)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.own {
		return b.types, b.content, nil
	}
	return b.types, own, nil
}

// fetch reads the contents in one format.
func (b *Clipboard) fetch(ctx context.Context, l *live, target string) ([]byte, error) {
	b.mu.Lock()
	if b.own { // desktops do not return a session's own contents to it
		defer b.mu.Unlock()
		for _, o := range b.offers {
			if o.Target == target {
				return o.Data, nil
			}
		}
		return nil, fmt.Errorf("%w: the contents changed meanwhile", copied.ErrOwner)
	}
	b.mu.Unlock()
	var fd dbus.UnixFD
	if err := b.grant.p.get(ctx, l, &fd, boards+".SelectionRead", target); err != nil {
		return nil, err
	}
	var all []byte
	err := transfer(ctx, fd, func(f *os.File) error {
		part := make([]byte, 1<<16)
		for {
			if err := f.SetReadDeadline(time.Now().Add(step)); err != nil {
				return err
			}
			n, err := f.Read(part)
			if all = append(all, part[:n]...); len(all) > copied.MostBytes {
				return fmt.Errorf("%w: it holds more than %d bytes", copied.ErrContent, copied.MostBytes)
			}
			switch {
			case errors.Is(err, io.EOF):
				return nil
			case errors.Is(err, os.ErrDeadlineExceeded):
				return copied.ErrOwner
			case err != nil:
				return fmt.Errorf("%w: %w", ErrFailed, err)
			}
		}
	})
	return all, err
}
