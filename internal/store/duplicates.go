package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
)

// duplicates finds siblings with the same message. For each turn it returns the index of the first
// sibling with that message. The keys of the maps are the parents' rows.
func duplicates(ctx context.Context, tx *sql.Tx, siblings map[int64][]string) (map[int64][]int, error) {
	all := make(map[int64][]int, len(siblings))
	var several []string
	for parent, ids := range siblings {
		all[parent] = make([]int, len(ids))
		if len(ids) > 1 {
			several = append(several, ids...)
		}
	}
	if len(several) == 0 {
		return all, nil
	}
	ids, err := json.Marshal(several)
	if err != nil {
		return nil, err
	}
	rows, err := tx.QueryContext(ctx, `
		SELECT t.id, coalesce(t.parent, 0), f.id FROM turn t JOIN turn f ON f.seq = (
			SELECT min(o.seq) FROM turn o
			WHERE o.conversation = t.conversation AND o.parent IS t.parent AND o.user = t.user AND o.deleted IS NULL)
		WHERE t.id IN (SELECT value FROM json_each(?))`, string(ids))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id, first string
		var parent int64
		if err := rows.Scan(&id, &parent, &first); err != nil {
			return nil, err
		}
		all[parent][slices.Index(siblings[parent], id)] = slices.Index(siblings[parent], first)
	}
	return all, rows.Err()
}
