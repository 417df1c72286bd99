package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// The errors that callers can distinguish with [errors.Is].
var (
	ErrNotFound = errors.New("there is no such conversation or turn")
	ErrPending  = errors.New("not saved yet") // the data waits in memory and is written later
	// ErrMessagesLost is returned by Close if unsaved messages could not be saved anywhere.
	//lint:ignore ST1005 it begins a line of its own
	ErrMessagesLost       = errors.New("Unsaved messages are lost")
	ErrNotOpened          = errors.New("the history could not be opened")
	ErrFull               = errors.New("the disk is full")
	ErrDisk               = errors.New("the disk reports an error")
	ErrReadOnly           = errors.New("the history can't be written: check the permissions of its file and folder")
	ErrLocked             = errors.New("another goated process has locked the history")
	ErrInUse              = errors.New("the history is damaged, and another goated process has it open: close that one first")
	ErrNewer              = errors.New("a newer version of goated wrote it")
	ErrUnsentTooLarge     = fmt.Errorf("the files of unsent messages are larger than %d MB together, so goated does not keep the newest ones: send or remove some", maxUnsent*3/4>>20)
	ErrContinuedElsewhere = errors.New("another window or terminal continued this conversation")
	ErrEnded              = errors.New("the turn has ended")
	ErrTitle              = fmt.Errorf("a title can have at most %d characters", maxTitle)
)

// explain wraps an error of SQLite in the error above that tells the user what to do.
func explain(err error) error {
	var e *sqlite.Error
	explained := func(known error) bool { return errors.Is(err, known) }
	if !errors.As(err, &e) || slices.ContainsFunc([]error{ErrFull, ErrReadOnly, ErrDisk, ErrLocked, ErrInUse}, explained) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %w", ErrFull, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	case sqlite3.SQLITE_IOERR:
		return fmt.Errorf("%w: %w", ErrDisk, err)
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("%w: %w", ErrLocked, err)
	case sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("the history is damaged: restart goated, which restores what it can read and keeps the damaged file: %w", err)
	}
	return err
}

// isTemporary reports whether a write failed for a reason unrelated to its data, so that it may succeed
// later.
func isTemporary(err error) bool {
	if errors.Is(err, errClosed) {
		return false
	}
	if errors.Is(err, ErrNotOpened) {
		return true // if no retry opens the database, Close rescues the data
	}
	switch code(err) {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY:
		return true
	}
	return false
}

// isIOError reports whether the disk itself failed, so that the data may not be on it: after a failed
// fsync, the next one can succeed without having written anything. In this case the recorder writes all
// of the failed data again, and the next Open checks the database.
func isIOError(err error) bool { return code(err) == sqlite3.SQLITE_IOERR }

// isLocked reports whether another process kept the database locked for longer than a write waits.
func isLocked(err error) bool { return code(err) == sqlite3.SQLITE_BUSY }

// code returns SQLite's primary error code, or 0 for other errors.
func code(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

// isCorrupted reports whether the file is damaged or not a database of goated.
func isCorrupted(err error) bool {
	if errors.Is(err, errForeign) || errors.Is(err, errDamaged) {
		return true
	}
	return code(err) == sqlite3.SQLITE_CORRUPT || code(err) == sqlite3.SQLITE_NOTADB
}

// isPurged reports whether a write failed because its turn or conversation no longer exists.
func isPurged(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code() == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
}

// OneLine converts any text to one line of valid UTF-8.
func OneLine(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
}
