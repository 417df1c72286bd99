package clipboard

import (
	"context"
	"encoding/binary"
	"fmt"
	"time"

	"github.com/jezek/xgb/xfixes"
	"github.com/jezek/xgb/xproto"

	"goated/servers/desktop/copied"
	"goated/servers/desktop/x11/wire"
)

const (
	// chunk is the most data that one request carries. The server accepts up to 256 KiB.
	chunk = 128 << 10
	// answer is how long the owner of the selection may take for each step.
	answer = 2 * time.Second
	// places is how many different properties are used in turn for the answers.
	places = 64
	// maxTransfers limits the transfers that wait for slow readers.
	maxTransfers = 32
)

// A transfer sends contents in chunks (ICCCM 2.7.2).
type transfer struct {
	rest []byte
	kind xproto.Atom
}

type transferKey struct {
	window   xproto.Window
	property xproto.Atom
}

// handle is called for each event in order.
func (b *Clipboard) handle(e wire.Event) {
	if e.Extension == "XFIXES" && e.Number == xfixes.SelectionNotify {
		const newOwner = 0 // for other values the owner has ended
		if len(e.Raw) > 1 && e.Raw[1] != newOwner {
			select {
			case b.lost <- struct{}{}:
			default:
			}
			return
		}
		if b.changed != nil {
			b.changed()
		}
		return
	}
	switch e := e.Core.(type) {
	case xproto.SelectionNotifyEvent:
		select {
		case b.notify <- e:
		default:
		}
	case xproto.SelectionRequestEvent:
		b.serve(e)
	case xproto.SelectionClearEvent:
		r, err := xproto.GetSelectionOwner(b.c.X, b.c.Atom("CLIPBOARD")).Reply()
		if err != nil || r.Owner == b.window {
			return // the event is older than the last Write
		}
		b.mu.Lock()
		b.owned = nil
		b.mu.Unlock()
	case xproto.DestroyNotifyEvent:
		b.mu.Lock()
		for k := range b.transfers {
			if k.window == e.Window {
				delete(b.transfers, k)
			}
		}
		b.mu.Unlock()
	case xproto.PropertyNotifyEvent:
		if e.Window == b.window && e.State == xproto.PropertyNewValue {
			select {
			case b.value <- struct{}{}:
			default:
			}
		}
		if e.State == xproto.PropertyDelete {
			b.next(transferKey{e.Window, e.Atom})
		}
	}
}

// serve answers another program's request for the contents.
func (b *Clipboard) serve(e xproto.SelectionRequestEvent) {
	property := e.Property
	if property == 0 {
		property = e.Target
	}
	if !b.put(e.Requestor, property, e.Target) {
		property = 0 // refused
	}
	reply := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: property}
	xproto.SendEvent(b.c.X, false, e.Requestor, xproto.EventMaskNoEvent, string(reply.Bytes()))
}

// put stores the contents in one format on a reader's window. It reports whether it did.
func (b *Clipboard) put(w xproto.Window, property, target xproto.Atom) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if target == b.c.Atom("TARGETS") && b.owned != nil {
		list := binary.LittleEndian.AppendUint32(nil, uint32(target))
		for _, o := range b.owned {
			list = binary.LittleEndian.AppendUint32(list, uint32(b.c.Atom(o.Target)))
		}
		xproto.ChangeProperty(b.c.X, xproto.PropModeReplace, w, property, xproto.AtomAtom, 32, uint32(len(list)/4), list)
		return true
	}
	for _, o := range b.owned {
		if b.c.Atom(o.Target) != target {
			continue
		}
		kind := target
		if o.Target == "TEXT" {
			kind = b.c.Atom("UTF8_STRING")
		}
		if len(o.Data) <= chunk {
			xproto.ChangeProperty(b.c.X, xproto.PropModeReplace, w, property, kind, 8, uint32(len(o.Data)), o.Data)
			return true
		}
		if len(b.transfers) >= maxTransfers {
			return false
		}
		const interest = xproto.EventMaskPropertyChange | xproto.EventMaskStructureNotify
		if w != b.window {
			xproto.ChangeWindowAttributes(b.c.X, w, xproto.CwEventMask, []uint32{interest})
		}
		b.transfers[transferKey{w, property}] = &transfer{o.Data, kind}
		size := binary.LittleEndian.AppendUint32(nil, uint32(len(o.Data)))
		xproto.ChangeProperty(b.c.X, xproto.PropModeReplace, w, property, b.c.Atom("INCR"), 32, 1, size)
		return true
	}
	return false
}

