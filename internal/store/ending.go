package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"google.golang.org/genai"
)

// Contents writes down what the turn has added to the model's history so far.
// It takes all of it each time, and writes what is new or has changed.
func (r *Recorder) Contents(ctx context.Context, contents []*genai.Content) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ending || r.ended {
		return fmt.Errorf("recording contents: %w", ErrEnded)
	}
	bodies := make([]string, len(contents))
	for i, c := range contents {
		body, err := encodeContent(c)
		if err != nil {
			return fmt.Errorf("recording content %d: %w", i+1, err)
		}
		bodies[i] = body
	}
	same := 0
	for same < min(len(bodies), len(r.contents)) && bodies[same] == r.contents[same] {
		same++
	}
	if same == len(bodies) && same == len(r.contents) {
		return nil
	}
	err := r.put(ctx, "recording contents", func(tx *sql.Tx, _ *row) error {
		if _, err := tx.Exec(`DELETE FROM content WHERE turn = ? AND n >= ?`, r.turn, same); err != nil {
			return err
		}
		for i, body := range bodies[same:] {
			if _, err := tx.Exec(`INSERT INTO content (turn, n, body) VALUES (?, ?, ?)`, r.turn, same+i, body); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil || errors.Is(err, ErrHeld) {
		r.contents = bodies
	}
	return err
}

func encodeContent(c *genai.Content) (string, error) {
	if c == nil {
		return "", errors.New("it is empty")
	}
	if _, err := encodeParts(c.Parts); err != nil {
		return "", err
	}
	body, err := json.Marshal(c)
	return string(body), err
}

// End writes down that the turn has ended, and the error that ended it, if one
// did. Once it has succeeded, nothing more is recorded; ending again does
// nothing.
func (r *Recorder) End(ctx context.Context, ended error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ending || r.ended {
		return nil
	}
	var failure string
	if ended != nil {
		failure = ended.Error()
	}
	ends := r.store.now()
	now := ends.UnixNano()
	r.ending, r.draft.ended, r.draft.failure = true, ends, failure
	err := r.put(ctx, "ending the turn", func(tx *sql.Tx, _ *row) error {
		result, err := tx.Exec(`UPDATE turn SET ended = ?, error = ? WHERE seq = ?`, now, failure, r.turn)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(ErrNotFound, err)
		}
		if _, err := tx.Exec(`
			UPDATE conversation SET updated = ?, used = `+nextUse+` WHERE seq = (SELECT conversation FROM turn WHERE seq = ?)`, now, r.turn); err != nil {
			return err
		}
		return index(context.WithoutCancel(ctx), tx, r.turn)
	})
	switch {
	case errors.Is(err, ErrNotFound):
		r.leave()
	case err != nil && !errors.Is(err, ErrHeld):
		r.ending = false
		return err
	}
	return err
}

// close writes what is held back, and leaves the turn without an end. With busy,
// which says why another process lets nothing be written, it does not try.
func (r *Recorder) close(busy error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return nil
	}
	var err error
	r.busy = busy
	if len(r.held)+len(r.steps) > 0 {
		err = r.put(context.Background(), "recording what was held", nil)
	}
	r.leave()
	return err
}

func (r *Recorder) leave() {
	r.ended = true
	r.store.wrote(r)
	if r.timer != nil && r.timer.Stop() {
		r.store.timers.Done()
	}
	r.store.mu.Lock()
	defer r.store.mu.Unlock()
	delete(r.store.recorders, r)
}
