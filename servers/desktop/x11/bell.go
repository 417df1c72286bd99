package x11

import "sync"

// A bell wakes all that wait for a change.
type bell struct {
	mu        sync.Mutex
	listeners map[chan struct{}]bool
}

// ring gives each listener a token, if it has none yet.
func (b *bell) ring() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.listeners {
		poke(c)
	}
}

// listen returns a channel that receives a token after each ring, and its end.
func (b *bell) listen() (tokens chan struct{}, stop func()) {
	c := make(chan struct{}, 1)
	b.mu.Lock()
	b.listeners[c] = true
	b.mu.Unlock()
	return c, func() {
		b.mu.Lock()
		delete(b.listeners, c)
		b.mu.Unlock()
	}
}

func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
