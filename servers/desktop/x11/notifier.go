package x11

import "sync"

// A notifier wakes everyone who waits for a change.
type notifier struct {
	mu        sync.Mutex
	listeners map[chan struct{}]bool
}

// notify gives a token to each listener that has none.
func (b *notifier) notify() {
	b.mu.Lock()
	defer b.mu.Unlock()
	for c := range b.listeners {
		wake(c)
	}
}

// listen returns a channel that receives a token after each ring, and a function that ends that.
func (b *notifier) listen() (tokens chan struct{}, stop func()) {
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

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
