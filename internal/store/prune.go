package store

import (
	"context"
	"database/sql"
)

// subtree are a turn and its descendants, but for those that are deleted.
const subtree = `
WITH RECURSIVE below (seq) AS (
	SELECT ?
	UNION ALL
	SELECT t.seq FROM below b JOIN turn t ON t.parent = b.seq AND t.deleted IS NULL
)`

// DeleteTurn takes a turn and all that follow it out of its conversation. Until
// [Open] purges them, [Retention] later, UndeleteTurn brings them back. If they
// were shown, the sibling before it is, or else the one after it, or its parent.
// A turn under way goes on being recorded.
func (s *Store) DeleteTurn(ctx context.Context, id string) error {
	return s.commit(ctx, "deleting a turn", func(tx *sql.Tx) error {
		var seq, conversation int64
		var parent sql.NullInt64
		err := tx.QueryRowContext(ctx, `
			SELECT t.seq, t.conversation, t.parent FROM turn t JOIN conversation c ON c.seq = t.conversation
			WHERE t.id = ? AND t.deleted IS NULL AND c.deleted IS NULL`, id).Scan(&seq, &conversation, &parent)
		if err != nil {
			return missing(err)
		}
		stamp, err := s.moment(ctx, tx)
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
		return nearest(ctx, tx, conversation, seq, parent)
	})
}

// moment is the present time, and another one each time.
func (s *Store) moment(ctx context.Context, tx *sql.Tx) (stamp int64, err error) {
	seen, err := s.observed(ctx, tx)
	if err != nil {
		return 0, err
	}
	err = tx.QueryRowContext(ctx, `
		SELECT max(?, coalesce((SELECT max(deleted) + 1 FROM turn WHERE deleted IS NOT NULL), 0))`, seen).Scan(&stamp)
	return stamp, err
}

// nearest shows what is nearest to a turn that is there no more.
func nearest(ctx context.Context, tx *sql.Tx, conversation, seq int64, parent sql.NullInt64) error {
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

// UndeleteTurn brings back a deleted turn, with all that was deleted with it, and
// shows it. What was deleted with a turn before it comes back with that one only.
func (s *Store) UndeleteTurn(ctx context.Context, id string) error {
	return s.commit(ctx, "bringing back a turn", func(tx *sql.Tx) error {
		var seq, conversation int64
		var stamp, above sql.NullInt64
		err := tx.QueryRowContext(ctx, `
			SELECT t.seq, t.conversation, t.deleted, p.deleted
			FROM turn t JOIN conversation c ON c.seq = t.conversation LEFT JOIN turn p ON p.seq = t.parent
			WHERE t.id = ? AND c.deleted IS NULL`, id).Scan(&seq, &conversation, &stamp, &above)
		switch {
		case err != nil:
			return missing(err)
		case !stamp.Valid:
			return nil // it is as it should be
		case above.Valid:
			return ErrNotFound
		}
		if _, err := tx.ExecContext(ctx, `UPDATE turn SET deleted = NULL WHERE deleted = ?`, stamp.Int64); err != nil {
			return err
		}
		return activate(ctx, tx, conversation, seq)
	})
}
