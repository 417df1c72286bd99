package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"goated/client/internal/arguments"
	"goated/internal/sandbox"
	"goated/registry"
)

// A serverList holds the servers of a host and the registry of their tools: the state
// that [Host.Watch] yields. It is safe for concurrent use.
type serverList struct {
	ctx  context.Context // of the host
	wg   *sync.WaitGroup // of the host: one for each server, and for what runs beside them
	fail func(error)     // logs a broken invariant of the registry; nil: not checked

	mu      sync.Mutex
	servers []*server // in order of connection
	reg     registry.Registry
	changed chan struct{} // closed and replaced with each change
	closed  bool
	soon    bool // notifySoon waits
}

// notifyDelay is how long notifySoon collects changes.
const notifyDelay = 100 * time.Millisecond

// snapshot copies the state; the caller holds mu.
func (l *serverList) snapshot() Snapshot {
	out := Snapshot{Servers: make([]Server, len(l.servers))}
	for i, s := range l.servers {
		v := s.view
		if v.Tools = l.reg.ServerTools(v.ID); v.Status == Connected {
			v.Last = nil
		}
		v.Uncallable = l.reg.Uncallable(v.ID)
		v.Off = l.reg.ToolsOff(v.ID)
		v.Offered = int(s.offered.Load())
		if s.link != nil {
			v.Stderr = s.link.lines()
			v.Noise = s.link.Noise()
			if v.Sandbox.Confined() {
				v.Needs = sandbox.Needs(v.Policy, evidence(s, v.Stderr))
				for _, p := range arguments.MissingPermissions(s.failed.withheld, v.Policy) {
					if !slices.Contains(v.Needs, p) {
						v.Needs = append(v.Needs, p)
					}
				}
			}
		}
		out.Servers[i] = v
	}
	return out
}

// update changes the state and wakes the watchers.
func (l *serverList) update(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
	if l.fail != nil {
		if err := l.reg.Check(); err != nil {
			l.fail(err)
		}
	}
	close(l.changed)
	l.changed = make(chan struct{})
}

// notifySoon wakes the watchers after notifyDelay, once for all changes until then.
func (l *serverList) notifySoon() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.soon || l.closed {
		return
	}
	l.soon = true
	l.wg.Go(func() {
		select {
		case <-time.After(notifyDelay):
		case <-l.ctx.Done():
		}
		l.update(func() { l.soon = false })
	})
}

// add adds a server under a new id. The server replaces a failed attempt to start the same server.
func (l *serverList) add(s *server) error {
	c := s.config
	name := c.name() // reads files, so before the lock
	last, used := s.host.lists.Get(s.key)
	refused := false
	l.update(func() {
		if l.closed {
			refused = true
			return
		}
		l.servers = slices.DeleteFunc(l.servers, func(old *server) bool {
			if old.view.Status != Failed || !old.config.sameServer(c) {
				return false
			}
			old.end() // it may wait for its restart, and later it could not be ended
			return true
		})
		s.view = Server{
			ID: l.freeID(registry.ServerID(name)), Name: name, Path: c.subject(), Args: c.Args, Details: Details{Command: c.Command, URL: c.URL, Dir: c.Dir, Saved: c.Name != "", Last: last, Used: used},
			Bundled: c.Bundled, Confinement: Confinement{NoSandbox: c.NoSandbox}, Status: Connecting, Since: time.Now(),
		}
		l.servers = append(l.servers, s)
		l.wg.Add(1)
	})
	if refused {
		s.end()
		return &Error{Kind: ErrStart, Subject: c.subject(), Err: errors.New("goated is closing")}
	}
	return nil
}

// freeID finds an id that no server has; the caller holds mu.
func (l *serverList) freeID(want string) string {
	taken := func(id string) bool {
		return slices.ContainsFunc(l.servers, func(s *server) bool { return s.view.ID == id })
	}
	id := want
	for n := 2; taken(id); n++ {
		id = want + "-" + strconv.Itoa(n)
	}
	return id
}

// drop removes a server, unless it is replaced already; the caller is within update.
func (l *serverList) drop(s *server) {
	if i := slices.Index(l.servers, s); i >= 0 {
		l.servers = slices.Delete(l.servers, i, i+1)
		l.reg.Remove(s.view.ID)
	}
}

// replace puts next, which does not run yet, in the place of old. next gets the id of old and has no
// tools. replace returns false if old has left the list or the host is closed; next has then ended.
func (l *serverList) replace(old, next *server) bool {
	placed := false
	l.update(func() {
		i := slices.Index(l.servers, old)
		if i < 0 || l.closed {
			return
		}
		next.view, next.off = old.view, old.off
		next.view.Args, next.view.Dir = next.config.Args, next.config.Dir
		next.view.Status, next.view.Since, next.view.Err = Connecting, time.Now(), nil
		next.view.RetryAt = time.Time{}
		next.view.NoSandbox = next.config.NoSandbox
		next.view.Sandbox, next.view.Policy = sandbox.Status{}, sandbox.Policy{} // until it runs
		l.reg.Remove(old.view.ID)                                                // next has no session yet
		l.servers = slices.Clone(l.servers)
		l.servers[i] = next
		old.next, next.follows = next, true
		next.earlier = keptRuns(old)
		l.wg.Add(1)
		placed = true
	})
	if !placed {
		next.end()
	}
	return placed
}

// find returns the server with an id, or nil.
func (l *serverList) find(id string) *server {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.servers {
		if s.view.ID == id {
			return s
		}
	}
	return nil
}

// setFailed records the reason of a server's failure.
func (l *serverList) setFailed(s *server, e *Error) {
	l.update(func() { s.view.Status, s.view.Since, s.view.Err = Failed, time.Now(), e })
}

// settleTime bounds the wait of settle.
const settleTime = 5 * time.Second

// settle waits until the registry has every change of a server's tools that the server announced
// before this call of its tool e. The call is then compared with the current definition. settle does not
// wait for a server that never stops announcing changes.
func (l *serverList) settle(ctx context.Context, e registry.Entry) error {
	var timer <-chan time.Time
	announced := -1
	for {
		l.mu.Lock()
		i := slices.IndexFunc(l.servers, func(s *server) bool { return s.view.ID == e.Server })
		changed := l.changed
		if i < 0 || l.servers[i].stale == 0 || announced >= 0 && l.servers[i].fetched >= announced {
			l.mu.Unlock()
			return nil
		}
		if announced < 0 {
			announced = l.servers[i].stale
			timer = time.After(settleTime)
		}
		l.mu.Unlock()
		select {
		case <-changed:
		case <-timer:
			return &Error{Kind: ErrChanged, Subject: e.Name}
		case <-ctx.Done():
			return fmt.Errorf("calling %s: %w", e.Name, ctx.Err())
		}
	}
}
