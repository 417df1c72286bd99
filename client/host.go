package client

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"log/slog"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"goated/client/internal/folders"
	"goated/client/internal/protocols"
	"goated/client/internal/searchpath"
	"goated/internal/proc"
	"goated/internal/programs"
	"goated/internal/sandbox"
	"goated/internal/sandbox/cgroup"
	"goated/internal/toolcache"
	"goated/registry"
)

// A Host connects servers and calls their tools. It is safe for concurrent use. Each
// part of its state has one owner: the list of servers, the limits, the search path,
// the folders of servers, and the choice of their sandboxes.
type Host struct {
	o         Options         // not changed after New
	ctx       context.Context // ends with Close
	stop      context.CancelFunc
	wg        sync.WaitGroup // one for each server, and for what runs beside them
	list      *serverList
	limits    *timeouts
	protocols *protocols.Cache
	programs  *searchpath.Path
	folders   *folders.Tree
	packages  *packages
	sandboxes *sandboxes
	lists     *toolcache.Store

	connections atomic.Int64  // numbers the connections of all servers
	starts      chan struct{} // one for each process that is starting
	changing    sync.Map      // of chan bool by the id of a server; it holds a value while the server changes to the older protocol
}

// New returns a host without servers.
func New(o Options) *Host {
	o.Version = cmp.Or(o.Version, "dev")
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	o.MaxFrame = cmp.Or(o.MaxFrame, DefaultMaxFrame)
	h := &Host{
		o:         o,
		limits:    &timeouts{},
		protocols: protocols.NewCache(o.Caches.ProtocolCache, o.Logger),
		programs:  searchpath.New(o.Env),
		folders:   folders.New(o.Data, o.Private, o.Logger),
	}
	h.lists = toolcache.New(o.Caches.ToolLists)
	h.starts = make(chan struct{}, maxConcurrentStarts())
	h.limits.set(o.Timeouts.Connect, o.Timeouts.Call)
	h.ctx, h.stop = context.WithCancel(context.Background())
	h.list = &serverList{ctx: h.ctx, wg: &h.wg, changed: make(chan struct{})}
	if o.Debug {
		h.list.fail = func(err error) { o.logError(context.Background(), "checking the registry", err) }
	}
	h.packages = newPackages(o.Env, proc.Getenv(o.Env, "HOME"), h.folders, func(err error) { o.Logger.Warn("package managers use no configuration of the user", "cause", err) })
	h.sandboxes = &sandboxes{
		probe: sandbox.Probe, ask: o.Unconfined, allowed: make(map[string]bool),
		find:   func() sandbox.Bubble { return sandbox.FindBubble(h.ctx, h.programs.Inherited()) },
		failed: func(err error) { o.Logger.Info("servers start without bubblewrap", "cause", err) },
	}
	h.sandboxes.groups = sync.OnceValue(func() *cgroup.Tree {
		if o.Process.Groups == nil {
			return nil
		}
		t, err := o.Process.Groups()
		if err != nil {
			o.Logger.Info("servers start without control groups", "cause", err)
		}
		return t
	})
	if o.Process.Programs != "" {
		h.programs.Add(programs.Bin(o.Process.Programs))
	}
	h.programs.AskLogin(h.ctx, &h.wg, o.Process.LoginPath)
	if o.Process.Reload {
		h.wg.Go(func() { reload(h.ctx, h) })
	}
	return h
}

