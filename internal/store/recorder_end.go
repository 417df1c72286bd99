package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/exact"
)

// Contents writes the contents that the turn has added to the model's history so far. The caller passes
// all of them each time, and Contents writes those that are new or changed.
func (r *Recorder) Contents(ctx context.Context, contents []*genai.Content) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != running {
		return fmt.Errorf("recording contents: %w", ErrEnded)
	}
	change, err := r.change(contents)
	if err != nil || change.empty() {
		return err
	}
	err = r.write(ctx, "recording contents", func(tx *sql.Tx, _ *row) error {
		db, err := r.base.get()
		if err != nil {
			return err
		}
		return change.write(tx, db, r.turn)
	})
	if err == nil || errors.Is(err, ErrPending) {
		change.done(r)
	}
	return err
}

// A change replaces the contents from an index on. A nil change changes nothing.
type change struct {
	from  int     // index of the first content that differs
	older bool    // there are older contents to remove
	all   written // the contents after the change
}

// change compares contents with those that have been written.
func (r *Recorder) change(contents []*genai.Content) (*change, error) {
	bodies := make([]string, len(contents))
	for i, c := range contents {
		if i < len(r.contents.values) && r.contents.values[i] == c { // a content is never modified
			bodies[i] = r.contents.bodies[i]
			continue
		}
		body, err := encodeContent(c)
		if err != nil {
			return nil, fmt.Errorf("recording content %d: %w", i+1, err)
		}
		bodies[i] = body
	}
	same := 0
	for same < min(len(bodies), len(r.contents.bodies)) && bodies[same] == r.contents.bodies[same] {
		same++
	}
	return &change{same, same < len(r.contents.bodies), written{bodies, slices.Clone(contents)}}, nil
}

func (c *change) empty() bool { return !c.older && c.from == len(c.all.bodies) }

// write is called by a [step].
func (c *change) write(tx *sql.Tx, db *database, turn int64) error {
	if c == nil || c.empty() {
		return nil
	}
	if c.older {
		if _, err := tx.Exec(`DELETE FROM content WHERE turn = ? AND n >= ?`, turn, c.from); err != nil {
			return err
		}
	}
	if c.from == len(c.all.bodies) {
		return nil
	}
	insert := tx.Stmt(db.steps.content)
	for i, body := range c.all.bodies[c.from:] {
		if _, err := insert.Exec(turn, c.from+i, body); err != nil {
			return err
		}
	}
	return nil
}

// done records that the recorder has accepted the contents.
func (c *change) done(r *Recorder) {
	if c != nil {
		r.contents = c.all
	}
}

func encodeContent(c *genai.Content) (string, error) {
	if c == nil {
		return "", errors.New("it is empty")
	}
	for i, p := range c.Parts {
		if p == nil {
			return "", fmt.Errorf("part %d is empty", i+1)
		}
	}
	body, err := json.Marshal(c)
	return string(body), err
}

// decodeContent decodes a content. It keeps every digit of the numbers in calls and responses.
func decodeContent(body []byte, c any) error {
	if bytes.Contains(body, []byte(`"function`)) {
		return exact.Decode(body, c)
	}
	return json.Unmarshal(body, c)
}

// End records that the turn has ended, and the error with which it failed, if any. After a success the
// recorder accepts no more data, and ending again does nothing.
func (r *Recorder) End(ctx context.Context, failed error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != running {
		return nil
	}
	var failure string
	if failed != nil {
		failure = failed.Error()
	}
	ends := r.base.clock()
	now := ends.UnixNano()
	r.phase, r.draft.ended, r.draft.failure = ending, ends, failure
	err := r.write(ctx, "ending the turn", func(tx *sql.Tx, _ *row) error {
		result, err := tx.Exec(`UPDATE turn SET ended = ?, error = ? WHERE seq = ?`, now, failure, r.turn)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(ErrNotFound, err)
		}
		if context.Cause(ctx) == agent.ErrQuit { // the user may have used another conversation since then
			return indexTurn(context.WithoutCancel(ctx), tx, r.turn)
		}
		if _, err := tx.Exec(`
			UPDATE conversation SET updated = ?, used = `+nextUseSQL+` WHERE seq = (SELECT conversation FROM turn WHERE seq = ?)`, now, r.turn); err != nil {
			return err
		}
		return indexTurn(context.WithoutCancel(ctx), tx, r.turn)
	})
	switch {
	case errors.Is(err, ErrNotFound):
		r.finish()
	case err != nil && !errors.Is(err, ErrPending):
		r.phase = running
	}
	return err
}

// close writes the queue and leaves the turn without an end. If busy is not nil, another process has
// locked the database, and close does not try to write.
func (r *Recorder) close(busy error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase == ended {
		return nil
	}
	var err error
	r.locked = busy
	if !r.queue.empty() {
		err = r.write(context.Background(), "recording text", nil)
	}
	r.finish()
	return err
}

// finish ends the recorder. The caller holds mu.
func (r *Recorder) finish() {
	r.phase = ended
	r.pending.markWritten(r)
	if r.timer != nil && r.timer.Stop() {
		r.pending.timers.Done()
	}
	r.pending.remove(r)
}
