package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"google.golang.org/genai"
)

// The name and the version of the format that ExportJSON writes.
const (
	format        = "goated conversations"
	formatVersion = 1
)

// A document is the contents of a file that ExportJSON writes and Import reads.
type document struct {
	Format        string     `json:"format"`
	Version       int        `json:"version"`
	Conversations []exported `json:"conversations"`
}

// An exported is a conversation with its whole tree. Each turn comes after its parent.
type exported struct {
	ID      string         `json:"id"`
	Title   string         `json:"title"`
	Renamed bool           `json:"renamed,omitempty"`
	Created time.Time      `json:"created"`
	Updated time.Time      `json:"updated"`
	Pinned  bool           `json:"pinned,omitempty"`
	Draft   string         `json:"draft,omitempty"`
	Unsent  []*genai.Part  `json:"unsent,omitempty"` // the files attached to the draft
	Choices Choices        `json:"choices,omitzero"`
	Active  string         `json:"active,omitempty"`
	Turns   []exportedTurn `json:"turns"`
}

type exportedTurn struct {
	ID       string            `json:"id"`
	Parent   string            `json:"parent,omitempty"`
	User     json.RawMessage   `json:"user"`
	Events   []json.RawMessage `json:"events"`
	Contents []json.RawMessage `json:"contents"`
	Started  time.Time         `json:"started"`
	Ended    *time.Time        `json:"ended,omitempty"`
	Error    string            `json:"error,omitempty"`
}

// ExportJSON writes the conversations with the given ids, or all conversations if no ids are given. It
// includes all their branches and unsent messages. Import reads the format.
func (s *Store) ExportJSON(ctx context.Context, w io.Writer, ids ...string) error {
	s.pending.flush()
	return s.base.read(ctx, "exporting", func(tx *sql.Tx) error {
		seqs, err := selectRows(ctx, tx, ids)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, `{"format":%q,"version":%d,"conversations":[`, format, formatVersion); err != nil {
			return err
		}
		for i, seq := range seqs {
			c, err := exportConversation(ctx, tx, seq)
			if err != nil {
				return err
			}
			data, err := json.Marshal(c)
			if err != nil {
				return err
			}
			if i > 0 {
				data = append([]byte(","), data...)
			}
			if _, err := w.Write(append([]byte("\n"), data...)); err != nil {
				return err
			}
		}
		_, err = io.WriteString(w, "\n]}\n")
		return err
	})
}

// selectRows returns the rows of the conversations with ids, or of all conversations.
func selectRows(ctx context.Context, tx *sql.Tx, ids []string) ([]int64, error) {
	var seqs []int64
	for _, id := range ids {
		seq, err := findConversation(ctx, tx, id)
		if err != nil {
			return nil, fmt.Errorf("conversation %s: %w", id, err)
		}
		seqs = append(seqs, seq)
	}
	if len(ids) > 0 {
		return seqs, nil
	}
	rows, err := tx.QueryContext(ctx, `SELECT seq FROM conversation WHERE deleted IS NULL ORDER BY seq`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var seq int64
		if err := rows.Scan(&seq); err != nil {
			return nil, err
		}
		seqs = append(seqs, seq)
	}
	return seqs, rows.Err()
}

func exportConversation(ctx context.Context, tx *sql.Tx, seq int64) (exported, error) {
	c := exported{Turns: []exportedTurn{}}
	var created, updated int64
	var choices string
	err := tx.QueryRowContext(ctx, `
		SELECT c.id, c.title, c.renamed, c.created, c.updated, c.pinned, c.draft, c.choices, coalesce(t.id, '')
		FROM conversation c LEFT JOIN turn t ON t.seq = c.active WHERE c.seq = ?`, seq).
		Scan(&c.ID, &c.Title, &c.Renamed, &created, &updated, &c.Pinned, &c.Draft, &choices, &c.Active)
	if err != nil {
		return c, err
	}
	c.Choices = decodeChoices(choices)
	c.Created, c.Updated = time.Unix(0, created).UTC(), time.Unix(0, updated).UTC()
	if c.Unsent, err = readUnsent(ctx, tx, seq); err != nil {
		return c, err
	}
	nodes, err := tree(ctx, tx, seq)
	if err != nil {
		return c, err
	}
	all, err := readTurns(ctx, tx, nodes)
	if err != nil {
		return c, err
	}
	for _, t := range all {
		e, err := exportTurn(t)
		if err != nil {
			return c, fmt.Errorf("turn %s: %w", t.ID, err)
		}
		c.Turns = append(c.Turns, e)
	}
	return c, nil
}
