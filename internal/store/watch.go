package store

import (
	"context"
	"iter"
)

// Watch yields the list of conversations now and after each change of it that
// this Store makes, until ctx ends or the Store is closed. A slow reader misses
// states between, never the last one. A state that can't be read is passed over.
func (s *Store) Watch(ctx context.Context) iter.Seq[[]Conversation] {
	return func(yield func([]Conversation) bool) {
		for {
			s.mu.Lock()
			changed := s.changed
			s.mu.Unlock()
			list, err := s.Conversations(ctx)
			if ctx.Err() != nil || err == nil && !yield(list) {
				return
			}
			select {
			case <-changed:
			case <-s.closed:
				return
			case <-ctx.Done():
				return
			}
		}
	}
}
