package store

import (
	"context"
	"database/sql"
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
	Title string // of the conversation, since the turn began

	store *Store
	turn  int64

	mu       sync.Mutex
	held     []byte // text that is not written yet
	thought  bool   // and what it is a text of
	last     row
	contents []string // as they are written
	timer    *time.Timer
	ended    bool
}

// A row is the last one of a turn's events.
type row struct {
	n       int    // of rows
	text    string // of it, if it is text that goes on
	thought bool
}

// Record writes down an event. It is on the disk when Record returns, except for
// pieces of text: they are within 250 ms, or with what is recorded next.
func (r *Recorder) Record(ctx context.Context, e agent.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
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
	return r.put(ctx, "recording an event", func(tx *sql.Tx, last *row) error {
		*last = row{n: last.n + 1}
		_, err := tx.Exec(`INSERT INTO event (turn, n, body) VALUES (?, ?, ?)`, r.turn, last.n, string(body))
		return err
	})
}

// hold holds text back until there is enough, or it has waited enough.
func (r *Recorder) hold(ctx context.Context, text string, thought bool) error {
	if len(r.held) > 0 && r.thought != thought {
		if err := r.put(ctx, "recording text", nil); err != nil {
			return err
		}
	}
	before := len(r.held)
	r.held, r.thought = append(r.held, text...), thought
	if len(r.held) >= holdSize {
		err := r.put(ctx, "recording text", nil)
		if err != nil {
			r.held = r.held[:before] // what is not acknowledged may be recorded again
		}
		return err
	}
	if r.timer == nil {
		r.store.timers.Add(1)
		r.timer = time.AfterFunc(holdTime, r.due)
	}
	return nil
}

// due writes what has waited enough.
func (r *Recorder) due() {
	defer r.store.timers.Done()
	r.mu.Lock()
	r.timer = nil
	r.mu.Unlock()
	r.settle()
}

// settle writes what is held back. What can't be written stays held: the next
// call tries again, and tells its caller.
func (r *Recorder) settle() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.held) > 0 && !r.ended {
		_ = r.put(context.Background(), "recording text", nil)
	}
}

// put commits the text that is held back and what then does, both or neither.
func (r *Recorder) put(ctx context.Context, doing string, then func(*sql.Tx, *row) error) error {
	last := r.last
	err := r.store.commit(context.WithoutCancel(ctx), doing, func(tx *sql.Tx) error {
		last = r.last
		if err := r.spill(tx, &last); err != nil || then == nil {
			return err
		}
		return then(tx, &last)
	})
	if gone(err) {
		return fmt.Errorf("%s: %w", doing, ErrNotFound)
	}
	if err == nil {
		r.last, r.held = last, r.held[:0]
	}
	return err
}

// spill writes the text that is held back: into the last row if it goes on
// there, so that what came in pieces is not read in pieces.
func (r *Recorder) spill(tx *sql.Tx, last *row) error {
	if len(r.held) == 0 {
		return nil
	}
	if last.text == "" || last.thought != r.thought || len(last.text) >= rowSize {
		*last = row{n: last.n + 1, thought: r.thought}
	}
	last.text += string(r.held)
	var event agent.Event = agent.TextDelta{Text: last.text}
	if last.thought {
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
