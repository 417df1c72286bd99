package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// readOnly is the source of a database that this process only reads. Without a
// write-ahead log beside it the file cannot change: immutable then keeps SQLite from
// making a log and an index of it, which a reader cannot remove.
func readOnly(path string) string {
	query := url.Values{"mode": {"ro"}, "_pragma": {"cell_size_check(on)"}}
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		query.Set("immutable", "1")
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.Encode()}).String()
}

// salvage reads everything readable of a damaged database, row by row: a damaged page
// costs the rows on it. missing counts rows that can't be read.
func salvage(ctx context.Context, path string) (doc document, missing int) {
	doc = document{Format: format, Version: formatVersion}
	db, err := sql.Open("sqlite", readOnly(path))
	if err != nil {
		return doc, 0
	}
	defer db.Close()
	at := make(map[int64]int)     // places in doc of conversations
	turns := make(map[int64]bool) // that are in doc
	ids := make(map[int64]string)
	parents := make(map[int64]int64)
	for seq := range rowsOf(ctx, db, "conversation") {
		var c exported
		var created, updated int64
		err := db.QueryRowContext(ctx, `SELECT id, title, renamed, created, updated, pinned, draft FROM conversation WHERE seq = ? AND deleted IS NULL`, seq).
			Scan(&c.ID, &c.Title, &c.Renamed, &created, &updated, &c.Pinned, &c.Draft)
		if err != nil {
			if corrupted(err) {
				missing++
			}
			continue
		}
		var choices string // a database of an older version has none
		if db.QueryRowContext(ctx, `SELECT choices FROM conversation WHERE seq = ?`, seq).Scan(&choices) == nil {
			c.Choices = decodeChoices(choices)
		}
		c.Created, c.Updated, c.Turns = time.Unix(0, created).UTC(), time.Unix(0, updated).UTC(), []exportedTurn{}
		at[seq] = len(doc.Conversations)
		doc.Conversations = append(doc.Conversations, c)
	}
	for seq := range rowsOf(ctx, db, "turn") {
		var e exportedTurn
		var conversation, started, parent, ended int64
		var user string
		err := db.QueryRowContext(ctx, `SELECT id, conversation, coalesce(parent, 0), started, coalesce(ended, 0), error, user FROM turn WHERE seq = ? AND deleted IS NULL`, seq).
			Scan(&e.ID, &conversation, &parent, &started, &ended, &e.Error, &user)
		if err != nil {
			if corrupted(err) {
				missing++
			}
			continue
		}
		parents[seq], ids[seq] = parent, e.ID
		place, ok := at[conversation]
		if !ok { // its conversation can't be read
			place = len(doc.Conversations)
			at[conversation] = place
			now := time.Unix(0, started).UTC()
			doc.Conversations = append(doc.Conversations, exported{ID: fmt.Sprintf("salvaged-%d", conversation), Title: "Recovered conversation", Created: now, Updated: now, Turns: []exportedTurn{}})
		}
		for parent != 0 && !turns[parent] { // the nearest one that could be read
			parent = parents[parent]
		}
		if parent != 0 {
			e.Parent = ids[parent]
		}
		e.Started, e.User = time.Unix(0, started).UTC(), json.RawMessage(user)
		if ended != 0 {
			t := time.Unix(0, ended).UTC()
			e.Ended = &t
		}
		var lost int
		e.Events, lost = bodies(ctx, db, "event", seq)
		missing += lost
		e.Contents, lost = bodies(ctx, db, "content", seq)
		missing += lost
		t, err := importTurn(e)
		if err == nil {
			_, err = exportTurn(t)
		}
		if err != nil {
			missing++
			continue
		}
		turns[seq] = true
		c := &doc.Conversations[place]
		c.Turns, c.Active = append(c.Turns, e), e.ID
	}
	return doc, missing
}

// maxSalvaged bounds the rows that salvage tries.
const maxSalvaged = 1 << 20

// rowsOf yields the possible row numbers of a table.
func rowsOf(ctx context.Context, db *sql.DB, table string) func(func(int64) bool) {
	return func(yield func(int64) bool) {
		last := int64(0)
		for _, query := range []string{`SELECT seq FROM sqlite_sequence WHERE name = '` + table + `'`, `SELECT max(seq) FROM ` + table} {
			var n sql.NullInt64
			if db.QueryRowContext(ctx, query).Scan(&n) == nil {
				last = max(last, n.Int64)
			}
		}
		for seq := max(1, last-maxSalvaged); seq <= last && ctx.Err() == nil; seq++ {
			if !yield(seq) {
				return
			}
		}
	}
}

// bodies reads the rows of a turn up to the first one that can't be read.
func bodies(ctx context.Context, db *sql.DB, table string, turn int64) (all []json.RawMessage, missing int) {
	all = []json.RawMessage{}
	rows, err := db.QueryContext(ctx, `SELECT body FROM `+table+` WHERE turn = ? ORDER BY n`, turn)
	if err != nil {
		return all, 1
	}
	defer rows.Close()
	for rows.Next() {
		var body string
		if rows.Scan(&body) != nil || !json.Valid([]byte(body)) {
			return all, 1
		}
		all = append(all, json.RawMessage(body))
	}
	if rows.Err() != nil {
		missing = 1
	}
	return all, missing
}

// recover imports everything readable of a damaged database, and says how much.
func (db *database) recover(ctx context.Context, kept string) error {
	doc, missing := salvage(ctx, kept)
	saved := 0
	for _, c := range doc.Conversations {
		err := db.commit(ctx, "recovering a conversation", func(tx *sql.Tx) error {
			id, err := importOne(ctx, tx, c)
			if err != nil {
				return err
			}
			return orderByTime(ctx, tx, []string{id})
		})
		if err != nil {
			missing++
			continue
		}
		saved++
	}
	if saved == 0 {
		return fmt.Errorf("nothing in it could be read. %s", offer(db.path))
	}
	if missing == 0 {
		return fmt.Errorf("all %d conversations in it could be read and are back", saved)
	}
	return fmt.Errorf("%d conversations in it could be read and are back; about %d parts are missing. %s", saved, missing, offer(db.path))
}
