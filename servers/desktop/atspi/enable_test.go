package atspi_test

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"testing"
	"time"

	"goated/servers/desktop/atspi"
)

// A session bus that does not answer in time is not a session without accessibility: its
// programs may show password fields.
func TestASlowSessionBusIsNotAMissingOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() // connections stay in its queue, without an answer
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := atspi.Connect(ctx, atspi.Options{Session: "unix:path=" + path}); errors.Is(err, atspi.ErrNoBus) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a silent bus: %v", err)
	}
	if _, err := atspi.Connect(t.Context(), atspi.Options{Session: "unix:path=" + path + "-missing"}); !errors.Is(err, atspi.ErrNoBus) {
		t.Errorf("a missing bus: %v", err)
	}
}
