package chat

import (
	"errors"
	"strings"

	"goated/internal/store"
)

// ErrInterrupted is the error of a turn that was running when goated exited.
var ErrInterrupted = errors.New("goated quit during this turn")

// Failure returns the error that ended a saved turn, or nil if the turn succeeded. Do not call it
// for a running turn, which looks like one that was cut off.
func Failure(t store.Turn) error {
	switch {
	case t.Error != "":
		return errors.New(t.Error)
	case t.Ended.IsZero():
		return ErrInterrupted
	}
	return nil
}

// SaveFailureText returns a short reason why something could not be saved.
func SaveFailureText(err error) string {
	for _, known := range []error{store.ErrFull, store.ErrReadOnly, store.ErrDisk, store.ErrLocked, store.ErrInUse, store.ErrNewer} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return strings.TrimPrefix(err.Error(), store.ErrNotOpened.Error()+": ")
}
