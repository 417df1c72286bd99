package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"google.golang.org/genai"

	"goated/agent"
)

// textOf is the text of a message.
func textOf(parts []*genai.Part) string {
	var lines []string
	for _, p := range parts {
		if p.Text != "" && !p.Thought {
			lines = append(lines, p.Text)
		}
	}
	return strings.Join(lines, "\n")
}

// answers are what the model said in a turn, between its calls of tools.
func answers(events []agent.Event) []string {
	var all []string
	open := false
	for _, e := range events {
		switch e := e.(type) {
		case agent.TextDelta:
			if !open {
				all, open = append(all, ""), true
			}
			all[len(all)-1] += e.Text
		case agent.ToolCalled:
			open = false
		case agent.ThoughtDelta, agent.ToolDecided, agent.ToolReturned, agent.TurnEnded:
		}
	}
	return slices.DeleteFunc(all, func(text string) bool { return strings.TrimSpace(text) == "" })
}

// transcript is the text of a turn that can be searched.
func transcript(user []*genai.Part, events []agent.Event) string {
	texts := answers(events)
	if said := textOf(user); said != "" {
		texts = slices.Insert(texts, 0, said)
	}
	return strings.Join(texts, "\n")
}

// preview is the beginning of the last message of a turn.
func preview(user []*genai.Part, events []agent.Event) string {
	last := textOf(user)
	if all := answers(events); len(all) > 0 {
		last = all[len(all)-1]
	}
	if len(last) > 16*maxPreview {
		last = last[:16*maxPreview] // no more of it can matter, and it may be a megabyte
	}
	runes := []rune(clean(last))
	return string(runes[:min(len(runes), maxPreview)])
}

// fold makes texts equal that differ in case only. It keeps the number of
// characters, so that a place in the folded text is one in the text, and makes
// the same of bytes that are none as JSON does.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0:
			return ' ' // where SQLite would end the text
		case r <= unicode.MaxASCII:
			return unicode.ToUpper(r)
		}
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, text)
}

// index brings up to date what is derived from a turn: the text that is
// searched, and the preview if the turn is the active one.
func index(ctx context.Context, tx *sql.Tx, turn int64) error {
	var user string
	if err := tx.QueryRowContext(ctx, `SELECT user FROM turn WHERE seq = ?`, turn).Scan(&user); err != nil {
		return missing(err)
	}
	var parts []*genai.Part
	if err := json.Unmarshal([]byte(user), &parts); err != nil {
		return fmt.Errorf("decoding what the user said: %w", err)
	}
	events, err := eventsOf(ctx, tx, []int64{turn})
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `
		INSERT INTO said (turn, text) VALUES (?, ?)
		ON CONFLICT (turn) DO UPDATE SET text = excluded.text WHERE text <> excluded.text`,
		turn, fold(transcript(parts, events[turn]))); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE conversation SET preview = ? WHERE active = ?`, preview(parts, events[turn]), turn); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE turn SET stale = 0 WHERE seq = ? AND stale`, turn)
	return err
}

// catchUp indexes the turns whose process was ended before it could.
func (s *Store) catchUp(ctx context.Context) error {
	return s.commit(ctx, "catching up", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `SELECT seq FROM turn WHERE stale`)
		if err != nil {
			return err
		}
		defer rows.Close()
		var stale []int64
		for rows.Next() {
			var turn int64
			if err := rows.Scan(&turn); err != nil {
				return err
			}
			stale = append(stale, turn)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		for _, turn := range stale {
			if err := index(ctx, tx, turn); err != nil {
				return err
			}
		}
		return nil
	})
}
