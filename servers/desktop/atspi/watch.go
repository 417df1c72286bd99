package atspi

import (
	"context"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"
)

// watches forward the events of applications. The zero value has no watchers.
type watches struct {
	wg      sync.WaitGroup
	mu      sync.Mutex
	started bool
	by      map[string]map[chan struct{}]bool // by unique name
}

func (w *watches) wait() { w.wg.Wait() }

// Watch returns a channel that receives a token after the application changes. The channel holds at
// most one unread token. It is closed when ctx or the bus ends.
func (b *Bus) Watch(ctx context.Context, a Application) (<-chan struct{}, error) {
	if b.opts.Own != nil && b.opts.Own(a.PID) {
		return nil, ErrOwn
	}
	b.watching.listen(b.conn)
	c := make(chan struct{}, 1)
	w := &b.watching
	match := []dbus.MatchOption{dbus.WithMatchSender(a.Root.Bus), dbus.WithMatchOption("path_namespace", "/org/a11y/atspi/accessible")}
	if err := b.conn.AddMatchSignalContext(ctx, match...); err != nil {
		return nil, err
	}
	w.mu.Lock()
	if w.by[a.Root.Bus] == nil {
		w.by[a.Root.Bus] = make(map[chan struct{}]bool)
	}
	w.by[a.Root.Bus][c] = true
	w.mu.Unlock()
	w.wg.Go(func() {
		select {
		case <-ctx.Done():
		case <-b.Ended():
		}
		w.mu.Lock()
		delete(w.by[a.Root.Bus], c)
		close(c)
		w.mu.Unlock()
		stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), b.opts.Call)
		defer cancel()
		_ = b.conn.RemoveMatchSignalContext(stop, match...)
	})
	return c, nil
}

// listen starts the goroutine that receives the events. The goroutine ends with the connection.
func (w *watches) listen(conn *dbus.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.started {
		return
	}
	w.started, w.by = true, make(map[string]map[chan struct{}]bool)
	signals := make(chan *dbus.Signal, 256)
	conn.Signal(signals)
	w.wg.Go(func() {
		for {
			select {
			case s, ok := <-signals:
				if !ok {
					return
				}
				if strings.HasPrefix(s.Name, "org.a11y.atspi.Event.") {
					w.wake(s.Sender)
				}
			case <-conn.Context().Done():
				return
			}
		}
	})
}

func (w *watches) wake(bus string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for c := range w.by[bus] {
		select {
		case c <- struct{}{}:
		default: // the watcher has a token already
		}
	}
}
