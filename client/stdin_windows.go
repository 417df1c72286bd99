package client

import (
	"os"
	"time"
)

// A stdin is our end of a server's input. The pipes that os.Pipe makes here have
// no deadlines (os.ErrNoDeadline), and what is begun ends when the server reads
// it, or with the pipe. So a goroutine waits for that, one at a time: what it has
// begun at the deadline counts as written, as what a pipe holds does elsewhere,
// and what comes next waits.
type stdin struct {
	pipe *os.File
	due  *time.Timer
	free chan error // holds what came of the last message, unless that is under way
}

func newStdin(pipe *os.File) *stdin {
	s := &stdin{pipe: pipe, due: time.NewTimer(0), free: make(chan error, 1)}
	s.free <- nil
	return s
}

// SetWriteDeadline is for the one Write that runs, or the next.
func (s *stdin) SetWriteDeadline(t time.Time) error {
	s.due.Reset(time.Until(t))
	return nil
}

// Write keeps b.
func (s *stdin) Write(b []byte) (int, error) {
	select {
	case err := <-s.free:
		if err != nil {
			s.free <- err
			return 0, err
		}
	case <-s.due.C:
		return 0, os.ErrDeadlineExceeded
	}
	go func() { // Close waits for it
		_, err := s.pipe.Write(b)
		s.free <- err
	}()
	select {
	case err := <-s.free:
		s.free <- err
		if err != nil {
			return 0, err
		}
	case <-s.due.C:
	}
	return len(b), nil
}

// Close ends what is under way, too.
func (s *stdin) Close() error {
	err := s.pipe.Close()
	s.free <- <-s.free
	return err
}

// unread is false: the system does not tell of a pipe that nobody reads before
// one writes to it.
func unread(*stdin) bool { return false }
