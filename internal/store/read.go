package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"time"

	"google.golang.org/genai"

	"goated/agent"
)

// readTurns reads turns. nodes must be in the order of their rows.
func readTurns(ctx context.Context, tx *sql.Tx, nodes []node) ([]Turn, error) {
	seqs := make([]int64, len(nodes))
	for i, n := range nodes {
		seqs[i] = n.seq
	}
	all, users := make([]Turn, 0, len(nodes)), make([][]byte, 0, len(nodes))
	rows, err := tx.QueryContext(ctx, `
		SELECT t.id, coalesce(p.id, ''), t.user, t.started, coalesce(t.ended, 0), t.error
		FROM turn t LEFT JOIN turn p ON p.seq = t.parent
		WHERE t.seq IN (SELECT value FROM json_each(?)) ORDER BY t.seq`, jsonList(seqs))
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
	var messages sync.WaitGroup
	defer messages.Wait()
	var failed error
	messages.Go(func() { // runs while the events are read
		for i, user := range users {
			if err := json.Unmarshal(user, &all[i].User); err != nil {
				failed = fmt.Errorf("decoding the message of turn %s: %w", all[i].ID, err)
				return
			}
		}
	})
	events, err := readEvents(ctx, tx, seqs)
	if err != nil {
		return nil, err
	}
	contents, err := readContents(ctx, tx, seqs)
	if err != nil {
		return nil, err
	}
	messages.Wait()
	if failed != nil {
		return nil, failed
	}
	for i, seq := range seqs {
		all[i].Events, all[i].Contents = events[seq], contents[seq]
	}
	return all, nil
}

// jsonList returns an argument for json_each.
func jsonList(seqs []int64) string {
	text, _ := json.Marshal(seqs) // integers always encode
	return string(text)
}

func readEvents(ctx context.Context, tx *sql.Tx, turns []int64) (map[int64][]agent.Event, error) {
	all := make(map[int64][]agent.Event, len(turns))
	err := readBodies(ctx, tx, `event`, turns, agent.DecodeEvent, func(turn int64, e agent.Event) {
		all[turn] = appendEvent(all[turn], e)
	})
	return all, err
}

func readContents(ctx context.Context, tx *sql.Tx, turns []int64) (map[int64][]*genai.Content, error) {
	all := make(map[int64][]*genai.Content, len(turns))
	err := readBodies(ctx, tx, `content`, turns, func(body []byte) (*genai.Content, error) {
		c := &genai.Content{}
		return c, decodeContent(body, c)
	}, func(turn int64, c *genai.Content) { all[turn] = append(all[turn], c) })
	return all, err
}

// batchSize is how many rows a goroutine decodes at a time.
const batchSize = 256

// A batch is a group of rows and their decoded values.
type batch[T any] struct {
	turns  []int64
	bodies [][]byte
	values []T
	err    error
}

// readBodies reads the rows of turns from a table, and calls each with the decoded values in order.
// Decoding takes twice as long as reading, so other goroutines decode.
func readBodies[T any](ctx context.Context, tx *sql.Tx, table string, turns []int64, decode func([]byte) (T, error), each func(int64, T)) error {
	rows, err := tx.QueryContext(ctx, `
		SELECT turn, body FROM `+table+` WHERE turn IN (SELECT value FROM json_each(?)) ORDER BY turn, n`, jsonList(turns))
	if err != nil {
		return err
	}
	defer rows.Close()
	var decoding sync.WaitGroup
	defer decoding.Wait()
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
		decoding.Go(func() {
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
	decoding.Wait()
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

// appendEvent appends an event. It joins a piece of text to the preceding piece.
func appendEvent(events []agent.Event, e agent.Event) []agent.Event {
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
