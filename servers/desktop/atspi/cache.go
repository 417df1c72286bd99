package atspi

import (
	"context"
	"fmt"
	"time"
)

// An item is one element as reported by the cache of an application or by a walk.
type item struct {
	ref, parent Ref
	index       int32 // among its siblings; negative if unknown
	count       int32 // of its children; negative if unknown
	children    []Ref // in their order, if listed is set
	listed      bool
	name        string
	role        Role
	states      States
	interfaces  Interfaces
	told        bool // a walk has read its states
}

// A fetch is a request for the cache of an application. It may outlast the snapshot that started it. A
// later snapshot then uses its result.
type fetch struct {
	began time.Time
	done  chan struct{}
	items []item // valid after done is closed, as is err
	err   error
}

// lateFor is the maximum age of a tree that arrived too late for its own snapshot.
const lateFor = 10 * time.Second

// items returns the elements in the cache of an application. If the application does not answer
// before ctx ends, items returns the elements of an earlier slow request, with their age. ok is
// false if there are none.
func (b *Bus) items(ctx context.Context, bus string) (items []item, age time.Duration, ok bool, err error) {
	b.mu.Lock()
	a := b.apps[bus]
	if a == nil {
		b.mu.Unlock()
		return nil, 0, false, &GoneError{"the application"}
	}
	f, last := a.fetch, a.last
	if f == nil {
		f = &fetch{began: time.Now(), done: make(chan struct{})}
		a.fetch = f
		b.watching.wg.Go(func() {
			ctx, cancel := context.WithTimeoutCause(b.conn.Context(), b.opts.Call, errCall)
			defer cancel()
			f.items, f.err = b.cached(ctx, bus)
			_ = b.convertError(ctx, bus, f.err)
			b.mu.Lock()
			defer b.mu.Unlock()
			a.fetch = nil
			if f.err == nil {
				a.last = f
			}
			close(f.done)
		})
	}
	b.mu.Unlock()
	select {
	case <-f.done:
		return f.items, 0, true, f.err
	case <-ctx.Done():
	}
	if last != nil && time.Since(last.began) < lateFor {
		return last.items, time.Since(last.began), true, nil
	}
	return nil, 0, false, nil
}

// cached asks an application for all its elements in one call. The list may be empty even without an
// error, because some toolkits have no cache.
func (b *Bus) cached(ctx context.Context, bus string) ([]item, error) {
	call := b.conn.Object(bus, "/org/a11y/atspi/cache").CallWithContext(ctx, cacheIface+".GetItems", 0)
	if call.Err != nil {
		return nil, call.Err
	}
	rows, ok := first[[][]any](call.Body)
	if !ok {
		return nil, fmt.Errorf("the cache has the unknown form %T", call.Body)
	}
	items := make([]item, 0, len(rows))
	for _, row := range rows {
		if it, ok := itemOf(row); ok {
			items = append(items, it)
		}
	}
	return items, nil
}

// itemOf decodes a row of the cache in either format: with an index and a number of children
// (at-spi2-core 2.34 and later), or with a list of children (older versions, and Qt 5).
func itemOf(row []any) (it item, ok bool) {
	var rest []any
	switch {
	case len(row) == 10:
		index, ok1 := row[3].(int32)
		count, ok2 := row[4].(int32)
		if !ok1 || !ok2 {
			return it, false
		}
		it.index, it.count, rest = index, count, row[5:]
	case len(row) == 9:
		children, ok := row[3].([][]any)
		if !ok {
			return it, false
		}
		it.index, it.count, it.children, it.listed, rest = -1, -1, refsOf(children), true, row[4:]
	default:
		return it, false
	}
	names, _ := rest[0].([]string)
	role, _ := rest[2].(uint32)
	states, _ := rest[4].([]uint32)
	it.ref, it.parent = refOf(row[0]), refOf(row[2])
	it.name, _ = rest[1].(string)
	it.role, it.interfaces, it.states = Role(role), interfacesOf(names), statesOf(states)
	return it, !it.ref.none()
}
