package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"

	"github.com/gofrs/flock"
)

// A database is an open SQLite file. It owns the handle and the lock that marks the file as in use, and
// it serializes this process's writers. It is safe for concurrent use.
type database struct {
	path    string // absolute
	sql     *sql.DB
	inUse   *flock.Flock // shared; see lockInUse
	checkup checkup
	clock   clock
	wait    *lockWait
	writing sync.Mutex // one writer at a time; begin waits for other processes
	steps   steps
}

// steps are the prepared statements for the steps of a turn, because SQLite takes longer to parse such
// a statement than to run it.
type steps struct{ event, content *sql.Stmt }

// prepareSteps prepares the statements for all connections. They are closed with the database.
func (db *database) prepareSteps(ctx context.Context) (err error) {
	if db.steps.event, err = db.sql.PrepareContext(ctx, `INSERT OR REPLACE INTO event (turn, n, body) VALUES (?, ?, ?)`); err != nil {
		return err
	}
	db.steps.content, err = db.sql.PrepareContext(ctx, `INSERT OR REPLACE INTO content (turn, n, body) VALUES (?, ?, ?)`)
	return err
}

// commit runs do in a write transaction: all of it takes effect, or nothing. Errors name the operation
// as doing.
func (db *database) commit(ctx context.Context, doing string, do func(*sql.Tx) error) error {
	db.writing.Lock()
	defer db.writing.Unlock()
	return db.transact(ctx, doing, nil, do)
}

// read runs do in a transaction that sees a single state of the database.
func (db *database) read(ctx context.Context, doing string, do func(*sql.Tx) error) error {
	return db.transact(ctx, doing, &sql.TxOptions{ReadOnly: true}, do)
}

func (db *database) transact(ctx context.Context, doing string, options *sql.TxOptions, do func(*sql.Tx) error) error {
	tx, err := db.begin(ctx, options)
	if err == nil {
		if err = do(tx); err == nil {
			err = tx.Commit()
		}
		if err != nil {
			_ = tx.Rollback() // SQLite may have done so itself
		}
	}
	if err == nil {
		return nil
	}
	if isCorrupted(err) || isIOError(err) {
		markDamaged(db.path) // without the mark, the next Open may not notice
	}
	return fmt.Errorf("%s: %w", doing, explain(err))
}

// begin begins a transaction. It waits while another process has locked the database. SQLite's own wait
// cannot be cancelled, so it is short. A read transaction takes its lock only with its first query, so
// begin makes a query.
func (db *database) begin(ctx context.Context, options *sql.TxOptions) (tx *sql.Tx, err error) {
	err = db.wait.try(ctx, func() (err error) {
		if tx, err = db.sql.BeginTx(ctx, options); err != nil || options == nil || !options.ReadOnly {
			return err
		}
		var tables int
		if err = tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil {
			_ = tx.Rollback() // nothing has begun
		}
		return err
	})
	return tx, err
}
