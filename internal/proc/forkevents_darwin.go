package proc

import (
	"time"

	"golang.org/x/sys/unix"
)

// A forkEvents wakes the keeper when a descendant of the server forks, because the child may become
// an orphan a moment later.
type forkEvents struct {
	queue   int // kqueue descriptor; -1: not available
	watched map[int]bool
}

func newForkEvents() *forkEvents {
	queue, err := unix.Kqueue()
	if err != nil {
		queue = -1
	} else {
		unix.CloseOnExec(queue)
	}
	return &forkEvents{queue: queue, watched: make(map[int]bool)}
}

// wait returns when one of pids forks or exits, or after limit.
func (f *forkEvents) wait(pids []int, limit time.Duration) {
	if f.queue < 0 {
		time.Sleep(limit)
		return
	}
	for _, pid := range pids {
		if f.watched[pid] {
			continue
		}
		var change unix.Kevent_t
		unix.SetKevent(&change, pid, unix.EVFILT_PROC, unix.EV_ADD|unix.EV_CLEAR)
		change.Fflags = unix.NOTE_FORK | unix.NOTE_EXIT
		if _, err := unix.Kevent(f.queue, []unix.Kevent_t{change}, nil, nil); err != nil {
			continue // it has exited
		}
		f.watched[pid] = true
		limit = 0 // it may have forked before it was watched
	}
	events := make([]unix.Kevent_t, 16)
	timeout := unix.NsecToTimespec(int64(limit))
	n, err := unix.Kevent(f.queue, nil, events, &timeout)
	if err != nil {
		time.Sleep(sweepPause) // a signal, or a permanent error: do not spin
		return
	}
	for _, e := range events[:n] {
		if e.Fflags&unix.NOTE_EXIT != 0 {
			delete(f.watched, int(e.Ident))
		}
	}
}
