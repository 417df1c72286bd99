package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
)

// Import adds the conversations from a file that ExportJSON wrote, and returns their ids. It replaces
// ids that already exist. An invalid file changes nothing, and the error contains the position of the
// mistake. It reads one conversation after the other, so the size of the file has no limit. progress may be
// nil. It is called from time to time on the caller's goroutine, with the number of finished turns and
// an estimate of the total.
func (s *Store) Import(ctx context.Context, r io.Reader, progress func(done, all int)) ([]string, error) {
	return s.importLimited(ctx, r, maxConversation, progress)
}

func (s *Store) importLimited(ctx context.Context, r io.Reader, limit int, progress func(done, all int)) (ids []string, err error) {
	file := newImportFile(r, limit)
	err = s.base.commit(ctx, "importing", func(tx *sql.Tx) (err error) {
		defer enlargeCache(ctx, tx)()
		ids, err = importFrom(ctx, tx, file, func(done int) {
			if progress != nil {
				progress(done, max(done, file.allTurns()))
			}
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return ids, nil
}

// The sizes of SQLite's cache in KiB: during an import, and the default. With the default, SQLite would
// write the pages of a large import to the disk and read them again three times.
const (
	importCache = 64 << 10
	usualCache  = 2000
)

// enlargeCache enlarges the cache of the transaction's connection until end is called.
func enlargeCache(ctx context.Context, tx *sql.Tx) (end func()) {
	set := func(kib int) {
		_, _ = tx.ExecContext(context.WithoutCancel(ctx), fmt.Sprintf("PRAGMA cache_size = -%d", kib)) // it affects only the speed
	}
	set(importCache)
	return func() { set(usualCache) }
}

// orderByTime makes conversations the last used ones, ordered by their times.
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

// IsExport reports whether r starts like a file that ExportJSON wrote.
func IsExport(r io.Reader) bool {
	d := json.NewDecoder(io.LimitReader(r, 4<<10))
	for _, want := range []json.Token{json.Delim('{'), "format", format} {
		if got, err := d.Token(); err != nil || got != want {
			return false
		}
	}
	return true
}
