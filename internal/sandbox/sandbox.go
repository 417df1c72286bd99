package sandbox

import (
	"slices"
	"sync"
)

// maxRefused is the number of refused hosts, and of refused files, that are reported of one
// process, which chooses itself what it tries to reach.
const maxRefused = 32

// A Sandbox confines a process and its descendants. The caller of [Start] closes it
// after all of them have ended. A nil Sandbox confines nothing and can be closed.
type Sandbox struct {
	Status
	Env []string // variables that Start added to the environment or replaced in it

	registries []Host
	cleanups   []func() // end the notifier, then the proxy
	refused    func(Permission)

	mu       sync.Mutex
	reported Permissions
	closed   bool
}

func newSandbox(s Status, refused func(Permission)) *Sandbox {
	return &Sandbox{Status: s, refused: refused}
}

// reportRefused reports a refused host before the process gets its error.
func (s *Sandbox) reportRefused(h Host) {
	p := Permission{Kind: ToHost, Host: h.String()}
	if slices.ContainsFunc(s.registries, h.sameAs) {
		p = Permission{Kind: ToInstall}
	}
	s.report(p)
}

// reportUnanswered reports a host that does not answer.
func (s *Sandbox) reportUnanswered(h Host) { s.report(Permission{Kind: Unanswered, Host: h.String()}) }

// report reports a refusal: each once, and at most maxRefused of hosts and of files.
func (s *Sandbox) report(p Permission) {
	s.mu.Lock()
	alike := 0
	for _, q := range s.reported {
		if (q.Path == "") == (p.Path == "") {
			alike++
		}
	}
	known := s.closed || alike >= maxRefused || slices.ContainsFunc(s.reported, p.is)
	if !known {
		s.reported = append(s.reported, p)
	}
	s.mu.Unlock()
	if !known && s.refused != nil {
		s.refused(p)
	}
}

// Close ends the notifier and the proxy and returns when they have ended. A process
// that still runs has no network afterwards and cannot change file modes.
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
