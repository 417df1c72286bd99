package wire

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"slices"
	"sync"

	"github.com/jezek/xgb"
)

const (
	messageSize   = 32 // bytes of an event, of an error and of the head of a reply
	firstExtError = 128
	firstExtEvent = 64
	genericEvent  = 35
	badImpl       = 17 // BadImplementation, which stands for all errors of extensions
)

// A filter presents the socket of a connection to xgb without events. The first write of xgb is its
// greeting. The filter replaces it, because xgb looks up the authority under a wrong name for a display
// that it did not dial itself.
type filter struct {
	net.Conn
	in       *bufio.Reader
	greeting []byte // nil once sent
	greeted  bool   // the server's greeting has been read
	pass     int    // bytes of the current message that still go to xgb

	mu     sync.Mutex
	wake   *sync.Cond
	queue  []Event
	ended  bool
	ranges []extension
}

type extension struct {
	name  string
	first int // its first event
}

func newFilter(socket net.Conn, greeting []byte) *filter {
	f := &filter{Conn: socket, in: bufio.NewReaderSize(socket, 64<<10), greeting: greeting}
	f.wake = sync.NewCond(&f.mu)
	return f
}

// Write sends requests. It replaces the first one.
func (f *filter) Write(p []byte) (int, error) {
	if f.greeting != nil {
		g := f.greeting
		f.greeting = nil
		if _, err := f.Conn.Write(g); err != nil {
			return 0, err
		}
		return len(p), nil
	}
	return f.Conn.Write(p)
}

// Read returns replies and errors only.
func (f *filter) Read(p []byte) (int, error) {
	for f.pass == 0 {
		if err := f.message(); err != nil {
			return 0, err
		}
	}
	n, err := f.in.Read(p[:min(len(p), f.pass)])
	f.pass -= n
	return n, err
}

// message inspects the next message. It queues an event and lets anything else pass.
func (f *filter) message() error {
	if !f.greeted {
		head, err := f.in.Peek(8)
		if err != nil {
			return err
		}
		f.pass = 8 + 4*int(binary.LittleEndian.Uint16(head[6:]))
		f.greeted = true
		return nil
	}
	head, err := f.in.Peek(messageSize)
	if err != nil {
		return err
	}
	length := 4 * int(binary.LittleEndian.Uint32(head[4:]))
	switch {
	case head[0] == 0:
		if head[1] >= firstExtError || head[1] == 0 || head[1] > badImpl {
			head[1] = badImpl
		}
		f.pass = messageSize
		return nil
	case head[0] == 1:
		f.pass = messageSize + length
		return nil
	}
	raw := slices.Clone(head)
	if _, err := f.in.Discard(messageSize); err != nil {
		return err
	}
	if raw[0]&127 == genericEvent { // no caller selects generic events
		_, err := io.CopyN(io.Discard, f.in, int64(length))
		return err
	}
	f.push(f.decode(raw))
	return nil
}

// decode decodes a core event, or determines which extension an event belongs to.
func (f *filter) decode(raw []byte) Event {
	n := int(raw[0] & 127)
	if n < firstExtEvent {
		e := Event{Number: n, Raw: raw}
		if decode, ok := xgb.NewEventFuncs[n]; ok {
			e.Core = decode(raw)
		}
		return e
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var found extension
	for _, x := range f.ranges {
		if x.first <= n && x.first > found.first {
			found = x
		}
	}
	return Event{Extension: found.name, Number: n - found.first, Raw: raw}
}

// extension records the first event number of an extension. 0 means that it has no events.
func (f *filter) extension(name string, first int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if first > 0 {
		f.ranges = append(f.ranges, extension{name, first})
	}
}

func (f *filter) push(e Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.ended {
		f.queue = append(f.queue, e)
		f.wake.Signal()
	}
}

// next waits for an event. It returns false after end.
func (f *filter) next() (Event, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.queue) == 0 && !f.ended {
		f.wake.Wait()
	}
	if f.ended {
		return Event{}, false
	}
	e := f.queue[0]
	f.queue = f.queue[1:]
	return e, true
}

// end makes next return false. It may be called twice.
func (f *filter) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ended, f.queue = true, nil
	f.wake.Broadcast()
}
