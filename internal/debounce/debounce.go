// Package debounce delays writes of values that change often. It writes the newest value of each
// key after a pause, one at a time. It owns the write loop and the pending values. It must not know
// where they are written.
package debounce

import (
	"context"
	"maps"
	"sync"
	"time"
)

// Options configure a [Writer].
type Options[K comparable, V any] struct {
	// Write stores the newest value of a key. Calls never overlap.
	Write func(ctx context.Context, key K, value V) error
	// Fail is called with an error of Write. Equal consecutive errors are reported once. It must
	// not block, and may be called on any goroutine that calls Run or Flush.
	Fail func(error)
	// Merge combines a pending value with a newer one. If it is nil, the newer one replaces the
	// pending one.
	Merge func(older, newer V) V
	// Pause is how long Run collects changes before it writes them.
	Pause time.Duration
	// Linger limits the remaining writes after Run's context has ended. After that time, Write's
	// context ends too.
	Linger time.Duration
}

// A Writer writes the newest value of each key. If a write fails, the Writer tries again with the
// next change, and once more when Run ends. After that the value is lost. The methods are safe for
// concurrent use.
type Writer[K comparable, V any] struct {
	options Options[K, V]
	dirty   chan struct{}

	flushing sync.Mutex
	reported string // the last error; guarded by flushing

	mu      sync.Mutex
	pending map[K]V
}

// New returns a Writer. It writes nothing before Run or Flush is called.
func New[K comparable, V any](o Options[K, V]) *Writer[K, V] {
	if o.Merge == nil {
		o.Merge = func(_, newer V) V { return newer }
	}
	return &Writer[K, V]{options: o, dirty: make(chan struct{}, 1), pending: make(map[K]V)}
}

// Put sets the newest value of a key. It does not block.
func (w *Writer[K, V]) Put(key K, value V) {
	w.mu.Lock()
	if older, ok := w.pending[key]; ok {
		value = w.options.Merge(older, value)
	}
	w.pending[key] = value
	w.mu.Unlock()
	w.Retry()
}

// Retry makes Run soon write the values whose write failed.
func (w *Writer[K, V]) Retry() {
	select {
	case w.dirty <- struct{}{}:
	default:
	}
}

// Run writes until ctx ends, and then writes the pending values. It must be called only once.
func (w *Writer[K, V]) Run(ctx context.Context) {
	writing, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	defer context.AfterFunc(ctx, func() {
		select {
		case <-writing.Done():
		case <-time.After(w.options.Linger):
			end()
		}
	})()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-w.dirty:
			select {
			case <-ctx.Done():
			case <-time.After(w.options.Pause):
			}
			w.Flush(writing)
		}
	}
	w.Flush(writing)
}

// Flush writes the pending values immediately.
func (w *Writer[K, V]) Flush(ctx context.Context) {
	w.flushing.Lock()
	defer w.flushing.Unlock()
	w.mu.Lock()
	pending := maps.Clone(w.pending)
	clear(w.pending)
	w.mu.Unlock()
	reason := ""
	for key, value := range pending {
		err := w.options.Write(ctx, key, value)
		if err == nil {
			continue
		}
		w.restore(key, value)
		if reason = err.Error(); reason != w.reported {
			w.options.Fail(err)
		}
	}
	if len(pending) > 0 {
		w.reported = reason
	}
}

// restore puts back a value whose write failed, unless there is a newer one, with which it merges.
func (w *Writer[K, V]) restore(key K, failed V) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if newer, ok := w.pending[key]; ok {
		failed = w.options.Merge(failed, newer)
	}
	w.pending[key] = failed
}
