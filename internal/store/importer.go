package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/google/uuid"

	"goated/internal/store/match"
)

// An importer adds conversations in one transaction. It collects rows and writes many at once, because
// the text index writes its changes after each statement. Its zero value with a transaction is ready to
// use. finish writes the remaining rows. It is not safe for concurrent use.
type importer struct {
	tx     *sql.Tx
	report func(done int) // called after each flush with the number of turns so far; may be nil

	turns, events, contents, texts bulkInsert
	active                         []activation
	taken                          map[string]bool // ids of turns in the database, and of those that this importer adds
	last                           int64           // row number of the last turn
	done                           int
	bytes                          int // of the collected turns
}

// An activation makes a turn the end of its conversation's active branch.
type activation struct {
	conversation, turn int64
	preview            string
}

// maxRows is how many turns an importer collects before it writes them.
const maxRows = 5000

// maxBytes is about how many bytes of turns an importer collects before it writes them.
const maxBytes = 64 << 20

// add adds a conversation and returns its id.
func (in *importer) add(ctx context.Context, c exported) (string, error) {
	switch {
	case utf8.RuneCountInString(c.Title) > maxTitle:
		return "", ErrTitle
	case !isStorableTime(c.Created), !isStorableTime(c.Updated):
		return "", errors.New("its times are out of range")
	}
	if err := in.begin(ctx); err != nil {
		return "", err
	}
	taken := 0
	if err := in.tx.QueryRowContext(ctx, `SELECT count(*) FROM conversation WHERE id = ?`, c.ID).Scan(&taken); err != nil {
		return "", err
	}
	id, err := unusedID(c.ID, taken > 0)
	if err != nil {
		return "", err
	}
	choices, err := c.Choices.encode()
	if err != nil {
		return "", err
	}
	var seq int64
	err = in.tx.QueryRowContext(ctx, `
		INSERT INTO conversation (id, title, renamed, created, updated, pinned, draft, choices)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
		id, c.Title, c.Renamed, c.Created.UnixNano(), c.Updated.UnixNano(), c.Pinned, c.Draft, choices).Scan(&seq)
	if err == nil && len(c.Unsent) > 0 {
		err = setUnsent(ctx, in.tx, seq, c.Unsent)
	}
	if err != nil && !errors.Is(err, ErrUnsentTooLarge) { // files that exceed the limit are dropped
		return "", err
	}
	return id, in.tree(ctx, seq, c)
}

// begin initializes the importer.
func (in *importer) begin(ctx context.Context) error {
	if in.taken != nil {
		return nil
	}
	in.taken = make(map[string]bool)
	in.turns = bulkInsert{into: "turn (seq, id, conversation, parent, started, ended, error, user)", columns: 8, rows: 250}
	in.events = bulkInsert{into: "event (turn, n, body)", columns: 3, rows: 500}
	in.contents = bulkInsert{into: "content (turn, n, body)", columns: 3, rows: 500}
	in.texts = bulkInsert{into: "said (turn, text)", columns: 2}
	// AUTOINCREMENT never reuses a row number, so an import must not reuse one either.
	return in.tx.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'turn'`).Scan(&in.last)
}

// tree adds the turns of a conversation. The active branch ends at the last turn below the active turn.
func (in *importer) tree(ctx context.Context, conversation int64, c exported) error {
	if err := in.findTaken(ctx, c.Turns); err != nil {
		return err
	}
	rows := make(map[string]int64) // by the turn's id in the file
	below := make(map[int64]bool)  // the active turn, and the turns below it
	var leaf activation
	ready, stop := prepare(c.Turns)
	defer stop()
	for i, e := range c.Turns {
		p := <-ready
		if _, twice := rows[e.ID]; twice || e.ID == "" {
			return fmt.Errorf("turn %d: its id %q is not unique", i+1, e.ID)
		}
		if p.err == nil {
			p.err = in.turn(conversation, e.ID, p, rows)
		}
		if p.err != nil {
			return fmt.Errorf("turn %d: %w", i+1, p.err)
		}
		if e.ID == c.Active || below[rows[e.Parent]] {
			below[in.last] = true
			leaf = activation{conversation, in.last, preview(p.turn.User, p.turn.Events)}
		}
		if len(in.turns.args) >= maxRows*in.turns.columns || in.bytes >= maxBytes {
			if err := in.flush(ctx); err != nil {
				return err
			}
		}
	}
	if leaf.turn != 0 {
		in.active = append(in.active, leaf)
	} else if c.Active != "" {
		return fmt.Errorf("it has no turn %q, which should be the active one", c.Active)
	}
	return nil
}

// findTaken records the ids of turns that are already in the database.
func (in *importer) findTaken(ctx context.Context, turns []exportedTurn) error {
	ids := make([]string, len(turns))
	for i, t := range turns {
		ids[i] = t.ID
	}
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	rows, err := in.tx.QueryContext(ctx, `SELECT id FROM turn WHERE id IN (SELECT value FROM json_each(?))`, string(list))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return err
		}
		in.taken[id] = true
	}
	return rows.Err()
}

// A prepared turn is decoded and re-encoded in the form that the database stores.
type prepared struct {
	turn      Turn
	canonical exportedTurn
	text      string // text for the text index
	err       error
}

// prepare decodes turns on another goroutine while the database writes earlier ones. The caller calls
// stop when it needs no more.
func prepare(turns []exportedTurn) (ready <-chan prepared, stop func()) {
	out, end := make(chan prepared, 256), make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, e := range turns {
			var p prepared
			if p.turn, p.err = importTurn(e); p.err == nil {
				p.canonical, p.err = exportTurn(p.turn)
			}
			if p.err == nil { // a nil part has no text
				p.text = match.Fold(transcript(p.turn.User, p.turn.Events))
			}
			select {
			case out <- p:
			case <-end:
				return
			}
		}
	})
	return out, func() {
		close(end)
		wg.Wait()
	}
}

