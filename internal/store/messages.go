package store

import (
	"context"
	"database/sql"
)

// Messages counts the user's messages on the active branch of each conversation, by the conversation's
// id. The map omits conversations without messages.
func (s *Store) Messages(ctx context.Context) (map[string]int, error) {
	s.pending.flush()
	counts := map[string]int{}
	err := s.base.read(ctx, "counting messages", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, `
			WITH RECURSIVE branch (conversation, turn) AS (
				SELECT seq, active FROM conversation WHERE deleted IS NULL AND active IS NOT NULL
				UNION ALL
				SELECT b.conversation, t.parent FROM branch b JOIN turn t ON t.seq = b.turn WHERE t.parent IS NOT NULL)
			SELECT c.id, count(*)
			FROM branch b JOIN turn t ON t.seq = b.turn JOIN conversation c ON c.seq = b.conversation
			WHERE t.user <> '[]' GROUP BY c.seq`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			var n int
			if err := rows.Scan(&id, &n); err != nil {
				return err
			}
			counts[id] = n
		}
		return rows.Err()
	})
	return counts, err
}
