// Package debounce delays the writes of values that change often: it writes the newest value of
// each key after a pause, one at a time. It owns the goroutine's loop and the values that wait. It
// must not know where they go.
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
	// Fail reports an error of Write; consecutive equal errors are reported
	// once. It must not block, and may be called from any goroutine that calls
	// Run or Flush.
	Fail func(error)
	// Merge combines the value that waits with a newer one; nil: the newer one
	// replaces it.
	Merge func(older, newer V) V
	// Pause is how long Run gathers changes before it writes them.
	Pause time.Duration
	// Linger bounds the writes that are still running or outstanding after
	// Run's context has ended: then Write's context ends too.
	Linger time.Duration
}

// A Writer writes the newest value of each key. A value that could not be
// written is tried again with the next change, and once more when Run ends;
// after that it is lost. Its methods are safe for concurrent use.
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

// Retry makes Run write soon what could not be written before.
func (w *Writer[K, V]) Retry() {
	select {
	case w.dirty <- struct{}{}:
	default:
	}
}

// Run writes until ctx ends, and then writes what still waits. Call it once.
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

// Flush writes at once what waits.
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

// restore puts back a value that could not be written, beneath a newer one.
func (w *Writer[K, V]) restore(key K, failed V) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if newer, ok := w.pending[key]; ok {
		failed = w.options.Merge(failed, newer)
	}
	w.pending[key] = failed
}
