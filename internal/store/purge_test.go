package store

import (
	"context"
	"database/sql"
	"time"
)

// Purge lets tests purge at a time that they choose.
func (s *Store) Purge(ctx context.Context, before time.Time) error {
	return s.base.commit(ctx, purging, func(tx *sql.Tx) error { return purge(ctx, tx, before) })
}
