// Package trace reports the data of a connection to a server, without secrets.
//
// It owns the redaction and the size limit of each event. It must not know transports or messages,
// only bytes.
package trace

import "time"

// MaxData bounds [Event.Data], in bytes.
const MaxData = 64 << 10

// A Direction is the side that sent an event's data.
type Direction int

const (
	Sent     Direction = iota // by goated
	Received                  // by the server
)

// An End describes whether and why a connection ended.
type End int

const (
	NotEnded End = iota
	Closed       // goated closed it, although the server had no fault
	Lost         // the server ended it, or goated did because of the server's fault
)

// An Event is one frame, one line from the server that is not a frame, the end of one request, or
// the end of the connection.
type Event struct {
	Server     string // the server's id
	Direction  Direction
	Noise      bool      // a line that is not a frame
	Unanswered string    // the JSON id of a request from goated that gets no response; Data has the reason. If Direction is Sent, goated gave it up
	End        End       // of the connection; Data describes how it ended
	Time       time.Time // when the write began or the read ended
	Data       []byte    // the frame without secrets, truncated to [MaxData]; owned by the receiver
	Size       int       // the length of the frame in bytes, before redaction and truncation
}

// A Tracer reports the frames of one connection. A nil Tracer reports nothing and
// costs nothing. It is safe for concurrent use if emit is.
type Tracer struct {
	server    string
	redactor  redactor
	emit      func(Event)
	listening func() bool // nil means always
	recent    *Recent     // keeps frames while nothing listens; may be nil
}

// New returns a tracer that calls emit for each event. emit must not block. The tracer masks the
// secrets and everything that looks like a key or a password. New returns nil if emit is nil.
func New(server string, secrets []string, emit func(Event)) *Tracer {
	if emit == nil {
		return nil
	}
	return &Tracer{server: server, redactor: newRedactor(secrets), emit: emit}
}

// While makes t report only while listening returns true, and returns t. If listening is nil, t
// always reports.
func (t *Tracer) While(listening func() bool) *Tracer {
	if t != nil {
		t.listening = listening
	}
	return t
}

// Keep makes t keep the last frames in recent while nothing listens, and returns t.
func (t *Tracer) Keep(recent *Recent) *Tracer {
	if t != nil {
		t.recent = recent
	}
	return t
}

// on reports whether an event has a receiver now, or may get one.
func (t *Tracer) on() bool { return t != nil && (t.listens() || t.recent.on()) }

// listens reports whether an event has a receiver now.
func (t *Tracer) listens() bool { return t.listening == nil || t.listening() }

// Now returns the time for Sent, or the zero time if there is no listener.
func (t *Tracer) Now() time.Time {
	if !t.on() {
		return time.Time{}
	}
	return time.Now()
}

// Sent reports a frame that goated began to write at began.
func (t *Tracer) Sent(frame []byte, began time.Time) {
	if !t.on() {
		return
	}
	if began.IsZero() { // listening began during the write
		began = time.Now()
	}
	t.report(Event{Direction: Sent, Time: began, Size: len(frame)}, frame)
}

// Received reports a frame, or with noise a line that is not a frame. part is all of it or its
// beginning, and size is its length.
func (t *Tracer) Received(part []byte, size int, noise bool) {
	if t.on() {
		t.report(Event{Direction: Received, Noise: noise, Time: time.Now(), Size: size}, part)
	}
}

// Unanswered reports that the request with a JSON id gets no response although the connection
// continues, and why. by is the side that ended the request.
func (t *Tracer) Unanswered(id, why string, by Direction) {
	if t.on() {
		t.report(Event{Direction: by, Unanswered: id, Time: time.Now(), Size: len(why)}, []byte(why))
	}
}

// Ended reports the end of the connection: whether it failed, how it ended, and when goated noticed.
func (t *Tracer) Ended(end End, how string, at time.Time) {
	if t.on() {
		e := Event{Direction: Received, End: end, Time: at, Size: len(how)}
		if end == Closed {
			e.Direction = Sent
		}
		t.report(e, []byte(how))
	}
}

func (t *Tracer) report(e Event, data []byte) {
	e.Server = t.server
	if !t.listens() {
		t.recent.add(e, data, t.redactor)
		return
	}
	e.Data = t.redactor.apply(data, MaxData)
	if len(e.Data) > MaxData {
		e.Data = e.Data[:MaxData]
	}
	t.emit(e)
}
