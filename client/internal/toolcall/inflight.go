package toolcall

import "sync"

// An InFlight counts the calls of a server until their results are decoded. Unlike with a
// sync.WaitGroup, calls may begin while others wait for the last one. The zero value is ready to
// use.
type InFlight struct {
	mu   sync.Mutex
	n    int
	idle chan struct{} // closed when n is 0 again; nil if nobody waits
}

// Begin counts a call.
func (f *InFlight) Begin() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n++
}

// End uncounts a call.
func (f *InFlight) End() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.n--; f.n == 0 && f.idle != nil {
		close(f.idle)
		f.idle = nil
	}
}

// None returns a channel that is closed as soon as no call is in flight.
func (f *InFlight) None() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.idle != nil {
		return f.idle
	}
	idle := make(chan struct{})
	if f.n == 0 {
		close(idle)
	} else {
		f.idle = idle
	}
	return idle
}
