// Package readiness lets a turn wait for the servers that are starting, so that the model gets
// their tools. The wait has a limit, and never depends on a single server: the turn continues
// without the servers that fail or take too long, and reports them.
//
// It owns the announced starts, and the starts that a wait gave up. It must not know how a wait is
// shown.
package readiness

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/safetext"
)

// defaultLimit is the limit of one wait.
const defaultLimit = 30 * time.Second

// quiet is how long a wait reports nothing. Most servers start within this time, and a line that
// appears and disappears at once is only distracting.
const quiet = 300 * time.Millisecond

// A Waiter contains a host's tools, and waits for the host's starting servers. It is an
// [agent.Waiter]. It is safe for concurrent use. Create one with [New].
type Waiter struct {
	*client.Host
	Limit time.Duration // of one wait; 0 means defaultLimit

	mu        sync.Mutex
	announced []*Start
	held      bool            // more starts will be announced
	passed    map[string]bool // by server id: an earlier wait gave up the server
	changed   chan struct{}   // closed and replaced with each change of announced
}

// New returns a Waiter without announced starts.
func New(h *client.Host) *Waiter {
	return &Waiter{Host: h, passed: make(map[string]bool), changed: make(chan struct{})}
}

var _ agent.Asker = (*Waiter)(nil)

// WithUserTime implements [agent.Asker].
func (r *Waiter) WithUserTime(ctx context.Context) (context.Context, func() time.Duration) {
	return client.WithUserTime(ctx)
}

// A Start is a server that is about to start. The host may not know it yet.
type Start struct {
	name   string
	launch *config.Launch // nil for a bundled server, which name identifies
	ended  bool
	err    error
	passed bool
}

// is reports whether s is the announced server.
func (a *Start) is(s client.Server) bool {
	if a.launch != nil {
		return !s.Bundled && a.launch.Same(consent.LaunchOfServer(s))
	}
	return s.Bundled && s.Name == a.name
}

// Announce announces a server that is about to start. From then on, turns wait for it. The launch
// is nil for a bundled server. The caller must call End in every case.
func (r *Waiter) Announce(name string, l *config.Launch) *Start {
	a := &Start{name: name, launch: l}
	r.change(func() { r.announced = append(r.announced, a) })
	return a
}

// Hold makes turns wait until Release, even if no start has been announced yet.
func (r *Waiter) Hold() { r.change(func() { r.held = true }) }

// Release ends Hold, because every start has been announced. It may be called several times.
func (r *Waiter) Release() { r.change(func() { r.held = false }) }

// End ends an announced start. The start failed if err is not nil.
func (r *Waiter) End(a *Start, err error) {
	r.change(func() { a.ended, a.err = true, err })
}

func (r *Waiter) change(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f()
	close(r.changed)
	r.changed = make(chan struct{})
}

// Await implements [agent.Waiter]. The limit applies to one wait. Later waits do not wait for
// servers that an earlier one gave up.
func (r *Waiter) Await(ctx context.Context) iter.Seq[agent.Event] {
	return func(yield func(agent.Event) bool) {
		ctx, cancel := context.WithCancel(ctx)
		var watching sync.WaitGroup
		defer watching.Wait()
		defer cancel()
		servers := make(chan struct{}, 1)
		watching.Go(func() {
			for range r.Watch(ctx) {
				select {
				case servers <- struct{}{}:
				default:
				}
			}
		})
		w := wait{waiter: r, until: time.Now().Add(cmp.Or(r.Limit, defaultLimit)), servers: make(map[string]bool)}
		shown := time.NewTimer(quiet)
		defer shown.Stop()
		loud := false
		for {
			names, changed := w.look()
			left := time.Until(w.until)
			if len(names) == 0 || left <= 0 || ctx.Err() != nil {
				break
			}
			if loud && !yield(agent.ServersStarting{Names: names, Left: left.Round(time.Second)}) {
				return
			}
			select {
			case <-servers:
			case <-changed:
			case <-shown.C:
				loud = true
				shown.Reset(min(time.Second, max(left, time.Millisecond)))
			case <-ctx.Done():
			}
		}
		if missing := w.missing(); ctx.Err() == nil && len(missing.Failed)+len(missing.Slow) > 0 {
			yield(missing)
		}
	}
}

// A wait is the state of one Await.
type wait struct {
	waiter  *Waiter
	until   time.Time
	servers map[string]bool // by id: servers to wait for
	starts  []*Start        // announced starts to wait for
}

// look returns the names of the servers that are starting, and a channel that closes when an
// announced start begins or ends.
func (w *wait) look() (names []string, changed <-chan struct{}) {
	r := w.waiter
	now := r.Snapshot().Servers
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range now {
		if s.Status == client.Connecting && !r.passed[s.ID] {
			w.servers[s.ID] = true
			names = append(names, safetext.Name(s.Name))
		}
		if s.Status != client.Connecting {
			delete(r.passed, s.ID) // a later start counts as a new one
		}
	}
	r.announced = slices.DeleteFunc(r.announced, func(a *Start) bool { return a.ended && !slices.Contains(w.starts, a) })
	for _, a := range r.announced {
		if a.ended || a.passed || slices.ContainsFunc(now, a.is) {
			continue
		}
		if !slices.Contains(w.starts, a) {
			w.starts = append(w.starts, a)
		}
		names = append(names, a.name)
	}
	if r.held && len(names) == 0 {
		names = []string{"your servers"}
	}
	return names, r.changed
}

// missing returns the servers without which the turn continues.
func (w *wait) missing() (m agent.ServersMissing) {
	r := w.waiter
	now := r.Snapshot().Servers
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range now {
		switch {
		case !w.servers[s.ID]:
		case s.Status == client.Failed:
			m.Failed = append(m.Failed, safetext.Name(s.Name))
		case s.Status == client.Connecting:
			r.passed[s.ID] = true
			m.Slow = append(m.Slow, safetext.Name(s.Name))
		}
	}
	for _, a := range w.starts {
		switch {
		case slices.ContainsFunc(now, a.is):
		case a.ended && a.err != nil:
			m.Failed = append(m.Failed, a.name)
		case !a.ended:
			a.passed = true
			m.Slow = append(m.Slow, a.name)
		}
	}
	return m
}
