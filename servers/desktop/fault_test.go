package desktop

import (
	"context"
	"errors"
	"fmt"
	"testing"
)

// A call that the client cancels is not an internal error of the server.
func TestCancelledIsNoInternalError(t *testing.T) {
	for err, want := range map[error]string{
		fmt.Errorf("waiting: %w", context.Canceled):         "CANCELLED",
		fmt.Errorf("waiting: %w", context.DeadlineExceeded): "CANCELLED",
		invalid("no"):       "invalid_argument",
		refused("no", ""):   "FAILED_PRECONDITION",
		errors.New("a bug"): "internal",
	} {
		if f := toFailure(err); f.reason != want {
			t.Errorf("%v has the reason %s, want %s", err, f.reason, want)
		}
	}
}
