package backend_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// The error for a text of several lines contains one count, in characters of the whole text.
func TestAStoppedTextHasOneCount(t *testing.T) {
	b := open(t, nil)
	terminal(t, b, desk.Open(t, nil), "a text that stops", "sh", "-c", "stty -echo; cat >/dev/null")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	_, err := b.CreateInput(ctx, typed("ab\ncdefghijklmnop", 1))
	said := status.Convert(err).Message()
	if status.Code(err) != codes.DeadlineExceeded || strings.Count(said, "after ") != 1 || !strings.Contains(said, " of 17 characters: ") {
		t.Error(err)
	}
}
