package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"google.golang.org/genai"
	sqlite3 "modernc.org/sqlite/lib"

	lost "goated/internal/salvage"
)

// readOnly returns the URL of a database that this process only reads. Without a write-ahead log beside
// it, the file cannot change. The immutable option then keeps SQLite from creating a log and its index,
// which a reader could not remove.
func readOnly(path string) string {
	query := url.Values{"mode": {"ro"}, "_pragma": {"cell_size_check(on)"}}
	if _, err := os.Stat(path + "-wal"); errors.Is(err, fs.ErrNotExist) {
		query.Set("immutable", "1")
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query.Encode()}).String()
}

// salvage reads everything readable from a damaged database. A damaged page loses only the rows on it,
// even if the tree of a table needs that page. missing counts what cannot be read.
func salvage(ctx context.Context, path string) (doc document, missing int) {
	doc = document{Format: format, Version: formatVersion}
	rows, err := lost.Read(ctx, path)
	if err != nil {
		return doc, 0
	}
	at := make(map[int64]int) // indices of conversations in doc
	for _, seq := range slices.Sorted(maps.Keys(rows.Conversations)) {
		c := rows.Conversations[seq]
		if c.Deleted || utf8.RuneCountInString(c.Title) > maxTitle || !isStorableTime(c.Created) || !isStorableTime(c.Updated) {
			continue
		}
		e := exported{ID: c.ID, Title: c.Title, Renamed: c.Renamed, Created: c.Created, Updated: c.Updated, Pinned: c.Pinned, Draft: c.Draft, Choices: decodeChoices(c.Choices), Turns: []exportedTurn{}}
		var files []*genai.Part // the text index has rows of the same form
		if json.Unmarshal(rows.Unsent[seq], &files) == nil {
			if body, err := encodeParts(files); err == nil && body == string(rows.Unsent[seq]) {
				e.Unsent = files
			}
		}
		at[seq] = len(doc.Conversations)
		doc.Conversations = append(doc.Conversations, e)
	}
	kept, known := make(map[int64]bool), make(map[string]bool) // turns in doc, by row and by id
	for _, seq := range slices.Sorted(maps.Keys(rows.Turns)) {
		t := rows.Turns[seq]
		if t.Deleted || rows.Conversations[t.Conversation].Deleted {
			delete(rows.Damaged, seq)
			continue
		}
		e := exportedTurn{ID: t.ID, User: t.User, Started: t.Started, Ended: t.Ended, Error: t.Error}
		up := t.Parent
		for up != 0 && !kept[up] { // find the nearest ancestor that could be read
			if before := rows.Turns[up].Parent; before < up {
				up = before
			} else { // only damage can make a turn older than its parent
				up = 0
			}
		}
		if up != 0 {
			e.Parent = rows.Turns[up].ID
		}
		var events, contents bool
		e.Events, events = rows.Events[seq].InOrder()
		e.Contents, contents = rows.Contents[seq].InOrder()
		if !events || !contents {
			rows.Damaged[seq] = true
		}
		err := checkImportable(e)
		if err != nil { // keep at least the user's message
			rows.Damaged[seq], e.Events, e.Contents = true, []json.RawMessage{}, []json.RawMessage{}
			err = checkImportable(e)
		}
		if err != nil || known[e.ID] {
			rows.Damaged[seq] = true
			continue
		}
		place, ok := at[t.Conversation]
		if !ok { // its conversation cannot be read
			missing++
			place = len(doc.Conversations)
			at[t.Conversation] = place
			doc.Conversations = append(doc.Conversations, exported{ID: fmt.Sprintf("salvaged-%d", t.Conversation), Title: "Recovered conversation", Created: e.Started, Updated: e.Started, Turns: []exportedTurn{}})
		}
		kept[seq], known[e.ID] = true, true
		c := &doc.Conversations[place]
		c.Turns, c.Active = append(c.Turns, e), e.ID
	}
	if missing += len(rows.Damaged); missing == 0 && hasDamagedPage(ctx, path) {
		missing = 1
	}
	return doc, missing
}

// checkImportable returns the reason why a turn cannot be imported, or nil.
func checkImportable(e exportedTurn) error {
	t, err := importTurn(e)
	if err == nil {
		_, err = exportTurn(t)
	}
	return err
}

// hasDamagedPage reports whether a table has a damaged page. It skips the table of turns, because the other
// tables show which turns are missing.
func hasDamagedPage(ctx context.Context, path string) bool {
	db, err := sql.Open("sqlite", readOnly(path))
	if err != nil {
		return false
	}
	defer db.Close()
	for _, sum := range []string{"length(body)) FROM event", "length(body)) FROM content", "length(draft)) FROM conversation", "length(parts)) FROM unsent"} {
		var n sql.NullInt64
		if err := db.QueryRowContext(ctx, "SELECT sum("+sum).Scan(&n); code(err) == sqlite3.SQLITE_CORRUPT {
			return true
		}
	}
	return false
}

// recover imports everything readable from a damaged database. Its error reports how much that was.
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
		return fmt.Errorf("nothing in it could be read. %s", restoreAdvice(db.path))
	}
	if missing == 0 {
		return fmt.Errorf("all %d conversations in it could be read and are back", saved)
	}
	return fmt.Errorf("%d conversations in it could be read and are back; about %d parts are missing. %s", saved, missing, restoreAdvice(db.path))
}
