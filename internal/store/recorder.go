package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"google.golang.org/genai"

	"goated/agent"
)

const (
	textTime = 250 * time.Millisecond // how long text waits for more text
	textSize = 4 << 10                // the bytes of text that are written without waiting
	rowSize  = 32 << 10               // a row with this many bytes of text is not extended
)

// A Recorder writes a turn to the database while the turn runs. [Store.Begin] creates one. It is safe
// for concurrent use. Its methods also work after ctx has ended, so that a stopped turn is saved, too.
//
// A method that returns [ErrPending] has accepted its data, which waits in memory and is written later.
// The caller must not pass it again.
type Recorder struct {
	ID    string // of the turn
	Title string // of the conversation when the turn began, or of this turn if it waits in memory

	base         *lazyDB
	pending      *pending
	conversation string    // id
	after        *Recorder // the recorder of the parent turn while that turn may wait in memory
	turn         int64     // row number; 0 if the turn is not on the disk yet

	mu       sync.Mutex
	queue    queue
	last     row
	contents written // the contents last passed to Contents
	timer    *time.Timer
	locked   error // the reason why only the timer may write: the database is locked or not open yet
	draft    draft
	phase    phase
}

type phase int

const (
	running phase = iota
	ending        // End was called
	ended         // everything is written or refused
)

// A queue holds the data that is not on the disk.
type queue struct {
	steps   []step // steps that failed or wait for the next one, in order
	text    []byte // text that came after the steps
	thought bool   // text is a thought instead of a part of the answer
}

func (q *queue) empty() bool { return len(q.text)+len(q.steps) == 0 }

// A step writes some data. It may run again if its transaction did not commit.
type step func(*sql.Tx, *row) error

// A row is the last row of a turn's events.
type row struct {
	n       int    // the row's number, from 1; 0 if there is no row
	text    string // the row's text, if further text can extend it
	thought bool
}

// Record writes an event. The event is on the disk when Record returns. Pieces of text are an
// exception: they follow within 250 ms or with the next event.
func (r *Recorder) Record(ctx context.Context, e agent.Event) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.record(ctx, e, nil)
}

// Step writes an event in one transaction with the contents that the turn has added to the model's
// history so far. A call without a decision is written later, as text is: at the latest together with
// its decision. For the other rules see Contents.
func (r *Recorder) Step(ctx context.Context, e agent.Event, contents []*genai.Content) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	change, err := r.change(contents)
	if err != nil {
		return errors.Join(r.record(ctx, e, nil), err)
	}
	return r.record(ctx, e, change)
}

// record writes an event, and the change of the contents if with is not nil.
func (r *Recorder) record(ctx context.Context, e agent.Event, with *change) error {
	if r.phase != running {
		return fmt.Errorf("recording an event: %w", ErrEnded)
	}
	switch e := e.(type) {
	case agent.TextDelta:
		return r.addText(ctx, e.Text, false)
	case agent.ThoughtDelta:
		return r.addText(ctx, e.Text, true)
	case agent.RetryScheduled, agent.ServersStarting: // it means nothing once the turn continues
		return nil
	case agent.ToolProgressed: // up to thirty per second, and useless after the call
		return nil
	case agent.ToolCalled, agent.ToolDecided, agent.ToolReturned, agent.ToolQuarantined, agent.AnswerDiscarded, agent.MediaRemoved, agent.ContextTrimmed,
		agent.ContextCompacted, agent.ContextRestored, agent.ModelSwitched, agent.ServersMissing, agent.TurnEnded:
	}
	body, err := agent.EncodeEvent(e)
	if err != nil {
		return fmt.Errorf("recording an event: %w", err)
	}
	before := len(r.draft.events)
	r.draft.events = append(r.draft.events, e)
	next := func(tx *sql.Tx, last *row) error {
		*last = row{n: last.n + 1}
		db, err := r.base.get()
		if err != nil {
			return err
		}
		if _, err := tx.Stmt(db.steps.event).Exec(r.turn, last.n, string(body)); err != nil {
			return err
		}
		return with.write(tx, db, r.turn)
	}
	if _, called := e.(agent.ToolCalled); called && with != nil {
		r.enqueue(next)
		with.done(r)
		return nil
	}
	err = r.write(ctx, "recording an event", next)
	if err != nil && !errors.Is(err, ErrPending) {
		r.draft.events = r.draft.events[:before] // the database refused the event itself
		return err
	}
	with.done(r)
	return err
}

// enqueue queues a step until the next write, as for text.
func (r *Recorder) enqueue(next step) {
	if len(r.queue.text) > 0 {
		r.queue.steps = append(r.queue.steps, r.writeText(string(r.queue.text), r.queue.thought))
		r.queue.text = r.queue.text[:0]
	}
	r.queue.steps = append(r.queue.steps, next)
	r.schedule(textTime)
}

