package trace

import (
	"slices"
	"sync"
	"time"
)

// The bounds of [Recent].
const (
	recentFrames  = 300       // of one server
	recentBytes   = 256 << 10 // of one server
	recentServers = 16
	recentData    = 8 << 10 // of one frame
)

// Recent keeps the last frames of each server for a listener that comes later: the user opens
// the inspector after something failed. It copies the beginning of each frame, which costs a call
// less than one percent. Take masks the secrets: that costs more. Nothing else can read the
// copies. The zero value is ready. It is safe for concurrent use.
type Recent struct {
	mu      sync.Mutex
	taken   bool
	servers map[string]*ring
}

// A ring has the last frames of a server, the oldest first.
type ring struct {
	frames []kept
	bytes  int
}

// A kept is a frame with the redactor of its connection.
type kept struct {
	event Event // Data may have secrets
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

// add keeps a frame.
func (r *Recent) add(e Event, data []byte, by redactor) {
	e.Data = slices.Clone(data[:min(len(data), recentData+max(margin, by.longest))])
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
	of.bytes += len(e.Data)
	n := 0
	for len(of.frames)-n > recentFrames || of.bytes > recentBytes {
		of.bytes -= len(of.frames[n].event.Data)
		of.frames[n] = kept{}
		n++
	}
	of.frames = of.frames[n:]
}

// forget makes room for another server: it drops the one that was quiet for the longest time.
func (r *Recent) forget() {
	if len(r.servers) < recentServers {
		return
	}
	var oldest string
	var since time.Time
	for id, of := range r.servers {
		if at := of.frames[len(of.frames)-1].event.Time; oldest == "" || at.Before(since) {
			oldest, since = id, at
		}
	}
	delete(r.servers, oldest)
}

// Take returns the frames that r has, without secrets and in the order of time, and keeps no
// more.
func (r *Recent) Take() []Event {
	r.mu.Lock()
	servers := r.servers
	r.servers, r.taken = nil, true
	r.mu.Unlock()
	var all []Event
	for _, of := range servers {
		for _, k := range of.frames {
			e := k.event
			e.Data = k.by.apply(e.Data, recentData)
			e.Data = e.Data[:min(len(e.Data), recentData)]
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b Event) int { return a.Time.Compare(b.Time) })
	return all
}
