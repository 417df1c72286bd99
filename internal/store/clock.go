package store

import (
	"context"
	"database/sql"
	"time"
)

// pace is the longest time that is believed to have passed between two looks at
// the system's clock.
const pace = Retention / 4

// observed is the present time of the clock by which deletions are counted. It
// begins as the system's and goes with it, but never back, and at most by pace
// from one look to the next: a clock that jumps by ten years costs a deleted
// conversation a quarter of its time and not all of it. Who opens goated less
// than once in a pace keeps what is deleted for longer.
func (s *Store) observed(ctx context.Context, tx *sql.Tx) (seen int64, err error) {
	now := s.now().UnixNano()
	var wall int64
	err = tx.QueryRowContext(ctx, `SELECT wall, seen FROM clock`).Scan(&wall, &seen)
	if err == sql.ErrNoRows {
		_, err = tx.ExecContext(ctx, `INSERT INTO clock (wall, seen) VALUES (?1, ?1)`, now)
		return now, err
	}
	if err != nil {
		return 0, err
	}
	passed := now - wall
	seen += max(0, min(passed, int64(pace)))
	if passed >= 0 && passed < int64(time.Hour) {
		return seen, nil // the next look counts it; each write waits for the disk
	}
	_, err = tx.ExecContext(ctx, `UPDATE clock SET wall = ?, seen = ?`, now, seen)
	return seen, err
}