// turn adds a turn as row in.last. given is its id in the file.
func (in *importer) turn(conversation int64, given string, p prepared, rows map[string]int64) error {
	t := p.turn
	var parent, ended any
	if t.Parent != "" {
		n, ok := rows[t.Parent]
		if !ok {
			return errNoParent
		}
		parent = n
	}
	if !t.Ended.IsZero() {
		ended = t.Ended.UnixNano()
	}
	id, err := unusedID(t.ID, in.taken[t.ID])
	if err != nil {
		return err
	}
	in.last++
	in.taken[id], rows[given] = true, in.last
	in.turns.add(in.last, id, conversation, parent, t.Started.UnixNano(), ended, t.Error, string(p.canonical.User))
	for n, body := range p.canonical.Events {
		in.events.add(in.last, n, string(body))
		in.bytes += len(body)
	}
	for n, body := range p.canonical.Contents {
		in.contents.add(in.last, n, string(body))
		in.bytes += len(body)
	}
	in.texts.add(in.last, p.text)
	return nil
}

// flush writes the collected rows.
func (in *importer) flush(ctx context.Context) error {
	in.done += len(in.turns.args) / cmp.Or(in.turns.columns, 1)
	in.bytes = 0
	for _, b := range []*bulkInsert{&in.turns, &in.events, &in.contents} {
		if err := b.flush(ctx, in.tx); err != nil {
			return err
		}
	}
	if len(in.texts.args) >= maxTexts*in.texts.columns {
		if err := in.flushTexts(ctx); err != nil {
			return err
		}
	}
	for _, a := range in.active {
		if _, err := in.tx.ExecContext(ctx, `UPDATE conversation SET active = ?, preview = ? WHERE seq = ?`, a.turn, a.preview, a.conversation); err != nil {
			return err
		}
	}
	in.active = in.active[:0]
	if in.report != nil {
		in.report(in.done)
	}
	return nil
}

// finish writes the remaining rows. The importer must not be used afterwards.
func (in *importer) finish(ctx context.Context) error {
	if err := in.flush(ctx); err != nil {
		return err
	}
	return in.flushTexts(ctx)
}

const (
	// maxTexts is about how many texts the text index accepts at a time.
	maxTexts = 10_000
	// manyTexts is the number of texts from which a large buffer pays off.
	manyTexts = 1000
	// textBuffer and usualBuffer are the sizes of the text index's buffer in bytes: for an import, and
	// FTS5's default.
	textBuffer, usualBuffer = 64 << 20, 1 << 20
	// usualMerge is FTS5's default number of segments to merge. After an import, later writes merge
	// them gradually.
	usualMerge = 4
)

// flushTexts writes the texts to the text index. With its default buffer, FTS5 would write a segment of
// the index for each megabyte, and merge the segments again and again.
func (in *importer) flushTexts(ctx context.Context) error {
	if len(in.texts.args) < manyTexts*in.texts.columns {
		return in.texts.flush(ctx, in.tx)
	}
	set := func(buffer, parts int) error {
		_, err := in.tx.ExecContext(ctx, `INSERT INTO search (search, rank) VALUES ('hashsize', ?), ('automerge', ?)`, buffer, parts)
		return err
	}
	if err := set(textBuffer, 0); err != nil {
		return err
	}
	if err := in.texts.flush(ctx, in.tx); err != nil {
		return err
	}
	return set(usualBuffer, usualMerge)
}

// A bulkInsert collects rows of a table to insert them together.
type bulkInsert struct {
	into    string // the table with its columns
	columns int
	rows    int       // per statement, which is prepared once; 0 for as many as there are
	whole   *sql.Stmt // inserts this many rows; nil before the first use; it ends with the transaction
	args    []any
}

func (b *bulkInsert) add(row ...any) { b.args = append(b.args, row...) }

// maxArgs is the most arguments in a statement. SQLite allows 32,766.
const maxArgs = 30_000

// flush inserts the rows.
func (b *bulkInsert) flush(ctx context.Context, tx *sql.Tx) (err error) {
	if b.whole == nil && b.rows > 0 && len(b.args) >= b.rows*b.columns {
		if b.whole, err = tx.PrepareContext(ctx, b.query(b.rows)); err != nil {
			return err
		}
	}
	for len(b.args) > 0 {
		n := min(maxArgs, len(b.args)) / b.columns
		if b.whole != nil && n >= b.rows {
			n = b.rows
			_, err = b.whole.ExecContext(ctx, b.args[:n*b.columns]...)
		} else {
			_, err = tx.ExecContext(ctx, b.query(n), b.args[:n*b.columns]...)
		}
		if err != nil {
			return err
		}
		b.args = b.args[n*b.columns:]
	}
	b.args = nil
	return nil
}

// query returns the statement that inserts this many rows.
func (b *bulkInsert) query(rows int) string {
	row := "(" + strings.Repeat("?,", b.columns-1) + "?)"
	return "INSERT INTO " + b.into + " VALUES " + strings.Repeat(row+",", rows-1) + row
}

// unusedID returns id, or a new id if id is taken or not a UUID.
func unusedID(id string, taken bool) (string, error) {
	if !taken && len(id) == 36 && uuid.Validate(id) == nil {
		return id, nil
	}
	replacement, err := uuid.NewV7()
	return replacement.String(), err
}

// importOne adds one conversation.
func importOne(ctx context.Context, tx *sql.Tx, c exported) (string, error) {
	in := importer{tx: tx}
	id, err := in.add(ctx, c)
	if err != nil {
		return "", err
	}
	return id, in.finish(ctx)
}
