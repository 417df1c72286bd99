package store

import (
	"context"
	"database/sql"
)

// Activate makes the branch through a turn active, down to the turn's newest descendant.
func (s *Store) Activate(ctx context.Context, conversation, turn string) error {
	return s.update(ctx, "changing the branch", conversation, func(tx *sql.Tx, seq int64) error {
		at, err := findTurn(ctx, tx, seq, turn)
		if err != nil {
			return err
		}
		return activate(ctx, tx, seq, at)
	})
}

func findTurn(ctx context.Context, tx *sql.Tx, conversation int64, id string) (seq int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT seq FROM turn WHERE id = ? AND conversation = ? AND deleted IS NULL`, id, conversation).Scan(&seq)
	return seq, notFound(err)
}

// activate activates the newest turn among a turn and its descendants. That is a leaf, because a turn
// is newer than its parent.
func activate(ctx context.Context, tx *sql.Tx, conversation, turn int64) error {
	var leaf int64
	if err := tx.QueryRowContext(ctx, subtree+`SELECT max(seq) FROM below`, turn).Scan(&leaf); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE conversation SET active = ? WHERE seq = ?`, leaf, conversation); err != nil {
		return err
	}
	return indexTurn(ctx, tx, leaf)
}

// A node is the position of a turn in the tree.
type node struct {
	seq    int64
	parent int64 // 0 if there is none
	id     string
}

// tree returns the turns of a conversation that are not deleted. Parents come before children, and
// older siblings before younger ones.
func tree(ctx context.Context, tx *sql.Tx, conversation int64) ([]node, error) {
	rows, err := tx.QueryContext(ctx, `SELECT seq, coalesce(parent, 0), id FROM turn WHERE conversation = ? AND deleted IS NULL ORDER BY seq`, conversation)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var nodes []node
	for rows.Next() {
		var n node
		if err := rows.Scan(&n.seq, &n.parent, &n.id); err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, rows.Err()
}

// A branch is the path from a first turn to a leaf.
type branch struct {
	path     []node
	siblings map[int64][]string // ids, by the parent's row
}

func branchTo(nodes []node, leaf string) branch {
	b := branch{siblings: make(map[int64][]string)}
	for _, n := range nodes {
		b.siblings[n.parent] = append(b.siblings[n.parent], n.id)
	}
	// Iterate backwards, so that parents come after their children.
	var want int64
	for i := len(nodes) - 1; i >= 0; i-- {
		if n := nodes[i]; n.id == leaf || n.seq == want {
			b.path = append(b.path, n)
			want = n.parent
		}
	}
	for i, j := 0, len(b.path)-1; i < j; i, j = i+1, j-1 {
		b.path[i], b.path[j] = b.path[j], b.path[i]
	}
	return b
}
