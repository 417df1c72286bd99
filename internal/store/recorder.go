package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"goated/agent"
)

// How long, and how much, text is held back to be written at once.
const (
	holdTime = 250 * time.Millisecond
	holdSize = 4 << 10
	rowSize  = 32 << 10 // a row of text that has this much is not extended
)

// A Recorder writes down a turn while it goes on. It is safe for concurrent use.
// Its methods work on when ctx has ended: a turn that was stopped is kept too.
type Recorder struct {
	ID    string // of the turn
	Title string // of the conversation when the turn began; what waits in memory has its own

	store        *Store
	conversation string    // id
	after        *Recorder // of the turn before it, while that may wait in memory
	turn         int64

	mu       sync.Mutex
	steps    []step // that could not be written, in order
	held     []byte // text that is not written yet
	thought  bool   // and what it is a text of
	last     row
	contents []string // as they are written
	timer    *time.Timer
	busy     error // the database is locked, or not open yet: it is the timer's to try
	draft    draftTurn
	ending   bool // End has been called
	ended    bool // and nothing is left to be written
}

// A step writes something down. It may run again if it was not committed.
type step func(*sql.Tx, *row) error

// A row is the last one of a turn's events.
type row struct {
	n       int    // of rows
	text    string // of it, if it is text that goes on
	thought bool
}

// Record writes down an event. It is on the disk when Record returns, except for
// pieces of text: they are within 250 ms, or with what is recorded next. With
// [ErrHeld] it waits in memory, as with the other methods, and is not to be
// recorded again.
func (r *Recorder) Record(ctx context.Context, e agent.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ending || r.ended {
		return fmt.Errorf("recording an event: %w", ErrEnded)
	}
	switch e := e.(type) {
	case agent.TextDelta:
		return r.hold(ctx, e.Text, false)
	case agent.ThoughtDelta:
		return r.hold(ctx, e.Text, true)
	case agent.ToolProgressed: // up to thirty a second, and nothing when the call is over
		return nil
	case agent.ToolCalled, agent.ToolDecided, agent.ToolReturned, agent.TurnEnded:
	}
	body, err := agent.EncodeEvent(e)
	if err != nil {
		return fmt.Errorf("recording an event: %w", err)
	}
	before := len(r.draft.events)
	r.draft.events = append(r.draft.events, e)
	err = r.put(ctx, "recording an event", func(tx *sql.Tx, last *row) error {
		*last = row{n: last.n + 1}
		_, err := tx.Exec(`INSERT OR REPLACE INTO event (turn, n, body) VALUES (?, ?, ?)`, r.turn, last.n, string(body))
		return err
	})
	if err != nil && !errors.Is(err, ErrHeld) {
		r.draft.events = r.draft.events[:before] // what was refused is not rescued
	}
	return err
}

// hold holds text back until there is enough, or it has waited enough.
func (r *Recorder) hold(ctx context.Context, text string, thought bool) error {
	var err error
	if len(r.held) > 0 && r.thought != thought {
		if err = r.put(ctx, "recording text", nil); err != nil && !errors.Is(err, ErrHeld) {
			return err
		}
	}
	var piece agent.Event = agent.TextDelta{Text: text}
	if thought {
		piece = agent.ThoughtDelta{Text: text}
	}
	r.draft.events = append(r.draft.events, piece)
	r.held, r.thought = append(r.held, text...), thought
	if len(r.held) >= holdSize {
		return r.put(ctx, "recording text", nil)
	}
	r.wait(holdTime)
	return err
}

// wait has what is not written yet written in a while.
func (r *Recorder) wait(d time.Duration) {
	if r.timer == nil {
		r.store.timers.Add(1)
		r.timer = time.AfterFunc(d, r.due)
	}
}

// due writes what has waited enough.
func (r *Recorder) due() {
	defer r.store.timers.Done()
	r.mu.Lock()
	r.timer, r.busy = nil, nil
	r.mu.Unlock()
	for _, older := range r.store.unended() { // order of use is order of writing
		if older.ID < r.ID {
			_ = older.settle()
		}
	}
	_ = r.settle() // it is tried again, and Held tells
}

// settle writes what is not written yet, if it can.
func (r *Recorder) settle() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.held)+len(r.steps) == 0 || r.ended {
		return nil
	}
	return r.put(context.Background(), "recording what was held", nil)
}

// put commits what waits, the text that is held back, and what then does: all or
// nothing. What the disk does not take waits; what is wrong in itself does not.
func (r *Recorder) put(ctx context.Context, doing string, then step) error {
	steps := r.steps[:len(r.steps):len(r.steps)]
	if len(r.held) > 0 {
		steps = append(steps, r.spill(string(r.held), r.thought))
	}
	waiting := len(steps)
	if then != nil {
		steps = append(steps, then)
	}
	last := r.last
	err := r.busy // each try would wait for the other process
	if err == nil {
		err = r.follow()
	}
	if err == nil {
		err = r.store.commit(context.WithoutCancel(ctx), doing, func(tx *sql.Tx) error {
			last = r.last
			for _, do := range steps {
				if err := do(tx, &last); err != nil {
					return err
				}
			}
			return nil
		})
	}
	switch {
	case err == nil:
		r.last, r.held, r.steps, r.draft.events = last, r.held[:0], nil, nil
		r.store.wrote(r)
		if r.ending {
			r.leave()
		}
	case passing(err):
		r.held, r.steps = r.held[:0], steps
		if locked(err) && !errors.Is(err, ErrUnopened) { // which is known at once
			r.busy = err
		}
		r.store.hold(r, err)
		r.wait(retryTime)
		err = fmt.Errorf("%w: %w", ErrHeld, err)
	case gone(err), errors.Is(err, ErrNotFound):
		r.held, r.steps = r.held[:0], nil // there is no place for it any more
		r.store.wrote(r)
		err = fmt.Errorf("%s: %w", doing, ErrNotFound)
	default:
		r.steps, r.held = steps[:waiting], r.held[:0]
	}
	return err
}

// follow has the turn before this one written first, if it waits.
func (r *Recorder) follow() error {
	if r.after != nil {
		if err := r.after.settle(); passing(err) {
			return err
		}
		r.after = nil
	}
	return nil
}

// spill writes text: into the last row if it goes on there, so that what came in
// pieces is not read in pieces.
func (r *Recorder) spill(text string, thought bool) step {
	return func(tx *sql.Tx, last *row) error {
		if last.text == "" || last.thought != thought || len(last.text) >= rowSize {
			*last = row{n: last.n + 1, thought: thought}
		}
		last.text += text
		var event agent.Event = agent.TextDelta{Text: last.text}
		if thought {
			event = agent.ThoughtDelta{Text: last.text}
		}
		body, err := agent.EncodeEvent(event)
		if err != nil {
			return err
		}
		_, err = tx.Exec(`
			INSERT INTO event (turn, n, body) VALUES (?1, ?2, ?3) ON CONFLICT (turn, n) DO UPDATE SET body = excluded.body;
			UPDATE turn SET stale = 1 WHERE seq = ?1 AND NOT stale`, r.turn, last.n, string(body))
		return err
	}
}
