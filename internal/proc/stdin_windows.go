package proc

import (
	"os"
	"time"
)

// A Stdin is the write end of a server's stdin. On Windows, the pipes of os.Pipe support no
// deadlines (os.ErrNoDeadline), and a write returns only when the server reads or the pipe closes.
// So each write runs in a goroutine, one at a time. A write that is still running at its deadline
// counts as done, like data in a pipe's buffer. The next write waits for it.
type Stdin struct {
	pipe *os.File
	due  *time.Timer
	free chan error // holds the result of the last write, unless it is still running
}

func newStdin(pipe *os.File) *Stdin {
	s := &Stdin{pipe: pipe, due: time.NewTimer(0), free: make(chan error, 1)}
	s.free <- nil
	return s
}

// SetWriteDeadline applies to the running Write, or to the next one.
func (s *Stdin) SetWriteDeadline(t time.Time) error {
	s.due.Reset(time.Until(t))
	return nil
}

// Write keeps b after it returns, so the caller must not change b.
func (s *Stdin) Write(b []byte) (int, error) {
	select {
	case err := <-s.free:
		if err != nil {
			s.free <- err
			return 0, err
		}
	case <-s.due.C:
		return 0, os.ErrDeadlineExceeded
	}
	go func() { // Close waits for this goroutine
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

// Close also ends a running write.
func (s *Stdin) Close() error {
	err := s.pipe.Close()
	s.free <- <-s.free
	return err
}

// WaitUnread returns false at once: Windows reports a pipe without readers only to a write.
func WaitUnread(*Stdin) bool { return false }
