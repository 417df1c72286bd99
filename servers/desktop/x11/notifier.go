package x11

import "sync"

// A notifier wakes everyone who waits for a change.
type notifier struct {
	mu        sync.Mutex
	listeners map[chan struct{}]bool
}

// notify gives a token to each listener that has none.
func (n *notifier) notify() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for c := range n.listeners {
		wake(c)
	}
}

// listen returns a channel that receives a token after each change, and a function that ends that.
func (n *notifier) listen() (tokens chan struct{}, stop func()) {
	c := make(chan struct{}, 1)
	n.mu.Lock()
	n.listeners[c] = true
	n.mu.Unlock()
	return c, func() {
		n.mu.Lock()
		delete(n.listeners, c)
		n.mu.Unlock()
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
