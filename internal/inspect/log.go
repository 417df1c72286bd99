package inspect

import (
	"maps"
	"slices"
	"sync"
)

// These are the limits of a [Log]: the number of frames, and their memory including overhead.
const (
	MaxFrames = 100_000
	MaxBytes  = 64 << 20
	// overhead is the memory of an entry itself, in bytes: the struct, its key, and its place in
	// two maps.
	overhead = 448
	maxNames = 4096 // number of names that are stored only once
)

// A Log keeps the newest frames within [MaxFrames] and [MaxBytes]. The zero value is empty
// and ready. It is safe for concurrent use.
type Log struct {
	mu      sync.Mutex
	entries []*Entry // oldest first; begins at index first
	first   int
	seq     uint64
	frames  int
	bytes   int
	open    map[key]*Entry // requests without an answer
	early   map[key]*Entry // responses that came before their requests
	names   map[string]string
	figures map[tool]*figure
	dropped int // number of dropped frames
	cleared int // number of times that the user cleared the log
	views   []*View
	seen    seen
	starts  Starts
}

// seen contains the names in the frames since the log began or was cleared.
type seen struct{ servers, methods map[string]bool }

// Names contains the names by which a filter can select.
type Names struct{ Servers, Methods []string }

// Names returns the servers and methods in the frames since the log began or was cleared, sorted.
func (l *Log) Names() Names {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Names{slices.Sorted(maps.Keys(l.seen.servers)), slices.Sorted(maps.Keys(l.seen.methods))}
}

// A key identifies a request and its response.
type key struct {
	server string
	ours   bool // goated sent the request
	id     string
}

// Add adds a frame and returns its entry. It pairs a response with its request by server, direction
// and id, in whichever order the two are added. The end of a request without a response completes
// the request's entry. Add returns false for the end of a request that has its response, or that
// the log does not have.
func (l *Log) Add(f Frame) (Entry, bool) {
	h := read(f)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.start()
	if f.Unanswered != "" {
		return l.unanswer(f)
	}
	part := Part{f.Time, f.Data, f.Size}
	at := key{l.name(f.Server), f.Sent != (h.kind == Answer), h.id}
	e := l.partner(at, h, part)
	if e == nil {
		e = &Entry{Seq: l.seq, Server: at.server, Ours: at.ours, ID: h.id, Kind: h.kind, call: f.Call != nil}
		l.seq++
		l.entries = append(l.entries, e)
		l.bytes += overhead
	} else {
		l.touch(e)
	}
	l.frames++
	l.bytes += weight(part)
	l.see(l.seen.servers, at.server)
	l.see(l.seen.methods, h.method)
	switch h.kind {
	case Answer:
		e.Answer = part
		if e.Outcome != Cancelled && e.Outcome != TimedOut {
			e.Outcome = h.outcome
		}
		e.Code = h.code
		if e.Kind == Answer && h.id != "" {
			l.early[at] = e
		}
	default:
		e.Kind, e.Method, e.Tool, e.Request = h.kind, l.name(h.method), l.name(h.tool), part
		if h.kind == Request && e.Answer.Time.IsZero() {
			l.open[at] = e
		}
		if h.kind == Ended {
			e.Outcome, e.How = h.outcome, string(f.Data)
			e.Lost = l.conclude(e.Server, f.End, e.How, f.Time)
		}
		if asked := l.open[key{at.server, at.ours, h.cancels}]; h.cancels != "" && asked != nil {
			asked.Outcome = Cancelled
			if h.late && asked.Ours == f.Sent {
				asked.Outcome = TimedOut
				l.unanswered(asked)
			}
			l.touch(asked)
		}
	}
	if e.Outcome == OK && e.Ours && e.Method == "tools/call" && !whole(e.Answer) {
		e.Outcome = Malformed
	}
	if e.Outcome == Failed && e.Ours && declined(e.Method, e.Code) {
		e.Outcome = Declined
	}
	l.count(e, h)
	out := *e
	l.trim()
	return out, true
}

