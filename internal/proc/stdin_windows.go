package proc

import (
	"os"
	"time"
)

// A Stdin is the write end of a server's stdin. The pipes of os.Pipe have no
// deadlines on Windows (os.ErrNoDeadline): a write ends when the server reads, or
// with the pipe. So each write runs in a goroutine, one at a time. A write that is
// under way at the deadline counts as done, like data in the buffer of a pipe; the
// next write waits for it.
type Stdin struct {
	pipe *os.File
	due  *time.Timer
	free chan error // holds the result of the last write, unless it is under way
}

func newStdin(pipe *os.File) *Stdin {
	s := &Stdin{pipe: pipe, due: time.NewTimer(0), free: make(chan error, 1)}
	s.free <- nil
	return s
}

// SetWriteDeadline applies to the running Write, or to the next.
func (s *Stdin) SetWriteDeadline(t time.Time) error {
	s.due.Reset(time.Until(t))
	return nil
}

// Write keeps b; the caller must not change it.
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

// Close also ends a write that is under way.
func (s *Stdin) Close() error {
	err := s.pipe.Close()
	s.free <- <-s.free
	return err
}

// WaitUnread returns false at once: Windows reports a pipe without readers only to
// a write.
func WaitUnread(*Stdin) bool { return false }
