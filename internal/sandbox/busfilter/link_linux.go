package busfilter

import (
	"bufio"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	authTime = 10 * time.Second // for a client and its bus to send the first message

	maxSent     = 16 << 20 // bytes of a message from a client
	maxReceived = 64 << 20 // bytes of a message to a client
	maxLook     = 4 << 10  // bytes of a body in which the first argument must be
	maxNames    = maxBuffer
	maxPending  = 50_000 // calls that wait for a reply: as many as dbus-daemon allows a client

	denied = "org.freedesktop.DBus.Error.AccessDenied"
)

// A link is the connection of one client to a bus.
type link struct {
	rules  Rules
	client *side
	bus    *side
	serial atomic.Uint32 // of the last message that the filter sent

	mu      sync.Mutex
	name    string            // the client's unique name; empty until the bus has assigned it
	hello   bool              // the client has requested its name
	pending map[uint32]answer // calls without a reply, by serial number
	owners  map[string]string // unique names, by the names in the rules
}

// A side is one of the two connections of a link.
type side struct {
	conn *net.UnixConn

	mu  sync.Mutex // held while a message is written
	out *bufio.Writer
}

func newSide(conn *net.UnixConn) *side {
	return &side{conn: conn, out: bufio.NewWriterSize(conn, maxBuffer)}
}

func (s *side) flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.Flush()
}

// send writes a message that the filter itself creates.
func (s *side) send(message []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.out.Write(message); err != nil {
		return err
	}
	return s.out.Flush()
}

// pass passes on a reader's next message, which has size bytes.
func (s *side) pass(r *reader, size int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.skip(size, func(part []byte) error {
		_, err := s.out.Write(part)
		return err
	})
}

// passFiles is like pass, for a small message with open files.
func (s *side) passFiles(r *reader, message []byte, files []int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.out.Flush(); err != nil {
		return err
	}
	n, _, err := s.conn.WriteMsgUnix(message, unix.UnixRights(files...), nil)
	if err != nil {
		return err
	}
	if _, err := s.out.Write(message[n:]); err != nil {
		return err
	}
	return r.skip(len(message), nil)
}

// run passes messages until one side ends.
func (l *link) run() {
	defer l.close()
	limit := time.Now().Add(authTime)
	_, _ = l.client.conn.SetDeadline(limit), l.bus.conn.SetDeadline(limit)
	fromBus, fromClient := bufio.NewReaderSize(l.bus.conn, maxLine), bufio.NewReaderSize(l.client.conn, maxLine)
	guid, files, err := join(l.bus.conn, fromBus, l.rules.files())
	if err != nil || admit(l.client.conn, fromClient, guid, files) != nil {
		return
	}
	_, _ = l.client.conn.SetDeadline(time.Time{}), l.bus.conn.SetDeadline(time.Time{})
	rest, _ := fromClient.Peek(fromClient.Buffered())
	down := newReader(l.bus.conn, nil, files, l.client.flush)
	var downward sync.WaitGroup
	downward.Go(func() {
		defer l.close() // ends the other direction
		defer func() { closeFiles(down.files) }()
		_ = pump(down, maxReceived, l.down)
	})
	_ = pump(newReader(l.client.conn, rest, false, l.bus.flush), maxSent, l.up)
	l.close()
	downward.Wait()
}

func (l *link) close() {
	_ = l.client.conn.Close()
	_ = l.bus.conn.Close()
}

// pump calls handle for each message of a reader. handle must consume the message.
func pump(r *reader, most int, handle func(*header, *reader) error) error {
	h := header{words: make(words)}
	for {
		b, err := r.look(fixed)
		if err != nil {
			return err
		}
		if err := h.measure(b); err != nil {
			return err
		}
		if h.size() > most {
			return errMalformed
		}
		if b, err = r.look(h.head); err != nil {
			return err
		}
		if err := h.parse(b); err != nil {
			return err
		}
		if err := handle(&h, r); err != nil {
			return err
		}
	}
}

// argument returns a function that returns the first argument of a reader's next message.
func argument(h *header, r *reader, failed *error) func() (string, bool) {
	return func() (string, bool) {
		b, err := r.look(min(h.size(), h.head+maxLook))
		if err != nil {
			*failed = err
			return "", false
		}
		return h.first(b[h.head:])
	}
}

// refuse replies to a client's call with an error, and skips the call.
func (l *link) refuse(h *header, r *reader, why string) error {
	if h.kind == methodCall && h.flags&noReply == 0 {
		l.mu.Lock()
		name := l.name
		l.mu.Unlock()
		if err := l.client.send(draft{kind: callError, serial: l.next(), replySerial: h.serial, sender: driver, destination: name, errorName: denied, argument: why}.bytes()); err != nil {
			return err
		}
	}
	return r.skip(h.size(), nil)
}

// next returns a serial number for a message that the filter creates.
func (l *link) next() uint32 { return own + l.serial.Add(1) }
