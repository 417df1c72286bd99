package store

import (
	"context"
	"database/sql"
	"time"
)

// Delete removes a conversation from the list. Undelete can restore it until [Open] purges it after
// [retention]. A running turn continues to be recorded.
func (s *Store) Delete(ctx context.Context, id string) error {
	return s.update(ctx, "deleting a conversation", id, func(tx *sql.Tx, seq int64) error {
		seen, err := s.base.clock.observe(ctx, tx)
		if err != nil {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE conversation SET deleted = ? WHERE seq = ?`, seen, seq)
		return err
	})
}

// Undelete restores a deleted conversation. It does nothing if the conversation is not deleted.
func (s *Store) Undelete(ctx context.Context, id string) error {
	return s.base.commit(ctx, "restoring a conversation", func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `UPDATE conversation SET deleted = NULL WHERE id = ? AND deleted IS NOT NULL`, id)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); n > 0 || err != nil {
			return err
		}
		_, err = findConversation(ctx, tx, id)
		return err
	})
}

// purging names the operation in errors.
const purging = "purging deleted conversations"

// purge removes the conversations and turns that were deleted before a time, with everything that
// belongs to them. The time comes from the store's own clock, which lags behind the system clock if
// that one jumps.
func purge(ctx context.Context, tx *sql.Tx, before time.Time) error {
	gone := int64(0)
	// The descendants of a turn are deleted with it or before it, so none of them remains without its
	// parent.
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
	// The search index only marks deleted text. Rebuilding the index removes the text. FTS5's
	// secure-delete option would make each turn ten times slower.
	_, err := tx.ExecContext(ctx, `INSERT INTO search (search) VALUES ('optimize')`)
	return err
}
