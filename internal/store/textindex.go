package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store/match"
)

// textOf joins the text parts of a message.
func textOf(parts []*genai.Part) string {
	var lines []string
	for _, p := range parts {
		if p.Text != "" && !p.Thought {
			lines = append(lines, p.Text)
		}
	}
	return strings.Join(lines, "\n")
}

// answers returns the model's texts in a turn, split at tool calls.
func answers(events []agent.Event) []string {
	var all []string
	open := false
	for _, e := range WithoutDiscarded(events) {
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

// transcript returns the text of a turn that Search searches.
func transcript(user []*genai.Part, events []agent.Event) string {
	texts := answers(events)
	if message := textOf(user); message != "" {
		texts = slices.Insert(texts, 0, message)
	}
	return strings.Join(texts, "\n")
}

// preview returns the start of the last message in a turn.
func preview(user []*genai.Part, events []agent.Event) string {
	last := textOf(user)
	if all := answers(events); len(all) > 0 {
		last = all[len(all)-1]
	}
	if len(last) > 16*maxPreview {
		last = last[:16*maxPreview] // enough for the preview; an answer may be a megabyte long
	}
	runes := []rune(OneLine(last))
	return string(runes[:min(len(runes), maxPreview)])
}

// indexTurn updates the data that is derived from a turn: its entry in the text index, and the
// conversation's preview if the turn is the active one.
func indexTurn(ctx context.Context, tx *sql.Tx, turn int64) error {
	var user string
	if err := tx.QueryRowContext(ctx, `SELECT user FROM turn WHERE seq = ?`, turn).Scan(&user); err != nil {
		return notFound(err)
	}
	var parts []*genai.Part
	if err := json.Unmarshal([]byte(user), &parts); err != nil {
		return fmt.Errorf("decoding the message: %w", err)
	}
	events, err := readSpoken(ctx, tx, turn)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `
		INSERT INTO said (turn, text) VALUES (?, ?)
		ON CONFLICT (turn) DO UPDATE SET text = excluded.text WHERE text <> excluded.text`,
		turn, match.Fold(transcript(parts, events))); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE conversation SET preview = ? WHERE active = ?`, preview(parts, events), turn); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE turn SET stale = 0 WHERE seq = ? AND stale`, turn)
	return err
}

// readSpoken reads the events that transcript and preview need: texts, tool calls between them, and
// discarded answers. It does not read the results of tools, which may be long.
func readSpoken(ctx context.Context, tx *sql.Tx, turn int64) ([]agent.Event, error) {
	const text, called, discarded = `{"type":"text",`, `{"type":"tool_called",`, `{"type":"answer_discarded",` // as agent.EncodeEvent begins
	rows, err := tx.QueryContext(ctx, `
		SELECT iif(substr(body, 1, length(?3)) = ?3, '', body) FROM event
		WHERE turn = ?1 AND (substr(body, 1, length(?2)) = ?2 OR substr(body, 1, length(?3)) = ?3 OR substr(body, 1, length(?4)) = ?4) ORDER BY n`,
		turn, text, called, discarded)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var events []agent.Event
	for rows.Next() {
		var body []byte
		if err := rows.Scan(&body); err != nil {
			return nil, err
		}
		var e agent.Event = agent.ToolCalled{}
		if len(body) > 0 {
			if e, err = agent.DecodeEvent(body); err != nil {
				return nil, err
			}
		}
		events = append(events, e)
	}
	return events, rows.Err()
}

// indexStale indexes the turns whose process ended before it indexed them.
func indexStale(ctx context.Context, tx *sql.Tx) error {
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
		if err := indexTurn(ctx, tx, turn); err != nil {
			return err
		}
	}
	return nil
}
