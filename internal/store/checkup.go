package store

import (
	"context"
	"fmt"
	"os"
)

// uncheckedMark is the suffix of a file beside a database that its last process did not close. The file
// exists until a check has found the database good.
const uncheckedMark = ".unchecked"

// wasNotClosed reports whether a process has ended without closing the database since the last check. It
// also returns true while another process has the database open.
func wasNotClosed(path string) bool { return exists(path+"-wal") || exists(path+uncheckedMark) }

// A checkup reads the whole database in the background and looks for damage. SQLite survives a killed
// process, so damage comes from the disk. It is rare, so the user does not wait for the checkup.
type checkup struct {
	stop  context.CancelFunc
	done  chan struct{} // closed when the checkup has ended
	found error         // valid after done is closed
}

// begin starts the checkup. The caller must call end.
func (c *checkup) begin(db *database) {
	if f, err := os.OpenFile(db.path+uncheckedMark, os.O_WRONLY|os.O_CREATE, 0o600); err == nil { // best effort
		_ = f.Close()
	}
	ctx, stop := context.WithCancel(context.Background())
	c.stop, c.done = stop, make(chan struct{})
	go func() {
		defer close(c.done)
		verdict, err := db.quickCheck(ctx)
		switch {
		case err == nil && verdict == "ok":
			_ = os.Remove(db.path + uncheckedMark)
		case err == nil, isCorrupted(err):
			markDamaged(db.path)
			c.found = fmt.Errorf("the history is damaged: restart goated, which restores what it can read and keeps the damaged file")
		} // otherwise the next Open checks it
	}()
}

// end stops the checkup. If it was not finished, it is repeated after the next Open.
func (c *checkup) end() {
	if c.done != nil {
		c.stop()
		<-c.done
	}
}

// quickCheck returns "ok", or a description of the damage.
func (db *database) quickCheck(ctx context.Context) (verdict string, err error) {
	err = db.wait.try(ctx, func() error { return db.sql.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&verdict) })
	return verdict, err
}

// WaitForCheck waits for the check of a database that an earlier process did not close. It also returns when
// ctx or the store ends. It returns the damage, which [Store.Warning] does not report, or nil. If the
// database is damaged, the next Open quarantines it.
func (s *Store) WaitForCheck(ctx context.Context) error {
	db, err := s.base.ready(ctx, "checking the history")
	if err != nil || db.checkup.done == nil {
		return nil
	}
	select {
	case <-db.checkup.done:
		return db.checkup.found
	case <-ctx.Done():
		return nil
	}
}
