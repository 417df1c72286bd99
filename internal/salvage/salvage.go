// Package salvage finds goated's rows in a damaged history, even if the B-trees of its tables are
// damaged.
//
// It recognizes the tables of the history by the values in their rows, in each version of the
// tables. It must not know the meaning of a conversation.
package salvage

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"goated/internal/dbfile"
)

// A Conversation is a row of the table of conversations.
type Conversation struct {
	ID, Title, Draft string
	Choices          string // empty in old versions
	Renamed, Pinned  bool
	Deleted          bool
	Created, Updated time.Time
}

// A Turn is a row of the table of turns.
type Turn struct {
	ID                   string
	Conversation, Parent int64 // Parent is 0 if there is none
	Started              time.Time
	Ended                *time.Time
	Error                string
	User                 json.RawMessage
	Deleted              bool
}

// Rows contains all readable rows by row id. Bodies belong to turns.
type Rows struct {
	Conversations    map[int64]Conversation
	Turns            map[int64]Turn
	Events, Contents map[int64]bodies
	Unsent           map[int64][]byte // by conversation; may contain other texts that are lists
	Damaged          map[int64]bool   // turns that are incomplete
}

// bodies maps the number of a body in its turn to the body.
type bodies map[int64]json.RawMessage

// Read reads a history.
func Read(ctx context.Context, path string) (Rows, error) {
	r := Rows{
		Conversations: make(map[int64]Conversation), Turns: make(map[int64]Turn), Unsent: make(map[int64][]byte),
		Events: make(map[int64]bodies), Contents: make(map[int64]bodies), Damaged: make(map[int64]bool),
	}
	file, err := dbfile.Open(path)
	if err != nil {
		return r, err
	}
	defer file.Close()
	for row, err := range file.Rows() {
		if ctx.Err() != nil {
			return r, context.Cause(ctx)
		}
		if row.Table {
			r.take(row, err == nil)
		} else {
			r.body(row.Values, err == nil)
		}
	}
	for _, of := range []map[int64]bodies{r.Events, r.Contents} {
		for seq := range of {
			if _, ok := r.Turns[seq]; !ok {
				r.Damaged[seq] = true
			}
		}
	}
	return r, nil
}

// body stores a row that is an event or a content: a turn, a number and a text. No other row
// without a row id has these values.
func (r Rows) body(values []any, whole bool) {
	var seq, n int64
	var text string
	switch {
	case len(values) < 2 || len(values) > 3 || !assign(values, &seq, &n):
	case !whole: // an index entry is too small for an overflow page
		r.Damaged[seq] = true
	case !assign(values, &seq, &n, &text):
	case !json.Valid([]byte(text)):
		r.Damaged[seq] = true
	default:
		of := r.Contents
		if strings.HasPrefix(text, `{"type":`) {
			of = r.Events
		}
		if of[seq] == nil {
			of[seq] = make(bodies)
		}
		of[seq][n] = json.RawMessage(text)
	}
}

// take stores a row of a table with row ids. The first column is the row id.
func (r Rows) take(row dbfile.Row, whole bool) {
	var c Conversation
	var t Turn
	var renamed, pinned, created, updated, started, ended, n int64
	var text string
	switch v := row.Values; {
	case assign(v, nil, &t.ID, &t.Conversation, &t.Parent, &started, &ended, &t.Error, &n, &text):
		if t.Started, t.User = time.Unix(0, started).UTC(), json.RawMessage(text); ended != 0 {
			end := time.Unix(0, ended).UTC()
			t.Ended = &end
		}
		t.Deleted = len(v) > 9 && v[9] != nil // the first version has no such column
		if !whole || !json.Valid(t.User) {
			r.Damaged[row.ID] = true
			return
		}
		r.Turns[row.ID] = t
	case assign(v, nil, &c.ID, &c.Title, &renamed, &text, &created, &updated, &pinned, &c.Draft, &n, &n):
		c.Renamed, c.Pinned, c.Deleted = renamed != 0, pinned != 0, v[10] != nil
		c.Created, c.Updated = time.Unix(0, created).UTC(), time.Unix(0, updated).UTC()
		if len(v) > 13 {
			c.Choices, _ = v[13].(string)
		}
		r.Conversations[row.ID] = c
	case whole && len(v) == 2 && assign(v, nil, &text) && strings.HasPrefix(text, "[{"):
		r.Unsent[row.ID] = []byte(text)
	}
}

// assign stores the first values in pointers to int64 and string, and reports whether all of them
// fit. NULL becomes 0, and a nil pointer requires NULL.
func assign(values []any, into ...any) bool {
	if len(values) < len(into) {
		return false
	}
	for i, to := range into {
		ok := values[i] == nil
		switch to := to.(type) {
		case *int64:
			n, is := values[i].(int64)
			*to, ok = n, ok || is
		case *string:
			*to, ok = values[i].(string)
		}
		if !ok {
			return false
		}
	}
	return true
}

// InOrder returns the bodies up to the first missing one, and whether these are all.
func (b bodies) InOrder() (all []json.RawMessage, whole bool) {
	all = []json.RawMessage{}
	n := int64(0)
	if b[0] == nil {
		n = 1 // recorded bodies begin with 1, imported ones with 0
	}
	for ; b[n] != nil; n++ {
		all = append(all, b[n])
	}
	return all, len(all) == len(b)
}
