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
		_, err := tx.ExecContext(ctx, `UPDATE conversation SET deleted = ? WHERE seq = ?`, time.Now().UnixNano(), seq)
		return err
	})
}

// Undelete brings back a deleted conversation as it was.
func (s *Store) Undelete(ctx context.Context, id string) error {
	return s.change(ctx, "bringing back a conversation", func(tx *sql.Tx) error {
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

// Purge removes for good, with all that belongs to them, the conversations that
// were deleted before a time.
func (s *Store) Purge(ctx context.Context, before time.Time) error {
	return s.commit(ctx, "purging deleted conversations", func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `DELETE FROM conversation WHERE deleted < ?`, before.UnixNano())
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); n == 0 || err != nil {
			return err
		}
		// The index only marks what is deleted. To write it anew makes it forget;
		// its own secure-delete makes each turn ten times as slow.
		_, err = tx.ExecContext(ctx, `INSERT INTO search (search) VALUES ('optimize')`)
		return err
	})
}

// subtree are a turn and its descendants.
const subtree = `
WITH RECURSIVE below (seq) AS (
	SELECT ?
	UNION ALL
	SELECT t.seq FROM below b JOIN turn t ON t.parent = b.seq
)`

// DeleteTurn removes a turn and all that follow it, for good. If they were
// shown, the sibling before it is, or else the one after it, or its parent.
func (s *Store) DeleteTurn(ctx context.Context, id string) error {
	return s.change(ctx, "deleting a turn", func(tx *sql.Tx) error {
		var seq, conversation int64
		var parent sql.NullInt64
		err := tx.QueryRowContext(ctx, `
			SELECT t.seq, t.conversation, t.parent FROM turn t JOIN conversation c ON c.seq = t.conversation
			WHERE t.id = ? AND c.deleted IS NULL`, id).Scan(&seq, &conversation, &parent)
		if err != nil {
			return missing(err)
		}
		// Deleted at once and not by cascade: a long conversation is deeper
		// than triggers may nest. What was active is null afterwards.
		if _, err := tx.ExecContext(ctx, subtree+`DELETE FROM turn WHERE seq IN below`, seq); err != nil {
			return err
		}
		var active sql.NullInt64
		if err := tx.QueryRowContext(ctx, `SELECT active FROM conversation WHERE seq = ?`, conversation).Scan(&active); err != nil {
			return err
		}
		if active.Valid {
			return nil
		}
		var sibling int64
		err = tx.QueryRowContext(ctx, `
			SELECT seq FROM turn WHERE conversation = ? AND parent IS ?
			ORDER BY seq < ? DESC, abs(seq - ?) LIMIT 1`, conversation, parent, seq, seq).Scan(&sibling)
		switch {
		case err == nil:
			return activate(ctx, tx, conversation, sibling)
		case err != sql.ErrNoRows:
			return err
		case parent.Valid:
			return activate(ctx, tx, conversation, parent.Int64)
		}
		_, err = tx.ExecContext(ctx, `UPDATE conversation SET preview = '' WHERE seq = ?`, conversation)
		return err
	})
}