// addText holds text back until there is enough of it, or until it has waited long enough.
func (r *Recorder) addText(ctx context.Context, text string, thought bool) error {
	var err error
	if len(r.queue.text) > 0 && r.queue.thought != thought {
		if err = r.write(ctx, "recording text", nil); err != nil && !errors.Is(err, ErrPending) {
			return err
		}
	}
	r.draft.events = append(r.draft.events, textEvent(text, thought))
	r.queue.text, r.queue.thought = append(r.queue.text, text...), thought
	if len(r.queue.text) >= textSize {
		return r.write(ctx, "recording text", nil)
	}
	r.schedule(textTime)
	return err
}

func textEvent(text string, thought bool) agent.Event {
	if thought {
		return agent.ThoughtDelta{Text: text}
	}
	return agent.TextDelta{Text: text}
}

// schedule makes the queue be written after d.
func (r *Recorder) schedule(d time.Duration) {
	if r.timer == nil {
		r.pending.timers.Add(1)
		r.timer = time.AfterFunc(d, r.writeQueue)
	}
}

// writeQueue writes the queue after the queues of older turns, because the order of writing is the order of
// use. A failure schedules the next attempt, and Store.Pending reports it.
func (r *Recorder) writeQueue() {
	defer r.pending.timers.Done()
	r.mu.Lock()
	r.timer, r.locked = nil, nil
	r.mu.Unlock()
	for _, older := range r.pending.recording() {
		if older.ID < r.ID {
			_ = older.flush()
		}
	}
	_ = r.flush()
}

// flush writes the queue if the database allows it.
func (r *Recorder) flush() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.queue.empty() || r.phase == ended {
		return nil
	}
	return r.write(context.Background(), "recording text", nil)
}

// write commits the queue and then next, all or nothing. After a temporary failure everything waits.
// After another failure the queue waits, but next, which caused the failure, is dropped.
func (r *Recorder) write(ctx context.Context, doing string, next step) error {
	steps := r.queue.steps[:len(r.queue.steps):len(r.queue.steps)]
	if len(r.queue.text) > 0 {
		steps = append(steps, r.writeText(string(r.queue.text), r.queue.thought))
	}
	waiting := len(steps)
	if next != nil {
		steps = append(steps, next)
	}
	last := r.last
	err := r.locked
	if err == nil {
		err = r.writeParent()
	}
	if err == nil {
		err = r.base.commit(context.WithoutCancel(ctx), doing, func(tx *sql.Tx) error {
			last = r.last
			for _, do := range steps {
				if err := do(tx, &last); err != nil {
					return err
				}
			}
			return nil
		})
	}
	r.queue.text = r.queue.text[:0]
	switch {
	case err == nil:
		r.last, r.queue.steps, r.draft.events = last, nil, nil
		r.pending.markWritten(r)
		if r.phase == ending {
			r.finish()
		}
	case isTemporary(err):
		r.queue.steps = steps
		if isLocked(err) && !errors.Is(err, ErrNotOpened) { // an unopened database fails at once
			r.locked = err
		}
		r.pending.hold(r, err)
		r.schedule(r.base.wait.retry)
		err = fmt.Errorf("%w: %w", ErrPending, err)
	case isPurged(err), errors.Is(err, ErrNotFound):
		r.queue.steps = nil
		r.pending.markWritten(r)
		err = fmt.Errorf("%s: %w", doing, ErrNotFound)
	default:
		r.queue.steps = steps[:waiting]
	}
	return err
}

// writeParent first writes the parent turn if it waits.
func (r *Recorder) writeParent() error {
	if r.after != nil {
		if err := r.after.flush(); isTemporary(err) {
			return err
		}
		r.after = nil
	}
	return nil
}

// writeText extends the last row if it contains text of the same kind, so that text that arrived in
// pieces is read as one.
func (r *Recorder) writeText(text string, thought bool) step {
	return func(tx *sql.Tx, last *row) error {
		if last.text == "" || last.thought != thought || len(last.text) >= rowSize {
			*last = row{n: last.n + 1, thought: thought}
		}
		last.text += text
		body, err := agent.EncodeEvent(textEvent(last.text, thought))
		if err != nil {
			return err
		}
		_, err = tx.Exec(`
			INSERT INTO event (turn, n, body) VALUES (?1, ?2, ?3) ON CONFLICT (turn, n) DO UPDATE SET body = excluded.body;
			UPDATE turn SET stale = 1 WHERE seq = ?1 AND NOT stale`, r.turn, last.n, string(body))
		return err
	}
}

// written holds the contents that are in the database.
type written struct {
	bodies []string
	values []*genai.Content // the values whose encodings are in bodies
}
