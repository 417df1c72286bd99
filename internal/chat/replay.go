package chat

import (
	"errors"
	"strings"

	"goated/internal/store"
)

// ErrCut is the end of a turn that was under way when goated ended.
var ErrCut = errors.New("goated quit during this turn")

// Failure returns the error that ended a saved turn; nil if it ended well. Do not ask
// about a turn that is under way: it looks like one that was cut off.
func Failure(t store.Turn) error {
	switch {
	case t.Error != "":
		return errors.New(t.Error)
	case t.Ended.IsZero():
		return ErrCut
	}
	return nil
}

// Obstacle returns the reason why something is not saved, in few words.
func Obstacle(err error) string {
	for _, known := range []error{store.ErrFull, store.ErrReadOnly, store.ErrDisk, store.ErrLocked, store.ErrInUse, store.ErrNewer} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	return strings.TrimPrefix(err.Error(), store.ErrUnopened.Error()+": ")
}
