package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"google.golang.org/genai"
)

// Contents writes the contents that the turn has added to the model's history so
// far. It takes all of them each time, and writes those that are new or changed.
func (r *Recorder) Contents(ctx context.Context, contents []*genai.Content) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.phase != running {
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
	err := r.write(ctx, "recording contents", func(tx *sql.Tx, _ *row) error {
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
	if err == nil || errors.Is(err, ErrPending) {
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

// End writes that the turn has ended, and with which error, if any. After a success
// the recorder takes nothing more, and ending again does nothing.
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
		if _, err := tx.Exec(`
			UPDATE conversation SET updated = ?, used = `+nextUse+` WHERE seq = (SELECT conversation FROM turn WHERE seq = ?)`, now, r.turn); err != nil {
			return err
		}
		return indexTurn(context.WithoutCancel(ctx), tx, r.turn)
	})
	switch {
	case errors.Is(err, ErrNotFound):
		r.leave()
	case err != nil && !errors.Is(err, ErrPending):
		r.phase = running
	}
	return err
}

// close writes the queue and leaves the turn without an end. If busy says that
// another process has locked the database, close does not try.
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
	r.leave()
	return err
}

// leave ends the recorder. The caller holds mu.
func (r *Recorder) leave() {
	r.phase = ended
	r.pending.wrote(r)
	if r.timer != nil && r.timer.Stop() {
		r.pending.timers.Done()
	}
	r.pending.remove(r)
}
