package clipboard_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/jezek/xgb/xproto"

	"goated/internal/waittest"
	"goated/servers/desktop/copied"
	"goated/servers/desktop/x11/wire"
)

// An owner is a program whose clipboard contents are sent in chunks (INCR), each one when the test
// calls for it.
type owner struct {
	c      *wire.Conn
	window xproto.Window
	asked  chan xproto.SelectionRequestEvent // requests for the text
	taken  chan struct{}                     // the reader deleted the property

	refuses bool // it refuses to give the text
}

// owns takes the clipboard with a text.
func owns(t *testing.T) *owner { return ownsTarget(t, "UTF8_STRING", false) }

// ownsTarget takes the clipboard with contents of one format.
func ownsTarget(t *testing.T, target string, refuses bool) *owner {
	t.Helper()
	o := &owner{refuses: refuses, asked: make(chan xproto.SelectionRequestEvent, 8), taken: make(chan struct{}, 1000)}
	var err error
	ready := make(chan struct{})
	o.c, err = wire.Dial(t.Context(), wire.Options{Display: desk.Display, Authority: desk.Authority(), Handle: func(e wire.Event) {
		<-ready
		switch e := e.Core.(type) {
		case xproto.SelectionRequestEvent:
			if e.Target == o.c.Atom("TARGETS") {
				list := make([]byte, 4)
				put32(list, uint32(o.c.Atom(target)))
				xproto.ChangeProperty(o.c.X, xproto.PropModeReplace, e.Requestor, e.Property, xproto.AtomAtom, 32, 1, list)
				o.answer(e)
				return
			}
			if o.refuses {
				e.Property = 0
				o.answer(e)
				return
			}
			o.asked <- e
		case xproto.PropertyNotifyEvent:
			if e.State == xproto.PropertyDelete {
				o.taken <- struct{}{}
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(o.c.Close)
	if o.window, err = xproto.NewWindowId(o.c.X); err != nil {
		t.Fatal(err)
	}
	xproto.CreateWindow(o.c.X, 0, o.window, o.c.Root, 0, 0, 1, 1, 0, xproto.WindowClassInputOutput, 0, 0, nil)
	o.c.Atom("TARGETS")
	o.c.Atom("UTF8_STRING")
	o.c.Atom(target)
	o.c.Atom("INCR")
	close(ready)
	xproto.SetSelectionOwner(o.c.X, o.window, o.c.Atom("CLIPBOARD"), xproto.TimeCurrentTime)
	if err := o.c.Sync(); err != nil {
		t.Fatal(err)
	}
	return o
}

func put32(b []byte, v uint32) {
	b[0], b[1], b[2], b[3] = byte(v), byte(v>>8), byte(v>>16), byte(v>>24)
}

func (o *owner) answer(e xproto.SelectionRequestEvent) {
	reply := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: e.Property}
	xproto.SendEvent(o.c.X, false, e.Requestor, xproto.EventMaskNoEvent, string(reply.Bytes()))
}

// begin announces that the contents come in chunks.
func (o *owner) begin(e xproto.SelectionRequestEvent, size int) {
	xproto.ChangeWindowAttributes(o.c.X, e.Requestor, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange})
	b := make([]byte, 4)
	put32(b, uint32(size))
	xproto.ChangeProperty(o.c.X, xproto.PropModeReplace, e.Requestor, e.Property, o.c.Atom("INCR"), 32, 1, b)
	o.answer(e)
	_ = o.c.Sync()
}

// part sends a chunk, whether the reader waits for it or not.
func (o *owner) part(e xproto.SelectionRequestEvent, data []byte) {
	xproto.ChangeProperty(o.c.X, xproto.PropModeReplace, e.Requestor, e.Property, o.c.Atom("UTF8_STRING"), 8, uint32(len(data)), data)
	_ = o.c.Sync()
}

// A program stops in the middle of sending its contents, and continues when another program owns the
// clipboard. Its data must not mix with the other program's contents.
func TestLateOwnerDoesNotMixIn(t *testing.T) {
	b := open(t)
	late := owns(t)
	read := func() chan any {
		got := make(chan any, 1)
		go func() {
			c, _, err := b.Read(t.Context())
			if err != nil {
				got <- err
				return
			}
			got <- c.Text
		}()
		return got
	}
	got := read()
	old := waittest.Receive(t, "the first owner is asked", late.asked)
	late.begin(old, 10<<20)
	waittest.Receive(t, "the beginning is taken", late.taken)
	late.part(old, bytes.Repeat([]byte("A"), 100<<10))
	waittest.Receive(t, "the part is taken", late.taken)
	if err, _ := waittest.Receive(t, "the first read ends", got).(error); !errors.Is(err, copied.ErrOwner) {
		t.Fatalf("from a program that stopped: %v", err)
	}

	now := owns(t)
	got = read()
	e := waittest.Receive(t, "the second owner is asked", now.asked)
	now.begin(e, 8)
	waittest.Receive(t, "the beginning of the second is taken", now.taken)
	late.part(old, []byte("LATE"))
	now.part(e, []byte("good"))
	waittest.Receive(t, "the part of the second is taken", now.taken)
	late.part(old, []byte("LATER"))
	now.part(e, nil)
	if text := waittest.Receive(t, "the second read ends", got); text != "good" {
		t.Errorf("the clipboard holds %q", text)
	}
}

// If a program dies in the middle of sending ten megabytes, the read fails, and the next contents
// arrive complete.
func TestOwnerDiesInTheMiddle(t *testing.T) {
	b := open(t)
	o := owns(t)
	got := make(chan error, 1)
	go func() { _, _, err := b.Read(t.Context()); got <- err }()
	e := waittest.Receive(t, "the owner is asked", o.asked)
	o.begin(e, 10<<20)
	for range 20 {
		waittest.Receive(t, "a part is taken", o.taken)
		o.part(e, bytes.Repeat([]byte("x"), 128<<10))
	}
	o.c.Close()
	if err := waittest.Receive(t, "the read ends", got); !errors.Is(err, copied.ErrOwner) || !strings.Contains(err.Error(), "ended") { // at once
		t.Errorf("%v", err)
	}
	text := string(bytes.Repeat([]byte("ä"), 5<<20))
	copies(t, "UTF8_STRING", []byte(text))
	if c, _, err := b.Read(t.Context()); err != nil || c.Text != text {
		t.Errorf("%d bytes, %v", len(c.Text), err)
	}
}