// Watch yields the current state, and then the state after each change until ctx ends.
// A slow reader may miss states, but never the last one.
func (h *Host) Watch(ctx context.Context) iter.Seq[Snapshot] {
	return func(yield func(Snapshot) bool) {
		for {
			h.list.mu.Lock()
			now, changed := h.list.snapshot(), h.list.changed
			h.list.mu.Unlock()
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

// Snapshot returns the current state.
func (h *Host) Snapshot() Snapshot {
	h.list.mu.Lock()
	defer h.list.mu.Unlock()
	return h.list.snapshot()
}

// Tools yields every tool of every connected server, in the registry's order.
func (h *Host) Tools() iter.Seq[registry.Entry] {
	h.list.mu.Lock()
	defer h.list.mu.Unlock()
	return slices.Values(h.list.reg.All())
}

// Lookup finds a tool by its qualified name; the error is
// [ErrToolNotFound], [ErrOff] if the user turned the tool off, or [ErrUncallable].
func (h *Host) Lookup(name string) (registry.Entry, error) {
	h.list.mu.Lock()
	entry, ok := h.list.reg.Lookup(name)
	var e *Error
	if !ok {
		e = notFoundError(&h.list.reg, name)
	}
	h.list.mu.Unlock()
	if e != nil {
		h.o.logError(context.Background(), "looking up tool", e, "tool", name)
		return registry.Entry{}, e
	}
	return entry, nil
}

// notFoundError says why no tool of that name can be called.
func notFoundError(r *registry.Registry, name string) *Error {
	if _, off := r.LookupOff(name); off {
		return &Error{Kind: ErrOff, Subject: name}
	}
	if p, ok := r.LookupUncallable(name); ok {
		return &Error{Kind: ErrUncallable, Subject: name, Err: errors.New(p.Reason)}
	}
	return &Error{Kind: ErrToolNotFound, Subject: name, Near: r.Nearest(name)}
}

// FindByName finds the tools that a user may mean by name; see [registry.Registry.FindByName].
func (h *Host) FindByName(name string) []registry.Entry {
	h.list.mu.Lock()
	defer h.list.mu.Unlock()
	return h.list.reg.FindByName(name)
}

// Check verifies the registry's invariants.
func (h *Host) Check() error {
	h.list.mu.Lock()
	defer h.list.mu.Unlock()
	return h.list.reg.Check()
}

// Close disconnects all servers in parallel, and waits for the end of their processes.
// The host cannot be used afterwards.
func (h *Host) Close() {
	h.list.mu.Lock()
	h.list.closed = true
	servers := slices.Clone(h.list.servers)
	h.list.mu.Unlock()
	for _, s := range servers {
		s.end()
	}
	h.stop()
	h.wg.Wait()
	h.folders.Remove()
}

// Timeouts returns the current limits of a start and of a call.
func (h *Host) Timeouts() (connect, call time.Duration) { return h.limits.get() }

// SetTimeouts changes the limits for later starts and calls; 0 means the default, as
// in [Options].
func (h *Host) SetTimeouts(connect, call time.Duration) { h.limits.set(connect, call) }

// AddSearchDir adds a folder to the search path of later starts, such as the one in which a
// [FailureReport] found a missing program.
func (h *Host) AddSearchDir(dir string) { h.programs.Add(dir) }

// LookPathFunc returns a function that finds a program where the start of a server of h finds it,
// except that it does not wait for the login shell.
func LookPathFunc(h *Host) func(program string) (path string, err error) {
	return func(program string) (string, error) { return proc.LookPath(program, h.programs.KnownSoFar()) }
}

// LoginLookPathFunc is [LookPathFunc] with the whole search path: it waits for the login shell until ctx ends, as the start
// of a server does.
func LoginLookPathFunc(ctx context.Context, h *Host) func(program string) (path string, err error) {
	path := h.programs.All(ctx)
	return func(program string) (string, error) { return proc.LookPath(program, path) }
}

// Private lists the folders that a server opens only with a grant of the user: the folders of
// [Options.Private], and the folder that holds the servers' own folders. It lists each by its
// name and by the target of its links. Private reads the disk.
func (h *Host) Private() []string { return h.folders.Private() }

// timeouts are the limits of a start and of a call.
type timeouts struct {
	mu            sync.Mutex
	connect, call time.Duration
}

func (t *timeouts) get() (connect, call time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.connect, t.call
}

func (t *timeouts) set(connect, call time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.connect, t.call = cmp.Or(connect, DefaultConnectTimeout), cmp.Or(call, DefaultCallTimeout)
}
