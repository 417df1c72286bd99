package store

import (
	"context"
	"database/sql"
	"iter"
	"time"
)

// retryTime is how often what waits in memory is tried again.
const retryTime = 2 * time.Second

// Held yields why something waits in memory, now and after each change, until ctx
// ends or the Store is closed; nil: all is on the disk.
func (s *Store) Held(ctx context.Context) iter.Seq[error] {
	return func(yield func(error) bool) {
		for {
			s.mu.Lock()
			waits := s.waits
			var why error
			for _, err := range s.held {
				why = err
			}
			s.mu.Unlock()
			if ctx.Err() != nil || !yield(why) {
				return
			}
			select {
			case <-waits:
			case <-s.closed:
				return
			case <-ctx.Done():
				return
			}
		}
	}
}

// hold notes that something of r waits in memory.
func (s *Store) hold(r *Recorder, why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, waited := s.held[r]; !waited {
		close(s.waits)
		s.waits = make(chan struct{})
	}
	s.held[r] = why
}

// wrote notes that nothing of r waits any more.
func (s *Store) wrote(r *Recorder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.unmade, r.conversation)
	if _, waited := s.held[r]; waited {
		delete(s.held, r)
		close(s.waits)
		s.waits = make(chan struct{})
	}
}

// recorder finds the recorder of a turn that has not ended on the disk.
func (s *Store) recorder(turn string) *Recorder {
	s.mu.Lock()
	defer s.mu.Unlock()
	for r := range s.recorders {
		if r.ID == turn {
			return r
		}
	}
	return nil
}

// find returns the number of a conversation that is not deleted. One that waits
// in memory is made.
func (s *Store) find(ctx context.Context, tx *sql.Tx, id string) (int64, error) {
	s.mu.Lock()
	made, waits := s.unmade[id]
	s.mu.Unlock()
	if waits {
		if err := insert(ctx, tx, id, made); err != nil {
			return 0, err
		}
	}
	return find(ctx, tx, id)
}

// made notes that a conversation waits no more.
func (s *Store) made(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.unmade, id)
}
