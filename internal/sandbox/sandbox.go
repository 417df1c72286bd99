package sandbox

import (
	"slices"
	"sync"
)

// maxRefused is for how much a process may have asked: it decides itself what it
// tries to reach.
const maxRefused = 32

// A Sandbox is what holds a process that was started, and all that come of it.
// Whoever started it closes it, when all of them have ended.
type Sandbox struct {
	Status
	Env []string // what the process's environment was added, or in place of what it had

	cleanups []func() // what ends a thing that is beside the process, the first first
	refused  func(Permission)

	mu       sync.Mutex
	reported Permissions
	closed   bool
}

func newSandbox(s Status, refused func(Permission)) *Sandbox {
	return &Sandbox{Status: s, refused: refused}
}

// reportRefused tells of a host that was refused, before the process learns of it: each
// once, and not of too many.
func (s *Sandbox) reportRefused(h Host) {
	p := Permission{Kind: ToHost, Host: h.String()}
	s.mu.Lock()
	known := s.closed || len(s.reported) >= maxRefused || slices.ContainsFunc(s.reported, p.is)
	if !known {
		s.reported = append(s.reported, p)
	}
	s.mu.Unlock()
	if !known && s.refused != nil {
		s.refused(p)
	}
}

// Close ends what is beside the process, and returns when nothing of it runs. A
// process that still lives has no network from then on, and changes no modes.
// No sandbox can be closed, too.
func (s *Sandbox) Close() {
	if s == nil {
		return
	}
	s.mu.Lock()
	was := s.closed
	s.closed = true
	s.mu.Unlock()
	if was {
		return
	}
	for _, end := range s.cleanups {
		end()
	}
}
