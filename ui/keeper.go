package ui

import (
	"context"
	"errors"
	"sync"
	"time"

	"goated/internal/store"
)

// A bookkeeping is what is to be kept of a conversation beside what was said; nil
// is what has not changed.
type bookkeeping struct{ draft, place *string }

// A keeper keeps drafts and places on its own goroutine: the newest of each,
// within a second. What could not be kept is tried again with the next change, and
// in the end, after which it is lost; each reason is told once. Its methods but for run and flush are safe
// for concurrent use.
type keeper struct {
	store *store.Store
	named func(c *conversation, id string) // c is kept under id from now on
	fail  func(error)
	told  string // the last reason

	mu    sync.Mutex
	next  map[*conversation]bookkeeping
	dirty chan struct{}
}

// keepPause is how long changes are gathered. With it and the writing, no more
// than what was typed in the last second is lost with the process.
const keepPause = 400 * time.Millisecond

// keepLeave is how long the window waits in the end for a history that is not open
// yet, as while another goated holds it.
const keepLeave = 2 * time.Second

func newKeeper(s *store.Store, named func(*conversation, string), fail func(error)) *keeper {
	return &keeper{store: s, named: named, fail: fail, next: map[*conversation]bookkeeping{}, dirty: make(chan struct{}, 1)}
}

func (k *keeper) draft(c *conversation, text string) {
	k.note(c, func(b *bookkeeping) { b.draft = &text })
}

func (k *keeper) place(c *conversation, place string) {
	k.note(c, func(b *bookkeeping) { b.place = &place })
}

func (k *keeper) note(c *conversation, change func(*bookkeeping)) {
	if k.store == nil {
		return
	}
	k.mu.Lock()
	b := k.next[c]
	change(&b)
	k.next[c] = b
	k.mu.Unlock()
	k.wake()
}

// wake has what is left tried soon.
func (k *keeper) wake() {
	select {
	case k.dirty <- struct{}{}:
	default:
	}
}

// run is the keeper's goroutine. When ctx ends it keeps what is left.
func (k *keeper) run(ctx context.Context) {
	whole, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	defer context.AfterFunc(ctx, func() {
		select {
		case <-whole.Done():
		case <-time.After(keepLeave):
			end()
		}
	})()
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case <-k.dirty:
			select {
			case <-ctx.Done():
			case <-time.After(keepPause):
			}
			k.flush(whole)
		}
	}
	k.flush(whole)
}

func (k *keeper) flush(ctx context.Context) {
	k.mu.Lock()
	next := k.next
	k.next = map[*conversation]bookkeeping{}
	k.mu.Unlock()
	reason := ""
	for c, b := range next {
		err := k.keep(ctx, c, b)
		if err == nil || errors.Is(err, store.ErrNotFound) { // a deleted one
			continue
		}
		k.again(c, b)
		if reason = err.Error(); reason != k.told && !errors.Is(err, store.ErrUnopened) { // which recall has told
			k.fail(err)
		}
	}
	if len(next) > 0 {
		k.told = reason
	}
}

// again has what could not be kept tried with the next change, unless there is
// something newer.
func (k *keeper) again(c *conversation, failed bookkeeping) {
	k.mu.Lock()
	defer k.mu.Unlock()
	b := k.next[c]
	if b.draft == nil {
		b.draft = failed.draft
	}
	if b.place == nil {
		b.place = failed.place
	}
	k.next[c] = b
}

// keep writes down what has changed of one. A draft in a new conversation makes
// that one be kept; where there is nothing in it, there is nothing to keep.
func (k *keeper) keep(ctx context.Context, c *conversation, b bookkeeping) error {
	id := c.identity.ID()
	if id == "" {
		if b.draft == nil || *b.draft == "" {
			return nil
		}
		var err error
		if id, err = c.identity.In(ctx, k.store); err != nil {
			return err
		}
		k.named(c, id)
	}
	if b.draft != nil {
		if err := k.store.SetDraft(ctx, id, *b.draft); err != nil {
			return err // each try may wait for another process
		}
	}
	if b.place != nil {
		return k.store.SetPlace(ctx, id, *b.place)
	}
	return nil
}

// written keeps what stands in the composer.
func (w *Window) written() {
	c := w.conversation()
	if text := w.composer.input.Text; text != c.draft {
		c.draft = text
		w.keeper.draft(c, text)
	}
}

// scrolled keeps where the reader is.
func (w *Window) scrolled() {
	c := w.conversation()
	if c.loading || c.id == "" {
		return
	}
	if place := w.transcript.bearing(); place != c.place {
		c.place = place
		w.keeper.place(c, place)
	}
}