// next sends the next chunk of a transfer. An empty chunk ends the transfer.
func (b *Clipboard) next(k transferKey) {
	b.mu.Lock()
	defer b.mu.Unlock()
	t := b.transfers[k]
	if t == nil {
		return
	}
	part := t.rest[:min(chunk, len(t.rest))]
	t.rest = t.rest[len(part):]
	xproto.ChangeProperty(b.c.X, xproto.PropModeReplace, k.window, k.property, t.kind, 8, uint32(len(part)), part)
	if len(part) == 0 {
		delete(b.transfers, k)
	}
}

// listTargets asks the owner which formats it offers.
func (b *Clipboard) listTargets(ctx context.Context) ([]string, error) {
	data, _, err := b.convert(ctx, "CLIPBOARD", "TARGETS")
	if err != nil {
		return nil, err
	}
	var out []string
	for ; len(data) >= 4; data = data[4:] {
		out = append(out, b.c.AtomName(xproto.Atom(binary.LittleEndian.Uint32(data))))
	}
	return out, nil
}

// convert asks the owner of a selection for its contents in one format.
func (b *Clipboard) convert(ctx context.Context, selection, target string) ([]byte, xproto.Atom, error) {
	select {
	case b.reading <- struct{}{}:
	case <-ctx.Done():
		return nil, 0, context.Cause(ctx)
	case <-b.c.Gone():
		return nil, 0, wire.ErrGone
	}
	defer func() { <-b.reading }()
	for len(b.notify) > 0 { // drop late answers to earlier requests
		<-b.notify
	}
	for len(b.lost) > 0 {
		<-b.lost
	}
	// Each request uses another property, because a slow program may still write to the property of an
	// earlier request.
	b.reads++
	property, kind := b.c.Atom(fmt.Sprintf("GOATED_CLIPBOARD_%d", b.reads%places)), b.c.Atom(target)
	xproto.DeleteProperty(b.c.X, b.window, property)
	xproto.ConvertSelection(b.c.X, b.window, b.c.Atom(selection), kind, property, xproto.TimeCurrentTime)
	late := time.NewTimer(answer)
	defer late.Stop()
	for {
		select {
		case e := <-b.notify:
			if e.Target != kind || e.Selection != b.c.Atom(selection) {
				continue
			}
			if e.Property != 0 && e.Property != property {
				continue // the answer to an earlier question
			}
			if e.Property == 0 {
				return nil, 0, fmt.Errorf("%w: it refused to give %s", copied.ErrOwner, target)
			}
		case <-late.C:
			return nil, 0, fmt.Errorf("%w within %v when asked for %s", copied.ErrOwner, answer, target)
		case <-ctx.Done():
			return nil, 0, context.Cause(ctx)
		case <-b.c.Gone():
			return nil, 0, wire.ErrGone
		}
		break
	}
	for len(b.value) > 0 {
		<-b.value
	}
	data, kind, err := b.take(property)
	if err != nil || kind != b.c.Atom("INCR") {
		return data, kind, err
	}
	return b.collect(ctx, property)
}

// take reads and deletes a property.
func (b *Clipboard) take(property xproto.Atom) (data []byte, kind xproto.Atom, err error) {
	for {
		r, err := xproto.GetProperty(b.c.X, true, b.window, property, xproto.GetPropertyTypeAny, uint32(len(data)/4), chunk).Reply()
		if err != nil {
			return nil, 0, wire.Gone(err)
		}
		data, kind = append(data, r.Value...), r.Type
		if len(data) > copied.MostBytes {
			return nil, 0, fmt.Errorf("%w: it holds more than %d bytes", copied.ErrContent, copied.MostBytes)
		}
		if r.BytesAfter == 0 {
			return data, kind, nil
		}
	}
}

// collect reads contents that arrive in chunks.
func (b *Clipboard) collect(ctx context.Context, property xproto.Atom) (all []byte, kind xproto.Atom, err error) {
	late := time.NewTimer(answer)
	defer late.Stop()
	for {
		select {
		case <-b.value:
		case <-late.C:
			return nil, 0, fmt.Errorf("%w: it stopped after %d bytes", copied.ErrOwner, len(all))
		case <-b.lost:
			return nil, 0, fmt.Errorf("%w: it ended after %d bytes", copied.ErrOwner, len(all))
		case <-ctx.Done():
			return nil, 0, context.Cause(ctx)
		case <-b.c.Gone():
			return nil, 0, wire.ErrGone
		}
		part, k, err := b.take(property)
		if err != nil {
			return nil, 0, err
		}
		if k == 0 {
			continue // the chunk was read before its event arrived
		}
		if len(part) == 0 {
			return all, kind, nil
		}
		all, kind = append(all, part...), k
		if len(all) > copied.MostBytes {
			return nil, 0, fmt.Errorf("%w: it holds more than %d bytes", copied.ErrContent, copied.MostBytes)
		}
		late.Reset(answer)
	}
}
