package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"

	"github.com/google/uuid"
	"google.golang.org/genai"
)

// Begin adds a turn after parent and makes it the active one. With an empty
// parent it is a first turn; where parent has turns already it is another branch.
// The first message titles the conversation. Without parts the turn goes on
// from what was said before, as [goated/agent.Session.Send] does.
//
// With [ErrHeld] there is a Recorder nonetheless: the turn waits in memory, as it
// does when ctx ends before the database of a store that [Start] made is open. The
// turn of a ctx that has ended is kept too: it was said.
func (s *Store) Begin(ctx context.Context, conversation, parent string, said []*genai.Part) (*Recorder, error) {
	user, err := encodeParts(said)
	if err != nil {
		return nil, fmt.Errorf("beginning a turn: %w", err)
	}
	id, err := uuid.NewV7()
	if err != nil {
		return nil, fmt.Errorf("beginning a turn: %w", err)
	}
	r := &Recorder{ID: id.String(), Title: titleOf(said), store: s, conversation: conversation, after: s.recorder(parent)}
	began := s.now()
	now := began.UnixNano()
	r.draft = draftTurn{parent: parent, user: user, started: began}
	r.mu.Lock()
	defer r.mu.Unlock()
	select {
	case <-s.opened: // what follows does not end with ctx
	case <-ctx.Done():
		r.busy = s.early()
	}
	var title string // a later try must not change r.Title, which the caller reads
	// It is written again where it could not be known whether it was.
	err = r.put(ctx, "beginning a turn", func(tx *sql.Tx, _ *row) error {
		seq, err := s.find(context.WithoutCancel(ctx), tx, conversation)
		if err != nil {
			return err
		}
		var after any
		if parent != "" {
			if after, err = findTurn(context.WithoutCancel(ctx), tx, seq, parent); err != nil {
				return err
			}
		}
		err = tx.QueryRow(`
			INSERT INTO turn (id, conversation, parent, started, user) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (id) DO UPDATE SET started = excluded.started RETURNING seq`,
			r.ID, seq, after, now, user).Scan(&r.turn)
		if err != nil {
			return err
		}
		err = tx.QueryRow(`
			UPDATE conversation SET active = ?1, updated = ?2, used = `+nextUse+`,
				title = iif(renamed OR ?3 = '' OR title <> '' AND ?4 IS NOT NULL, title, ?3)
			WHERE seq = ?5 RETURNING title`, r.turn, now, titleOf(said), after, seq).Scan(&title)
		if err != nil {
			return err
		}
		return index(context.WithoutCancel(ctx), tx, r.turn)
	})
	switch {
	case err == nil:
		r.Title = title
	case !errors.Is(err, ErrHeld):
		return nil, err
	}
	if !s.track(r) {
		r.leave() // nothing more can be kept
	}
	return r, err
}

// track has Close and readers know of a recorder. It reports false if the store is
// closed.
func (s *Store) track(r *Recorder) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.closed:
		return false
	default:
		s.recorders[r] = struct{}{}
		return true
	}
}

func encodeParts(parts []*genai.Part) (string, error) {
	if len(parts) == 0 {
		return "[]", nil
	}
	for i, p := range parts {
		if p == nil {
			return "", fmt.Errorf("part %d is empty", i+1)
		}
	}
	data, err := json.Marshal(parts)
	return string(data), err
}

// titleOf makes a title of a message: its first line with words, cut at a word.
func titleOf(said []*genai.Part) string {
	for line := range strings.Lines(textOf(said)) {
		if line = clean(line); line != "" {
			return cut(line, 60)
		}
	}
	return ""
}

// cut shortens a line to at most n characters, the last of them an ellipsis
// where something is missing. It cuts between words unless that loses half.
func cut(line string, n int) string {
	runes := []rune(line)
	if len(runes) <= n {
		return line
	}
	end := n - 1
	for i := end; i > n/2; i-- {
		if unicode.IsSpace(runes[i]) {
			end = i
			break
		}
	}
	return strings.TrimRightFunc(string(runes[:end]), unicode.IsSpace) + "…"
}
