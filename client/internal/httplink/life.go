package httplink

import (
	"context"
	"sync"
)

// A life is how long a connection, and what runs for it, lives.
type life struct {
	ctx   context.Context // ends with the connection
	stop  context.CancelFunc
	wg    sync.WaitGroup
	once  sync.Once     // of ending
	ended chan struct{} // closed when no more messages can be exchanged

	mu    sync.Mutex
	fault error // why goated ended the connection
}

// end ends the connection for a fault of the server.
func (l *life) end(fault error) {
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

// shut ends reading and writing. It does not wait.
func (l *life) shut() {
	l.once.Do(func() {
		l.mu.Lock() // see end
		defer l.mu.Unlock()
		close(l.ended)
		l.stop()
	})
}

// start runs f in a goroutine that Close waits for. After the end it does not, and reports false:
// a goroutine must not begin while Close waits for all.
func (l *life) start(f func()) bool {
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

// Ended is closed when no more messages can be exchanged.
func (l *life) Ended() <-chan struct{} { return l.ended }

// Fault is why goated ended the connection, usually a [*Fault]; nil if it did not.
func (l *life) Fault() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.fault
}
