package trace

import (
	"slices"
	"sync"
	"time"
)

// The bounds of [Recent].
const (
	recentFrames  = 300     // per server
	recentBytes   = 4 << 20 // for all servers
	recentServers = 16
)

// Recent keeps the last frames of each server for a later listener, because users open the
// inspector after something failed. It copies each frame up to [MaxData], which costs a call less
// than one percent. Take masks the secrets, which costs more, and nothing else can read the copies.
// The copies use at most 4 MiB, and their records less than 2 MiB. If the copies exceed that, the
// server with the most bytes loses its oldest frame, so a busy server takes no room from the
// others. The zero value is ready to use. It is safe for concurrent use.
type Recent struct {
	mu      sync.Mutex
	taken   bool
	servers map[string]*ring
	bytes   int // for all servers
}

// A ring holds the last frames of a server, the oldest first.
type ring struct {
	frames []kept
	bytes  int
}

// A kept is a frame with its connection's redactor.
type kept struct {
	event Event // Data may contain secrets
	by    redactor
}

// on reports whether r keeps frames. A nil Recent never does.
func (r *Recent) on() bool {
	if r == nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return !r.taken
}

// add keeps a frame. A nil Recent keeps none.
func (r *Recent) add(e Event, data []byte, by redactor) {
	if r == nil {
		return // the listener left after on
	}
	e.Data = slices.Clone(data[:min(len(data), MaxData+max(searchMargin, by.longest))])
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.taken {
		return
	}
	if r.servers == nil {
		r.servers = make(map[string]*ring)
	}
	of := r.servers[e.Server]
	if of == nil {
		r.forget()
		of = new(ring)
		r.servers[e.Server] = of
	}
	of.frames = append(of.frames, kept{e, by})
	of.bytes += cap(e.Data)
	r.bytes += cap(e.Data)
	if len(of.frames) > recentFrames {
		r.drop(of)
	}
	for r.bytes > recentBytes {
		r.drop(r.largest())
	}
}

// drop removes the oldest frame of a server. The caller holds r.mu.
func (r *Recent) drop(of *ring) {
	n := cap(of.frames[0].event.Data)
	of.frames[0] = kept{}
	of.frames = of.frames[1:]
	of.bytes -= n
	r.bytes -= n
}

// largest returns the frames of the server with the most bytes. The caller holds r.mu.
func (r *Recent) largest() (most *ring) {
	for _, of := range r.servers {
		if most == nil || of.bytes > most.bytes {
			most = of
		}
	}
	return most
}

// forget makes room for another server by dropping the one that has been quiet the longest.
func (r *Recent) forget() {
	if len(r.servers) < recentServers {
		return
	}
	var oldest string
	var since time.Time
	for id, of := range r.servers {
		var at time.Time // of a server without frames
		if n := len(of.frames); n > 0 {
			at = of.frames[n-1].event.Time
		}
		if oldest == "" || at.Before(since) {
			oldest, since = id, at
		}
	}
	r.bytes -= r.servers[oldest].bytes
	delete(r.servers, oldest)
}

// Take returns the stored frames, without secrets and in the order of time. Afterwards r keeps no
// more frames.
func (r *Recent) Take() []Event {
	r.mu.Lock()
	servers := r.servers
	r.servers, r.taken, r.bytes = nil, true, 0
	r.mu.Unlock()
	var all []Event
	for _, of := range servers {
		for _, k := range of.frames {
			e := k.event
			e.Data = k.by.apply(e.Data, MaxData)
			e.Data = e.Data[:min(len(e.Data), MaxData)]
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b Event) int { return a.Time.Compare(b.Time) })
	return all
}
