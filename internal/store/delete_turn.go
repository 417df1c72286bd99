package store

import (
	"context"
	"database/sql"
)

// subtree selects a turn and its descendants that are not deleted.
const subtree = `
WITH RECURSIVE below (seq) AS (
	SELECT ?
	UNION ALL
	SELECT t.seq FROM below b JOIN turn t ON t.parent = b.seq AND t.deleted IS NULL
)`

// DeleteTurn removes a turn and its descendants from their conversation. UndeleteTurn can restore them
// until [Open] purges them after [retention]. If they were on the active branch, the previous sibling
// becomes active. If there is none, the next sibling does, or else the parent. A running turn continues
// to be recorded.
func (s *Store) DeleteTurn(ctx context.Context, id string) error {
	return s.base.commit(ctx, "deleting a turn", func(tx *sql.Tx) error {
		var seq, conversation int64
		var parent sql.NullInt64
		err := tx.QueryRowContext(ctx, `
			SELECT t.seq, t.conversation, t.parent FROM turn t JOIN conversation c ON c.seq = t.conversation
			WHERE t.id = ? AND t.deleted IS NULL AND c.deleted IS NULL`, id).Scan(&seq, &conversation, &parent)
		if err != nil {
			return notFound(err)
		}
		seen, err := s.base.clock.observe(ctx, tx)
		if err != nil {
			return err
		}
		stamp, err := uniqueStamp(ctx, tx, seen)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, subtree+`UPDATE turn SET deleted = ? WHERE seq IN below`, seq, stamp); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, `
			UPDATE conversation SET active = NULL
			WHERE seq = ? AND active IN (SELECT seq FROM turn WHERE deleted = ?)`, conversation, stamp)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); n == 0 || err != nil {
			return err
		}
		return activateNearest(ctx, tx, conversation, seq, parent)
	})
}

// uniqueStamp returns the time seen, or a later time that no other deletion has, because turns that
// were deleted together share a stamp.
func uniqueStamp(ctx context.Context, tx *sql.Tx, seen int64) (stamp int64, err error) {
	err = tx.QueryRowContext(ctx, `
		SELECT max(?, coalesce((SELECT max(deleted) + 1 FROM turn WHERE deleted IS NOT NULL), 0))`, seen).Scan(&stamp)
	return stamp, err
}

// activateNearest activates the branch nearest to a deleted turn.
func activateNearest(ctx context.Context, tx *sql.Tx, conversation, seq int64, parent sql.NullInt64) error {
	var sibling int64
	err := tx.QueryRowContext(ctx, `
		SELECT seq FROM turn WHERE conversation = ? AND parent IS ? AND deleted IS NULL
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
}

// UndeleteTurn restores a deleted turn, together with the turns that were deleted with it, and
// activates it. It returns ErrNotFound while the parent is deleted.
func (s *Store) UndeleteTurn(ctx context.Context, id string) error {
	return s.base.commit(ctx, "restoring a turn", func(tx *sql.Tx) error {
		var seq, conversation int64
		var stamp, above sql.NullInt64
		err := tx.QueryRowContext(ctx, `
			SELECT t.seq, t.conversation, t.deleted, p.deleted
			FROM turn t JOIN conversation c ON c.seq = t.conversation LEFT JOIN turn p ON p.seq = t.parent
			WHERE t.id = ? AND c.deleted IS NULL`, id).Scan(&seq, &conversation, &stamp, &above)
		switch {
		case err != nil:
			return notFound(err)
		case !stamp.Valid:
			return nil // it is not deleted
		case above.Valid:
			return ErrNotFound
		}
		if _, err := tx.ExecContext(ctx, `UPDATE turn SET deleted = NULL WHERE deleted = ?`, stamp.Int64); err != nil {
			return err
		}
		return activate(ctx, tx, conversation, seq)
	})
}
