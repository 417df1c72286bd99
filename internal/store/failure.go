package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// What a caller may want to tell apart.
var (
	ErrNotFound = errors.New("there is no such conversation or turn")
	ErrHeld     = errors.New("not saved yet")
	ErrUnopened = errors.New("the history could not be opened")
	ErrFull     = errors.New("the disk is full")
	ErrDisk     = errors.New("the disk reports a failure")
	ErrReadOnly = errors.New("the history can't be written: check the permissions of its file and folder")
	ErrLocked   = errors.New("another goated keeps the history locked")
	ErrInUse    = errors.New("the history is damaged, and can't be set aside while another goated has it open")
	ErrNewer    = errors.New("the history was written by a newer goated")
	ErrEnded    = errors.New("the turn has ended")
	ErrTitle    = fmt.Errorf("a title has at most %d characters", maxTitle)
)

// explain puts SQLite's code into words that say what to do.
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
		return fmt.Errorf("the history is damaged; start goated again to have it set aside: %w", err)
	}
	return err
}

// passing reports whether a write failed for a reason that is none of its own, so
// that it may succeed later.
func passing(err error) bool {
	if errors.Is(err, errClosed) {
		return false
	}
	if errors.Is(err, ErrUnopened) {
		return true // if nobody opens it any more, Close puts it beside it
	}
	switch code(err) {
	case sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_BUSY:
		return true
	}
	return false
}

// unsure reports whether the disk itself failed, so that what it holds may not be
// what was written: "after a failed fsync, another one may succeed and mean
// nothing". What failed is written again whole, and the next Open checks all.
func unsure(err error) bool { return code(err) == sqlite3.SQLITE_IOERR }

// locked reports whether another process kept the database locked for as long as a
// write waits.
func locked(err error) bool { return code(err) == sqlite3.SQLITE_BUSY }

// code is SQLite's primary code of an error; 0 is none.
func code(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code() & 0xff
}

// spoiled reports whether err says that the file is no good database.
func spoiled(err error) bool {
	if errors.Is(err, errForeign) || errors.Is(err, errDamaged) {
		return true
	}
	return code(err) == sqlite3.SQLITE_CORRUPT || code(err) == sqlite3.SQLITE_NOTADB
}

// gone reports whether a write failed since what it belongs to was deleted.
func gone(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code() == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
}

// clean makes one line of what may be any bytes.
func clean(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "\uFFFD")), " ")
}
