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

// An importer adds conversations in one transaction. It collects rows and writes many at
// once: the text index writes its changes after each statement. The zero value with a
// transaction is ready; finish writes the rest. It is not safe for concurrent use.
type importer struct {
	tx     *sql.Tx
	report func(done int) // after each flush, with the number of turns so far; nil: not wanted

	turns, events, contents, texts bulk
	active                         []activation
	taken                          map[string]bool // ids of turns in the database, and of those that this importer adds
	last                           int64           // row of the last turn
	done                           int
}

// An activation makes a turn the last one of what its conversation shows.
type activation struct {
	conversation, turn int64
	preview            string
}

// maxRows is how many turns an importer collects.
const maxRows = 5000

// add adds a conversation, and returns its id.
func (in *importer) add(ctx context.Context, c exported) (string, error) {
	switch {
	case utf8.RuneCountInString(c.Title) > maxTitle:
		return "", ErrTitle
	case !storable(c.Created), !storable(c.Updated):
		return "", errors.New("its times are out of range")
	}
	if err := in.begin(ctx); err != nil {
		return "", err
	}
	taken := 0
	if err := in.tx.QueryRowContext(ctx, `SELECT count(*) FROM conversation WHERE id = ?`, c.ID).Scan(&taken); err != nil {
		return "", err
	}
	id, err := fresh(c.ID, taken > 0)
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
	if err != nil && !errors.Is(err, ErrUnsent) { // files that find no place are left out
		return "", err
	}
	return id, in.tree(ctx, seq, c)
}

// begin prepares the importer.
func (in *importer) begin(ctx context.Context) error {
	if in.taken != nil {
		return nil
	}
	in.taken = make(map[string]bool)
	in.turns = bulk{into: "turn (seq, id, conversation, parent, started, ended, error, user)", columns: 8, rows: 250}
	in.events = bulk{into: "event (turn, n, body)", columns: 3, rows: 500}
	in.contents = bulk{into: "content (turn, n, body)", columns: 3, rows: 500}
	in.texts = bulk{into: "said (turn, text)", columns: 2}
	// AUTOINCREMENT never uses a row number again, nor may an import.
	return in.tx.QueryRowContext(ctx, `SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'turn'`).Scan(&in.last)
}

// tree adds the turns of a conversation. The active branch ends at the last turn below
// the active one.
func (in *importer) tree(ctx context.Context, conversation int64, c exported) error {
	if err := in.take(ctx, c.Turns); err != nil {
		return err
	}
	rows := make(map[string]int64) // by id in the file
	below := make(map[int64]bool)  // the active turn, and those below it
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
		if len(in.turns.args) >= maxRows*in.turns.columns {
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

// take finds the ids of turns that the database has already.
func (in *importer) take(ctx context.Context, turns []exportedTurn) error {
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

// A prepared turn is read, and written again as the database has it.
type prepared struct {
	turn      Turn
	canonical exportedTurn
	text      string // for the text index
	err       error
}

// prepare reads turns on another goroutine while the database writes earlier ones. The
// caller calls stop when it has read enough.
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

// turn adds a turn, which the file has under the id given, as the row in.last.
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
	id, err := fresh(t.ID, in.taken[t.ID])
	if err != nil {
		return err
	}
	in.last++
	in.taken[id], rows[given] = true, in.last
	in.turns.add(in.last, id, conversation, parent, t.Started.UnixNano(), ended, t.Error, string(p.canonical.User))
	for n, body := range p.canonical.Events {
		in.events.add(in.last, n, string(body))
	}
	for n, body := range p.canonical.Contents {
		in.contents.add(in.last, n, string(body))
	}
	in.texts.add(in.last, p.text)
	return nil
}

// flush writes what is collected.
func (in *importer) flush(ctx context.Context) error {
	in.done += len(in.turns.args) / cmp.Or(in.turns.columns, 1)
	for _, b := range []*bulk{&in.turns, &in.events, &in.contents} {
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

// finish writes the rest. The importer is not used afterwards.
func (in *importer) finish(ctx context.Context) error {
	if err := in.flush(ctx); err != nil {
		return err
	}
	return in.flushTexts(ctx)
}

const (
	// maxTexts is about how many texts the text index takes at a time.
	maxTexts = 10_000
	// manyTexts is how many are worth a large buffer.
	manyTexts = 1000
	// textBuffer and usualBuffer are the sizes of the text index's buffer, in bytes: for
	// an import, and FTS5's own.
	textBuffer, usualBuffer = 64 << 20, 1 << 20
	// usualMerge is FTS5's own number of parts that it merges: later writes do that, a
	// little each.
	usualMerge = 4
)

// flushTexts writes the texts to the text index. With its usual buffer, FTS5 would write
// a part of the index for each megabyte, and merge the parts again and again.
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

// A bulk is rows of a table that are inserted together.
type bulk struct {
	into    string // the table with its columns
	columns int
	rows    int       // of one statement, which is prepared once; 0: as many as there are
	whole   *sql.Stmt // inserts this many rows; nil before the first. It ends with the transaction
	args    []any
}

func (b *bulk) add(row ...any) { b.args = append(b.args, row...) }

// maxArgs is the largest number of arguments of a statement. SQLite takes 32,766.
const maxArgs = 30_000

// flush inserts the rows.
func (b *bulk) flush(ctx context.Context, tx *sql.Tx) (err error) {
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

// query inserts this many rows.
func (b *bulk) query(rows int) string {
	row := "(" + strings.Repeat("?,", b.columns-1) + "?)"
	return "INSERT INTO " + b.into + " VALUES " + strings.Repeat(row+",", rows-1) + row
}

// fresh returns id, or a new one if id is taken or is not a UUID.
func fresh(id string, taken bool) (string, error) {
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
