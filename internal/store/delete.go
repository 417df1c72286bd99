package store

import (
	"context"
	"database/sql"
	"time"
)

// Delete takes a conversation off the list. Until [Open] purges it, [Retention]
// later, Undelete brings it back. A turn under way goes on being recorded.
func (s *Store) Delete(ctx context.Context, id string) error {
	return s.update(ctx, "deleting a conversation", id, func(tx *sql.Tx, seq int64) error {
		seen, err := s.observed(ctx, tx)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE conversation SET deleted = ? WHERE seq = ?`, seen, seq)
		return err
	})
}

// Undelete brings back a deleted conversation as it was.
func (s *Store) Undelete(ctx context.Context, id string) error {
	return s.commit(ctx, "bringing back a conversation", func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE conversation SET deleted = NULL WHERE id = ? AND deleted IS NOT NULL`, id)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); n > 0 || err != nil {
			return err
		}
		_, err = find(ctx, tx, id) // one that was not deleted is as it should be
		return err
	})
}

// Purge removes for good, with all that belongs to them, the conversations and
// turns that were deleted before a time of the clock that [Store.observed] reads.
func (s *Store) Purge(ctx context.Context, before time.Time) error {
	return s.commit(ctx, "purging what was deleted", func(tx *sql.Tx) error {
		gone := int64(0)
		// What followed a turn went with it or before it, so that none is left
		// without its parent.
		for _, table := range []string{"conversation", "turn"} {
			result, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE deleted < ?`, before.UnixNano())
			if err != nil {
				return err
			}
			n, err := result.RowsAffected()
			if err != nil {
				return err
			}
			gone += n
		}
		if gone == 0 {
			return nil
		}
		// The index only marks what is deleted. To write it anew makes it forget;
		// its own secure-delete makes each turn ten times as slow.
		_, err := tx.ExecContext(ctx, `INSERT INTO search (search) VALUES ('optimize')`)
		return err
	})
}
