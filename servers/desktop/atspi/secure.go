package atspi

import (
	"context"
	"errors"
	"sync"
	"time"

	"goated/servers/desktop/element"
)

// A Field is a password field on the screen. Its Bounds are empty if its position is unknown.
type Field struct {
	PID    int
	Bounds element.Rect
}

// secureFor is how long [Bus.Secure] waits for a busy application.
const secureFor = time.Second

// Secure lists the password fields that are on the screen. It waits up to a second for a busy
// application. blind lists the applications that did not answer in time, or that are lost (see [LostError]). They may
// show further password fields.
func (b *Bus) Secure(ctx context.Context) (fields []Field, blind []Application, err error) {
	apps, err := b.Applications(ctx)
	if err != nil {
		return nil, nil, err
	}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, a := range apps {
		wg.Go(func() {
			found, ok := b.secureOf(ctx, a)
			mu.Lock()
			defer mu.Unlock()
			fields = append(fields, found...)
			if !ok {
				blind = append(blind, a)
			}
		})
	}
	wg.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return fields, append(blind, lostApplications(b)...), nil
}

// secureOf lists the password fields of one application. ok is false if the application did not answer
// in time.
func (b *Bus) secureOf(ctx context.Context, a Application) (fields []Field, ok bool) {
	var t *Tree
	for end := time.Now().Add(secureFor); ; {
		var err error
		if t, err = b.Snapshot(ctx, a); err != nil {
			var none *NoTreeError
			return nil, errors.As(err, &none)
		}
		if !t.late || ctx.Err() != nil || time.Now().After(end) {
			break
		}
	}
	var nodes []int
	for i := range t.Nodes {
		if t.Nodes[i].Secure && t.visible(i) {
			nodes = append(nodes, i)
		}
	}
	unread := len(nodes) > 0 && t.Fetch(ctx, nodes, element.FieldBounds) > 0
	for _, i := range nodes {
		if n := &t.Nodes[i]; !n.bounds.Empty() || n.Role == RolePasswordText || unread {
			fields = append(fields, Field{a.PID, n.bounds})
		}
	}
	return fields, !t.late
}
