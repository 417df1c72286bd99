package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"google.golang.org/genai"

	"goated/agent"
)

// A Thread is a conversation with the branch that is shown.
type Thread struct {
	Conversation Conversation
	Turns        []Turn // from the first to the active one
}

// A Turn is what followed from one message of the user.
type Turn struct {
	ID       string
	Parent   string           // empty: it is a first turn
	User     []*genai.Part    // what the user said
	Events   []agent.Event    // pieces of one text are joined
	Contents []*genai.Content // what it added to the model's history
	Started  time.Time
	Ended    time.Time // zero: it goes on, or was interrupted
	Error    string    // that ended it; may be empty

	Siblings []string // ids of all turns with this parent, the eldest first
	Index    int      // of this turn among them
	Alike    []int    // for each of them, the first of them that said the same
}

// Thread reads a conversation, with all that has been recorded of it.
func (s *Store) Thread(ctx context.Context, id string) (Thread, error) {
	s.settle()
	var t Thread
	err := s.read(ctx, "reading a conversation", func(tx *sql.Tx) (err error) {
		t.Conversation, err = scanConversation(tx.QueryRowContext(ctx, selectConversation+` AND c.id = ?`, id).Scan)
		if err != nil {
			return missing(err)
		}
		seq, err := find(ctx, tx, id)
		if err != nil {
			return err
		}
		nodes, err := tree(ctx, tx, seq)
		if err != nil {
			return err
		}
		b := branchTo(nodes, t.Conversation.Active)
		if t.Turns, err = turns(ctx, tx, b.path); err != nil {
			return err
		}
		alike, err := alike(ctx, tx, b.siblings)
		if err != nil {
			return err
		}
		for i, n := range b.path {
			t.Turns[i].Alike = alike[n.parent]
			t.Turns[i].Siblings = b.siblings[n.parent]
			t.Turns[i].Index = slices.Index(b.siblings[n.parent], n.id)
		}
		return nil
	})
	return t, err
}

// alike says of siblings, by their parent's number, which said the same: each has
// the index of the first that did.
func alike(ctx context.Context, tx *sql.Tx, siblings map[int64][]string) (map[int64][]int, error) {
	all := make(map[int64][]int, len(siblings))
	var several []string
	for parent, ids := range siblings {
		all[parent] = make([]int, len(ids))
		if len(ids) > 1 {
			several = append(several, ids...)
		}
	}
	if len(several) == 0 {
		return all, nil
	}
	ids, err := json.Marshal(several)
	if err != nil {
		return nil, err
	}
	rows, err := tx.QueryContext(ctx, `
		SELECT t.id, coalesce(t.parent, 0), f.id FROM turn t JOIN turn f ON f.seq = (
			SELECT min(o.seq) FROM turn o
			WHERE o.conversation = t.conversation AND o.parent IS t.parent AND o.user = t.user AND o.deleted IS NULL)
		WHERE t.id IN (SELECT value FROM json_each(?))`, string(ids))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id, first string
		var parent int64
		if err := rows.Scan(&id, &parent, &first); err != nil {
			return nil, err
		}
		all[parent][slices.Index(siblings[parent], id)] = slices.Index(siblings[parent], first)
	}
	return all, rows.Err()
}

// turns reads turns, which are in the order of their numbers.
func turns(ctx context.Context, tx *sql.Tx, nodes []node) ([]Turn, error) {
	seqs := make([]int64, len(nodes))
	for i, n := range nodes {
		seqs[i] = n.seq
	}
	all := make([]Turn, 0, len(nodes))
	rows, err := tx.QueryContext(ctx, `
		SELECT t.id, coalesce(p.id, ''), t.user, t.started, coalesce(t.ended, 0), t.error
		FROM turn t LEFT JOIN turn p ON p.seq = t.parent
		WHERE t.seq IN (SELECT value FROM json_each(?)) ORDER BY t.seq`, list(seqs))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var t Turn
		var user sql.RawBytes
		var started, ended int64
		if err := rows.Scan(&t.ID, &t.Parent, &user, &started, &ended, &t.Error); err != nil {
			return nil, err
		}
		if err := json.Unmarshal(user, &t.User); err != nil {
			return nil, fmt.Errorf("decoding what the user said in turn %s: %w", t.ID, err)
		}
		t.Started = time.Unix(0, started)
		if ended != 0 {
			t.Ended = time.Unix(0, ended)
		}
		all = append(all, t)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	events, err := eventsOf(ctx, tx, seqs)
	if err != nil {
		return nil, err
	}
	contents, err := contentsOf(ctx, tx, seqs)
	if err != nil {
		return nil, err
	}
	for i, seq := range seqs {
		all[i].Events, all[i].Contents = events[seq], contents[seq]
	}
	return all, nil
}

// list is the argument of json_each.
func list(seqs []int64) string {
	text, _ := json.Marshal(seqs) // numbers can't fail
	return string(text)
}

func eventsOf(ctx context.Context, tx *sql.Tx, turns []int64) (map[int64][]agent.Event, error) {
	all := make(map[int64][]agent.Event, len(turns))
	err := bodies(ctx, tx, `event`, turns, func(turn int64, body []byte) error {
		e, err := agent.DecodeEvent(body)
		all[turn] = coalesce(all[turn], e)
		return err
	})
	return all, err
}

func contentsOf(ctx context.Context, tx *sql.Tx, turns []int64) (map[int64][]*genai.Content, error) {
	all := make(map[int64][]*genai.Content, len(turns))
	err := bodies(ctx, tx, `content`, turns, func(turn int64, body []byte) error {
		c := &genai.Content{}
		all[turn] = append(all[turn], c)
		return json.Unmarshal(body, c)
	})
	return all, err
}

// bodies reads the rows of turns in order. A body is not to be kept.
func bodies(ctx context.Context, tx *sql.Tx, table string, turns []int64, each func(turn int64, body []byte) error) error {
	rows, err := tx.QueryContext(ctx, `
		SELECT turn, body FROM `+table+` WHERE turn IN (SELECT value FROM json_each(?)) ORDER BY turn, n`, list(turns))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var turn int64
		var body sql.RawBytes
		if err := rows.Scan(&turn, &body); err != nil {
			return err
		}
		if err := each(turn, body); err != nil {
			return fmt.Errorf("decoding %s: %w", table, err)
		}
	}
	return rows.Err()
}

// coalesce appends an event, and joins pieces of one text.
func coalesce(events []agent.Event, e agent.Event) []agent.Event {
	if len(events) > 0 {
		switch last := events[len(events)-1].(type) {
		case agent.TextDelta:
			if e, ok := e.(agent.TextDelta); ok {
				events[len(events)-1] = agent.TextDelta{Text: last.Text + e.Text}
				return events
			}
		case agent.ThoughtDelta:
			if e, ok := e.(agent.ThoughtDelta); ok {
				events[len(events)-1] = agent.ThoughtDelta{Text: last.Text + e.Text}
				return events
			}
		}
	}
	return append(events, e)
}
