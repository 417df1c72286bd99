package main

import (
	"net/url"
	"strings"
	"time"

	"github.com/jezek/xgb/xproto"
)

// drop drags files onto the window and lets go of them at a place of the
// screen: the part of a file manager in the protocol XDND, version 5, with
// everything that it asks of a source.
func (d *desk) drop(x, y int, paths ...string) {
	d.t.Helper()
	all := d.windows()
	target := all[len(all)-1]
	if aware, err := xproto.GetProperty(d.x, false, target, d.atom("XdndAware"), xproto.AtomAtom, 0, 1).Reply(); err != nil || aware.ValueLen != 1 {
		d.t.Fatalf("the window does not say that it takes drops: %v", err)
	}
	source, err := xproto.NewWindowId(d.x)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := xproto.CreateWindowChecked(d.x, 0, source, d.root.Root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, d.root.RootVisual, 0, nil).Check(); err != nil {
		d.t.Fatal(err)
	}
	defer xproto.DestroyWindow(d.x, source)
	xproto.SetSelectionOwner(d.x, source, d.atom("XdndSelection"), xproto.TimeCurrentTime)

	list := d.atom("text/uri-list")
	d.move(x, y)
	d.tell(target, "XdndEnter", uint32(source), 5<<24, uint32(list), 0, 0)
	d.tell(target, "XdndPosition", uint32(source), 0, uint32(d.screen.points(x))<<16|uint32(d.screen.points(y)), 0, uint32(d.atom("XdndActionCopy")))
	if status := d.hear("XdndStatus"); status[1]&1 == 0 {
		d.t.Fatal("the window refuses the drop")
	}
	d.tell(target, "XdndDrop", uint32(source), 0, 0, 0, 0)
	var uris strings.Builder
	for _, path := range paths {
		uris.WriteString((&url.URL{Scheme: "file", Path: path}).String() + "\r\n")
	}
	d.hand(list, uris.String())
	d.hear("XdndFinished")
	d.still()
}

// tell sends a message of the protocol.
func (d *desk) tell(to xproto.Window, name string, data ...uint32) {
	d.t.Helper()
	m := xproto.ClientMessageEvent{Format: 32, Window: to, Type: d.atom(name), Data: xproto.ClientMessageDataUnionData32New(data)}
	if err := xproto.SendEventChecked(d.x, false, to, 0, string(m.Bytes())).Check(); err != nil {
		d.t.Fatal(err)
	}
}

// hear waits for a message of the protocol.
func (d *desk) hear(name string) (data []uint32) {
	d.t.Helper()
	want := d.atom(name)
	d.until("the window says "+name, func() bool {
		e, _ := d.x.PollForEvent()
		m, ok := e.(xproto.ClientMessageEvent)
		if ok && m.Type == want {
			data = m.Data.Data32
		}
		return data != nil
	})
	return data
}

// hand sends the dragged data to the window when the window asks for it.
func (d *desk) hand(kind xproto.Atom, content string) {
	d.t.Helper()
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		e, _ := d.x.PollForEvent()
		if r, ok := e.(xproto.SelectionRequestEvent); ok {
			xproto.ChangeProperty(d.x, xproto.PropModeReplace, r.Requestor, r.Property, kind, 8, uint32(len(content)), []byte(content))
			done := xproto.SelectionNotifyEvent{Time: r.Time, Requestor: r.Requestor, Selection: r.Selection, Target: r.Target, Property: r.Property}
			xproto.SendEvent(d.x, false, r.Requestor, 0, string(done.Bytes()))
			return
		}
		if time.Now().After(deadline) {
			d.t.Fatal("the window does not ask for what is dropped")
		}
	}
}
