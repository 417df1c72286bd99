package sandbox

import (
	"slices"
	"sync"
)

// maxRefused bounds the reported refusals of one process, for hosts and for files. The process
// itself chooses how many it causes.
const maxRefused = 32

// A Sandbox confines a process and its descendants. The caller of [Start] must close it after all
// of them have exited. A nil Sandbox confines nothing and can be closed.
type Sandbox struct {
	Status
	Env []string // variables that Start added or replaced in the environment

	registries []Host
	cleanups   []func() // stop the notifier, then the proxy
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

// reportUnanswered reports a host that does not respond.
func (s *Sandbox) reportUnanswered(h Host) { s.report(Permission{Kind: Unanswered, Host: h.String()}) }

// report reports each refusal once, and at most maxRefused for hosts and for files.
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

// Close stops the notifier and the proxy, and waits for them. A process that still runs then has no
// network and cannot change file modes.
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
