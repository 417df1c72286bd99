package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"sync"
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
	all, users := make([]Turn, 0, len(nodes)), make([][]byte, 0, len(nodes))
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
		var user []byte
		var started, ended int64
		if err := rows.Scan(&t.ID, &t.Parent, &user, &started, &ended, &t.Error); err != nil {
			return nil, err
		}
		t.Started = time.Unix(0, started)
		if ended != 0 {
			t.Ended = time.Unix(0, ended)
		}
		all, users = append(all, t), append(users, user)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	var said sync.WaitGroup
	defer said.Wait()
	var failed error
	said.Go(func() { // beside the reading of what followed
		for i, user := range users {
			if err := json.Unmarshal(user, &all[i].User); err != nil {
				failed = fmt.Errorf("decoding what the user said in turn %s: %w", all[i].ID, err)
				return
			}
		}
	})
	events, err := eventsOf(ctx, tx, seqs)
	if err != nil {
		return nil, err
	}
	contents, err := contentsOf(ctx, tx, seqs)
	if err != nil {
		return nil, err
	}
	said.Wait()
	if failed != nil {
		return nil, failed
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
	err := decoded(ctx, tx, `event`, turns, agent.DecodeEvent, func(turn int64, e agent.Event) {
		all[turn] = coalesce(all[turn], e)
	})
	return all, err
}

func contentsOf(ctx context.Context, tx *sql.Tx, turns []int64) (map[int64][]*genai.Content, error) {
	all := make(map[int64][]*genai.Content, len(turns))
	err := decoded(ctx, tx, `content`, turns, func(body []byte) (*genai.Content, error) {
		c := &genai.Content{}
		return c, json.Unmarshal(body, c)
	}, func(turn int64, c *genai.Content) { all[turn] = append(all[turn], c) })
	return all, err
}

// batchSize is how many rows are decoded at a time, beside the reading.
const batchSize = 256

// A batch is some rows, and what they hold.
type batch[T any] struct {
	turns  []int64
	bodies [][]byte
	values []T
	err    error
}

// decoded reads the rows of turns, and gives what they hold to each, in order.
// Decoding takes twice as long as reading, so it happens beside it.
func decoded[T any](ctx context.Context, tx *sql.Tx, table string, turns []int64, decode func([]byte) (T, error), each func(int64, T)) error {
	rows, err := tx.QueryContext(ctx, `
		SELECT turn, body FROM `+table+` WHERE turn IN (SELECT value FROM json_each(?)) ORDER BY turn, n`, list(turns))
	if err != nil {
		return err
	}
	defer rows.Close()
	var under sync.WaitGroup
	defer under.Wait()
	processors := make(chan struct{}, runtime.GOMAXPROCS(0))
	var all []*batch[T]
	var next *batch[T]
	begin := func() {
		if next == nil {
			return
		}
		b := next
		all, next = append(all, b), nil
		processors <- struct{}{}
		under.Go(func() {
			defer func() { <-processors }()
			for _, body := range b.bodies {
				v, err := decode(body)
				if err != nil {
					b.err = fmt.Errorf("decoding %s: %w", table, err)
					return
				}
				b.values = append(b.values, v)
			}
		})
	}
	for rows.Next() {
		if next == nil {
			next = &batch[T]{}
		}
		var turn int64
		var body []byte
		if err := rows.Scan(&turn, &body); err != nil {
			return err
		}
		next.turns, next.bodies = append(next.turns, turn), append(next.bodies, body)
		if len(next.turns) == batchSize {
			begin()
		}
	}
	begin()
	if err := rows.Err(); err != nil {
		return err
	}
	under.Wait()
	for _, b := range all {
		if b.err != nil {
			return b.err
		}
		for i, v := range b.values {
			each(b.turns[i], v)
		}
	}
	return nil
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