// start creates the maps of an empty log. The caller holds l.mu.
func (l *Log) start() {
	if l.open == nil {
		l.open, l.early, l.names, l.figures = make(map[key]*Entry), make(map[key]*Entry), make(map[string]string), make(map[tool]*figure)
		l.seen = seen{make(map[string]bool), make(map[string]bool)}
	}
}

// see adds a name to a set of limited size.
func (l *Log) see(set map[string]bool, name string) {
	if name != "" && len(set) < maxNames {
		set[name] = true
	}
}

// touch records for the views that an entry changed.
func (l *Log) touch(e *Entry) {
	for _, v := range l.views {
		v.dirty = append(v.dirty, e.Seq)
	}
}

// partner returns the entry that a frame completes, or nil if the frame begins a new one.
func (l *Log) partner(at key, h header, p Part) *Entry {
	switch h.kind {
	case Answer:
		if h.id == "" && h.result != nil {
			return l.only(at)
		}
		if e := l.open[at]; e != nil && !p.Time.Before(e.Request.Time) {
			delete(l.open, at)
			return e
		}
	case Request:
		e := l.early[at]
		delete(l.early, at)
		if e != nil && !e.Answer.Time.Before(p.Time) {
			return e
		}
	}
	return nil
}

// only finds the request for a response whose id is cut off. It returns a request only if exactly
// one is waiting.
func (l *Log) only(at key) (found *Entry) {
	var id string
	for k, e := range l.open {
		if k.server != at.server || k.ours != at.ours || e.Outcome == Cancelled {
			continue
		}
		if found != nil {
			return nil
		}
		found, id = e, k.id
	}
	if found != nil {
		delete(l.open, key{at.server, at.ours, id})
	}
	return found
}

// trim drops the oldest entries beyond the limits, but never the newest one.
func (l *Log) trim() {
	for (l.frames > MaxFrames || l.bytes > MaxBytes) && len(l.entries)-l.first > 1 {
		e := l.entries[l.first]
		l.entries[l.first] = nil
		l.first++
		at := key{e.Server, e.Ours, e.ID}
		if l.open[at] == e {
			delete(l.open, at)
		}
		if l.early[at] == e {
			delete(l.early, at)
		}
		l.bytes -= overhead
		for _, p := range []Part{e.Request, e.Answer} {
			if !p.Time.IsZero() || p.Data != nil {
				l.frames--
				l.dropped++
				l.bytes -= weight(p)
			}
		}
	}
	if l.first > len(l.entries)/2 {
		l.entries = append([]*Entry(nil), l.entries[l.first:]...)
		l.first = 0
	}
}

// weight returns the memory of a frame's data. The allocator rounds up by at most an eighth.
func weight(p Part) int { return cap(p.Data) + cap(p.Data)/8 }

// name returns the shared copy of a name.
func (l *Log) name(s string) string {
	if known, ok := l.names[s]; ok {
		return known
	}
	if len(l.names) < maxNames {
		l.names[s] = s
	}
	return s
}

// Entries returns the entries that a filter selects, oldest first.
func (l *Log) Entries(f Filter) []Entry {
	l.mu.Lock()
	all := make([]Entry, 0, len(l.entries)-l.first)
	for _, e := range l.entries[l.first:] {
		all = append(all, *e)
	}
	l.mu.Unlock() // searching the data takes long
	return slices.DeleteFunc(all, func(e Entry) bool { return !f.Match(e) })
}

// A Total describes the contents of a log.
type Total struct {
	Frames  int
	Dropped int // frames that were dropped because of the limits
	Bytes   int // approximate memory
}

// Total describes the contents of the log.
func (l *Log) Total() Total {
	l.mu.Lock()
	defer l.mu.Unlock()
	return Total{l.frames, l.dropped, l.bytes}
}
