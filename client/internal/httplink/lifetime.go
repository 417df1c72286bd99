package httplink

import (
	"context"
	"sync"
)

// A lifetime bounds the life of a connection and of its goroutines.
type lifetime struct {
	ctx   context.Context // ends with the connection
	stop  context.CancelFunc
	wg    sync.WaitGroup
	once  sync.Once     // of ending
	ended chan struct{} // closed when no more messages can be exchanged

	mu    sync.Mutex
	fault error // why goated ended the connection
}

// end ends the connection because of the server's fault.
func (l *lifetime) end(fault error) {
	l.mu.Lock()
	select {
	case <-l.ended:
	default:
		if l.fault == nil {
			l.fault = fault
		}
	}
	l.mu.Unlock()
	l.shut()
}

// shut stops reading and writing. It does not wait.
func (l *lifetime) shut() {
	l.once.Do(func() {
		l.mu.Lock() // see end
		defer l.mu.Unlock()
		close(l.ended)
		l.stop()
	})
}

// start runs f in a goroutine that Close waits for. After the connection has ended, start does not
// run f and returns false, because no goroutine may start while Close waits for all of them.
func (l *lifetime) start(f func()) bool {
	l.mu.Lock() // see shut
	defer l.mu.Unlock()
	select {
	case <-l.ended:
		return false
	default:
	}
	l.wg.Go(f)
	return true
}

// Ended returns a channel that closes when no more messages can be exchanged.
func (l *lifetime) Ended() <-chan struct{} { return l.ended }

// Fault returns why goated ended the connection, usually a [*Fault]. It returns nil if goated did
// not end it.
func (l *lifetime) Fault() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fault
}
