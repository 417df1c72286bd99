package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/google/uuid"
)

// MaxImport is the size of the largest file that Import reads, in bytes.
const MaxImport = 256 << 20

// Import adds the conversations of a file that ExportJSON wrote, and returns their
// ids. It replaces ids that exist already. An invalid file changes nothing, and the
// error says where the mistake is.
func (s *Store) Import(ctx context.Context, r io.Reader) ([]string, error) {
	doc, err := parse(r)
	if err != nil {
		return nil, fmt.Errorf("importing: %w", err)
	}
	var ids []string
	err = s.base.commit(ctx, "importing", func(tx *sql.Tx) error {
		for i, c := range doc.Conversations {
			id, err := importConversation(ctx, tx, c)
			if err != nil {
				return fmt.Errorf("conversation %d: %w", i+1, err)
			}
			ids = append(ids, id)
		}
		return orderByTime(ctx, tx, ids)
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// orderByTime puts conversations in the order of their times, after all others in use.
func orderByTime(ctx context.Context, tx *sql.Tx, ids []string) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `
		UPDATE conversation SET used = last + n
		FROM (SELECT seq AS same, row_number() OVER (ORDER BY updated, seq) AS n FROM conversation WHERE id IN (SELECT value FROM json_each(?))),
			(SELECT max(used) AS last FROM conversation)
		WHERE seq = same`, string(list))
	return err
}

func parse(r io.Reader) (document, error) {
	var doc document
	data, err := io.ReadAll(io.LimitReader(r, MaxImport+1))
	if err != nil {
		return doc, err
	}
	if len(data) > MaxImport {
		return doc, fmt.Errorf("the file is larger than %d MiB", MaxImport>>20)
	}
	if err := json.Unmarshal(data, &doc); err != nil {
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return doc, fmt.Errorf("byte %d: %w", syntax.Offset, err)
		}
		var mismatch *json.UnmarshalTypeError
		if errors.As(err, &mismatch) {
			return doc, fmt.Errorf("byte %d: %w", mismatch.Offset, err)
		}
		return doc, err
	}
	switch {
	case doc.Format != format:
		return doc, errors.New("goated did not export this file")
	case doc.Version > formatVersion:
		return doc, fmt.Errorf("%w (version %d)", ErrNewer, doc.Version)
	case doc.Version < 1:
		return doc, fmt.Errorf("the format has no version %d", doc.Version)
	}
	return doc, nil
}

func importConversation(ctx context.Context, tx *sql.Tx, c exported) (string, error) {
	switch {
	case utf8.RuneCountInString(c.Title) > maxTitle:
		return "", ErrTitle
	case !storable(c.Created), !storable(c.Updated):
		return "", errors.New("its times are out of range")
	}
	id, err := fresh(ctx, tx, `SELECT count(*) FROM conversation WHERE id = ?`, c.ID)
	if err != nil {
		return "", err
	}
	var seq int64
	err = tx.QueryRowContext(ctx, `
		INSERT INTO conversation (id, title, renamed, created, updated, pinned, draft)
		VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
		id, c.Title, c.Renamed, c.Created.UnixNano(), c.Updated.UnixNano(), c.Pinned, c.Draft).Scan(&seq)
	if err != nil {
		return "", err
	}
	numbers := make(map[string]int64) // rows by id in the file
	for i, e := range c.Turns {
		if _, twice := numbers[e.ID]; twice || e.ID == "" {
			return "", fmt.Errorf("turn %d: its id %q is not unique", i+1, e.ID)
		}
		if numbers[e.ID], err = insertTurn(ctx, tx, seq, e, numbers); err != nil {
			return "", fmt.Errorf("turn %d: %w", i+1, err)
		}
	}
	active, ok := numbers[c.Active]
	switch {
	case ok:
		return id, activate(ctx, tx, seq, active)
	case c.Active != "":
		return "", fmt.Errorf("it has no turn %q, which should be the active one", c.Active)
	}
	return id, nil
}

func insertTurn(ctx context.Context, tx *sql.Tx, conversation int64, e exportedTurn, numbers map[string]int64) (int64, error) {
	t, err := importTurn(e)
	if err != nil {
		return 0, err
	}
	var parent, ended any
	if t.Parent != "" {
		n, ok := numbers[t.Parent]
		if !ok {
			return 0, errNoParent
		}
		parent = n
	}
	if !t.Ended.IsZero() {
		ended = t.Ended.UnixNano()
	}
	id, err := fresh(ctx, tx, `SELECT count(*) FROM turn WHERE id = ?`, t.ID)
	if err != nil {
		return 0, err
	}
	canonical, err := exportTurn(t)
	if err != nil {
		return 0, err
	}
	var seq int64
	err = tx.QueryRowContext(ctx, `
		INSERT INTO turn (id, conversation, parent, started, ended, error, user)
		VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING seq`,
		id, conversation, parent, t.Started.UnixNano(), ended, t.Error, string(canonical.User)).Scan(&seq)
	if err != nil {
		return 0, err
	}
	for table, bodies := range map[string][]json.RawMessage{"event": canonical.Events, "content": canonical.Contents} {
		for n, body := range bodies {
			if _, err := tx.ExecContext(ctx, `INSERT INTO `+table+` (turn, n, body) VALUES (?, ?, ?)`, seq, n, string(body)); err != nil {
				return 0, err
			}
		}
	}
	return seq, indexTurn(ctx, tx, seq)
}

// fresh returns id, or a new one if id exists already or is not a UUID.
func fresh(ctx context.Context, tx *sql.Tx, count, id string) (string, error) {
	var taken int
	if err := tx.QueryRowContext(ctx, count, id).Scan(&taken); err != nil {
		return "", err
	}
	if taken == 0 && len(id) == 36 && uuid.Validate(id) == nil {
		return id, nil
	}
	replacement, err := uuid.NewV7()
	return replacement.String(), err
}

// IsExport reports whether r begins like a file that ExportJSON wrote.
func IsExport(r io.Reader) bool {
	d := json.NewDecoder(io.LimitReader(r, 4<<10))
	for _, want := range []json.Token{json.Delim('{'), "format", format} {
		if got, err := d.Token(); err != nil || got != want {
			return false
		}
	}
	return true
}
