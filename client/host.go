package client

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"goated/internal/sandbox"
	"goated/registry"
)

// A Host connects servers and calls their tools. It is safe for concurrent use.
type Host struct {
	o Options

	wg        sync.WaitGroup // one per server, and what runs beside them
	protocols *protocolCache
	ctx       context.Context // ends with Close
	stop      context.CancelFunc
	// login is the login shell's PATH, once loginDone is closed.
	login     string
	loginDone chan struct{}

	mu      sync.Mutex
	servers []*server // in order of connection
	reg     registry.Registry
	changed chan struct{} // closed and replaced with each change
	closed  bool
	soon    bool     // the watchers will be told shortly
	lookIn  []string // folders of programs, beside those on the PATH
	temp    string   // the servers' folders, where Options.Data is none

	probe      func() sandbox.Status // what this system can do
	bubble     bubble
	unconfined map[string]bool // scripts that may run without a sandbox where there is none
}

// New returns a host without servers.
func New(o Options) *Host {
	o.ConnectTimeout = cmp.Or(o.ConnectTimeout, DefaultConnectTimeout)
	o.CallTimeout = cmp.Or(o.CallTimeout, DefaultCallTimeout)
	o.Version = cmp.Or(o.Version, "dev")
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	o.MaxFrame = cmp.Or(o.MaxFrame, DefaultMaxFrame)
	h := &Host{o: o, protocols: &protocolCache{path: o.ProtocolCache, log: o.Logger}, loginDone: make(chan struct{}), changed: make(chan struct{}), probe: sandbox.Probe, bubble: bubble{find: sandbox.FindBubble}, unconfined: make(map[string]bool)}
	h.ctx, h.stop = context.WithCancel(context.Background())
	h.findLogin()
	return h
}

// Watch yields the present state, and then the state after each change until
// ctx ends. A reader that is slower than the changes misses those between, but
// never the last.
func (h *Host) Watch(ctx context.Context) iter.Seq[Snapshot] {
	return func(yield func(Snapshot) bool) {
		for {
			h.mu.Lock()
			now, changed := h.snapshot(), h.changed
			h.mu.Unlock()
			if ctx.Err() != nil || !yield(now) {
				return
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
	}
}

// Snapshot returns the present state.
func (h *Host) Snapshot() Snapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.snapshot()
}

// Tools yields every tool of every connected server, in the registry's order.
func (h *Host) Tools() iter.Seq[registry.Entry] {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Values(h.reg.All())
}

// Lookup finds a tool by its qualified name, or is [ErrToolNotFound].
func (h *Host) Lookup(name string) (registry.Entry, error) {
	h.mu.Lock()
	entry, ok := h.reg.Lookup(name)
	h.mu.Unlock()
	if !ok {
		e := &Error{Kind: ErrToolNotFound, Subject: name}
		h.log(context.Background(), "looking up tool", e, "tool", name)
		return registry.Entry{}, e
	}
	return entry, nil
}

// Named finds the tools that a person means by name; see [registry.Registry.Named].
func (h *Host) Named(name string) []registry.Entry {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.reg.Named(name)
}

// Check verifies the registry's invariants.
func (h *Host) Check() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.reg.Check()
}

// Close disconnects all servers at once, waits until their processes are gone,
// and refuses every later use.
func (h *Host) Close() {
	h.mu.Lock()
	h.closed = true
	servers := slices.Clone(h.servers)
	h.mu.Unlock()
	for _, s := range servers {
		s.end()
	}
	h.stop()
	h.wg.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.temp != "" {
		_ = os.RemoveAll(h.temp) // a temporary folder: the system sweeps up what is left
		h.temp = ""
	}
}

// snapshot copies the state; the caller holds mu.
func (h *Host) snapshot() Snapshot {
	out := Snapshot{Servers: make([]Server, len(h.servers))}
	for i, s := range h.servers {
		v := s.view
		v.Tools = h.reg.Of(v.ID)
		v.Parked = h.reg.Parked(v.ID)
		if s.link != nil {
			v.Stderr = s.link.lines()
			v.Noise = s.link.Noise()
			if v.Sandbox.Confined() {
				v.Needs = sandbox.Needs(v.Policy, s.link.refused(), slices.Concat(v.Stderr, s.refused))
			}
		}
		out.Servers[i] = v
	}
	return out
}

// update changes the state and tells the watchers.
func (h *Host) update(change func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	change()
	if h.o.Debug {
		if err := h.reg.Check(); err != nil {
			h.log(context.Background(), "checking the registry", err)
		}
	}
	close(h.changed)
	h.changed = make(chan struct{})
}

// changedSoon tells the watchers before long, and once for many changes.
func (h *Host) changedSoon() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.soon || h.closed {
		return
	}
	h.soon = true
	h.wg.Go(func() {
		select {
		case <-time.After(soonTime):
		case <-h.ctx.Done():
		}
		h.update(func() { h.soon = false })
	})
}

// soonTime is how long a change may wait that nobody waits for.
const soonTime = 100 * time.Millisecond

// add makes room for a server in the list, under an id of its own, in place of
// an earlier attempt at the same that failed.
func (h *Host) add(c Config) (*server, error) {
	s := newServer(h, c)
	name := c.name() // reads files, so before the lock
	refused := false
	h.update(func() {
		if h.closed {
			refused = true
			return
		}
		h.servers = slices.DeleteFunc(h.servers, func(old *server) bool {
			if old.view.Status != Failed || !old.config.same(c) {
				return false
			}
			old.end() // or it would be brought back, or wait for that, with nobody to end it
			return true
		})
		s.view = Server{
			ID: h.freeID(registry.ServerID(name)), Name: name, Path: c.subject(), Args: c.Args,
			Bundled: c.Bundled, NoSandbox: c.NoSandbox, Status: Connecting, Since: time.Now(),
		}
		h.servers = append(h.servers, s)
		h.wg.Add(1)
	})
	if refused {
		s.end()
		return nil, &Error{Kind: ErrStart, Subject: c.subject(), Err: errors.New("goated is closing")}
	}
	return s, nil
}

// freeID finds an id that no server in the list has; the caller holds mu.
func (h *Host) freeID(want string) string {
	taken := func(id string) bool {
		return slices.ContainsFunc(h.servers, func(s *server) bool { return s.view.ID == id })
	}
	id := want
	for n := 2; taken(id); n++ {
		id = want + "-" + strconv.Itoa(n)
	}
	return id
}

// drop takes a server off the list, unless another has its place already; the
// caller is within update.
func (h *Host) drop(s *server) {
	if i := slices.Index(h.servers, s); i >= 0 {
		h.servers = slices.Delete(h.servers, i, i+1)
		h.reg.Remove(s.view.ID)
	}
}

// Timeouts are the limits that count now, for a start and for a call.
func (h *Host) Timeouts() (connect, call time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.o.ConnectTimeout, h.o.CallTimeout
}

// SetTimeouts changes the limits for what starts from now on; 0 means the
// default, as in [Options].
func (h *Host) SetTimeouts(connect, call time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.o.ConnectTimeout = cmp.Or(connect, DefaultConnectTimeout)
	h.o.CallTimeout = cmp.Or(call, DefaultCallTimeout)
}
