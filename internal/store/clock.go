package store

import (
	"context"
	"database/sql"
	"time"
)

// maxStep is the most time that counts as passed between two readings of the system clock.
const maxStep = retention / 4

// A clock returns the system time.
type clock func() time.Time

// observe returns the time for dating deletions, in nanoseconds. It starts at the system time and
// follows it, but never goes back, and advances by at most maxStep between two readings. So if the
// system clock jumps ahead by ten years, a deleted conversation loses a quarter of its retention and
// not all of it. For a user who opens goated less often than once per maxStep, deletions are kept
// longer.
func (now clock) observe(ctx context.Context, tx *sql.Tx) (seen int64, err error) {
	present := now().UnixNano()
	var wall int64
	err = tx.QueryRowContext(ctx, `SELECT wall, seen FROM clock`).Scan(&wall, &seen)
	if err == sql.ErrNoRows {
		_, err = tx.ExecContext(ctx, `INSERT INTO clock (wall, seen) VALUES (?1, ?1)`, present)
		return present, err
	}
	if err != nil {
		return 0, err
	}
	passed := present - wall
	seen += max(0, min(passed, int64(maxStep)))
	if passed >= 0 && passed < int64(time.Hour) {
		return seen, nil // the next reading counts this time, too; this avoids a write that waits for the disk
	}
	_, err = tx.ExecContext(ctx, `UPDATE clock SET wall = ?, seen = ?`, present, seen)
	return seen, err
}
