package notify

import (
	"context"
	"os"
	"path/filepath"
	"sync"
)

// A Session shows notifications on the session bus of the environment. It connects when it shows
// the first one, and again after the bus restarts. The zero value is ready. It is safe for
// concurrent use.
type Session struct {
	mu      sync.Mutex
	desktop *Desktop
	closed  bool
}

// Show shows a notification; see [Desktop.Show].
func (s *Session) Show(ctx context.Context, n Note) (key string, err error) {
	d, err := s.connected(ctx)
	if err != nil {
		return "", err
	}
	return d.Show(ctx, n)
}

func (s *Session) connected(ctx context.Context) (*Desktop, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrNone
	}
	if s.desktop != nil {
		select {
		case <-s.desktop.ended:
			s.desktop.Close()
		default:
			return s.desktop, nil
		}
	}
	if !hasBus() {
		return nil, ErrNone // D-Bus would start a bus on which nothing listens
	}
	d, err := Dial(ctx, "")
	s.desktop = d
	return d, err
}

// Close closes the connection.
func (s *Session) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.desktop != nil {
		s.desktop.Close()
	}
}

// hasBus reports whether the environment has a session bus.
func hasBus() bool {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return true
	}
	run := os.Getenv("XDG_RUNTIME_DIR")
	_, err := os.Stat(filepath.Join(run, "bus"))
	return run != "" && err == nil
}
