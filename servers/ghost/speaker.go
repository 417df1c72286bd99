package ghost

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"sync"
	"time"

	"goated/servers/serverlog"
)

// maxPlaying bounds the number of concurrent sounds.
const maxPlaying = 8

var (
	errNotInstalled = errors.New("not installed")
	errTooMany      = errors.New("too many sounds are playing, wait for them to end")
)

// A command is a program with its arguments. It runs without a shell.
type command struct {
	argv []string
	env  []string // added to the server's own
}

// A speaker runs audio players, each for at most limit. It owns their processes and goroutines.
// stop ends all of them and waits.
type speaker struct {
	limit time.Duration
	log   *serverlog.Log

	mu      sync.Mutex
	playing map[*playback]struct{}
}

// A playback is one running player.
type playback struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when the process has exited and was reaped
	err    error         // set before done is closed
}

// start runs c and watches it for the duration of window. ended reports whether the player exited
// successfully in that time. An error means that the player failed. Otherwise the player continues
// after start has returned.
func (s *speaker) start(ctx context.Context, c command, window time.Duration) (ended bool, err error) {
	bin, err := exec.LookPath(c.argv[0])
	if err != nil {
		return false, errNotInstalled
	}
	p, err := s.launch(ctx, bin, c)
	if err != nil {
		return false, err
	}
	timer := time.NewTimer(window)
	defer timer.Stop()
	select {
	case <-p.done:
		return p.err == nil, p.err
	case <-timer.C:
		return false, nil
	case <-ctx.Done():
		p.cancel()
		<-p.done
		return false, ctx.Err()
	}
}

func (s *speaker) launch(ctx context.Context, bin string, c command) (*playback, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.playing) >= maxPlaying {
		return nil, errTooMany
	}
	// The sound may outlive the request, but not the limit.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limit)
	cmd := exec.CommandContext(ctx, bin, c.argv[1:]...)
	cmd.Env = append(os.Environ(), c.env...)
	// Stdin, Stdout and Stderr stay nil, because the server's own are for the protocol.
	cmd.WaitDelay = time.Second // after that, Wait kills the process itself

	p := &playback{cancel: cancel, done: make(chan struct{})}
	if s.playing == nil {
		s.playing = map[*playback]struct{}{}
	}
	s.playing[p] = struct{}{}
	go func() {
		defer close(p.done)
		defer cancel()
		p.err = run(cmd)
		if p.err != nil {
			s.log.Printf(serverlog.Debug, "Player %s ended: %v", c.argv[0], p.err)
		}
		s.mu.Lock()
		delete(s.playing, p)
		s.mu.Unlock()
	}()
	return p, nil
}

// stop ends every player and returns when all have ended.
func (s *speaker) stop() {
	s.mu.Lock()
	var left []*playback
	for p := range s.playing {
		p.cancel()
		left = append(left, p)
	}
	s.mu.Unlock()
	for _, p := range left {
		<-p.done
	}
}
