package live

import (
	"context"
	"encoding/json"
	"image"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A View holds what the window shows of the desktop servers. Create one with [NewView]. It is safe
// for concurrent use.
type View struct {
	mu      sync.Mutex
	servers []*server     // connected servers; the last one that has reported is shown
	hidden  *mirrored     // nil if there is no hidden desktop
	changed chan struct{} // closed at the next change
}

// A server is a connected desktop server.
type server struct {
	session  string
	state    State
	reported bool       // false: it has only asked for orders, so its state is still unknown
	orders   chan order // newest order that the server has not received yet
}

// NewView returns a view without a server.
func NewView() *View { return &View{changed: make(chan struct{})} }

// update changes the state and wakes all watchers.
func (v *View) update(change func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change()
	close(v.changed)
	v.changed = make(chan struct{})
}

// State returns the current state.
func (v *View) State() State {
	s, _ := v.current()
	return s
}

// OnOwnDesktop reports whether a server works on the user's own desktop, where it could press anything on
// the screen.
func (v *View) OnOwnDesktop() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	hidden := 0
	if v.hidden != nil {
		hidden = 1
	}
	return len(v.servers) > hidden
}

// current returns the state and a channel that closes at the next change.
func (v *View) current() (s State, changed <-chan struct{}) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, server := range slices.Backward(v.servers) {
		if server.reported {
			s = server.state
			s.Connected = true
			break
		}
	}
	s.Hidden, s.Actions = v.hidden != nil, slices.Clone(s.Actions)
	return s, v.changed
}

// Watch yields the current state, and then the state after each change, until ctx ends. It may skip
// states that are no longer current.
func (v *View) Watch(ctx context.Context) iter.Seq[State] {
	return func(yield func(State) bool) {
		for ctx.Err() == nil {
			s, changed := v.current()
			if !yield(s) {
				return
			}
			select {
			case <-changed:
			case <-ctx.Done():
			}
		}
	}
}

// Halt stops every action of the servers. They refuse new actions until [View.Resume].
func (v *View) Halt() { v.order(order{Halt: true}) }

// Resume allows actions again.
func (v *View) Resume() { v.order(order{}) }

// order sends an order to all servers. It replaces an order that a server has not received yet.
func (v *View) order(o order) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, s := range v.servers {
		select {
		case <-s.orders:
		default:
		}
		s.orders <- o
	}
}

// Mirror shows a hidden desktop until the caller calls gone. It replaces a previous hidden desktop.
func (v *View) Mirror(open func(context.Context) (Mirror, error)) (gone func()) {
	m := &mirrored{open}
	v.update(func() { v.hidden = m })
	return sync.OnceFunc(func() {
		v.update(func() {
			if v.hidden == m {
				v.hidden = nil
			}
		})
	})
}

// A mirrored is a running hidden desktop.
type mirrored struct {
	open func(context.Context) (Mirror, error)
}

// The rate of pictures. The pause after a picture depends on how long the picture took.
const (
	pace  = 125 * time.Millisecond
	share = 4 // the pause is this many times as long as the picture took
	retry = time.Second
)

// Pictures calls show with each new picture of the hidden desktop until ctx ends, on the caller's
// goroutine. within returns the maximum size of a picture in pixels. If there is no hidden desktop,
// Pictures calls show once with nil.
func (v *View) Pictures(ctx context.Context, within func() image.Point, show func(*image.RGBA)) {
	for ctx.Err() == nil {
		v.mu.Lock()
		m, changed := v.hidden, v.changed
		v.mu.Unlock()
		if m == nil {
			show(nil)
			for m == nil {
				select {
				case <-changed:
				case <-ctx.Done():
					return
				}
				v.mu.Lock()
				m, changed = v.hidden, v.changed
				v.mu.Unlock()
			}
		}
		v.follow(ctx, m, within, show)
	}
}

// follow shows pictures of one hidden desktop until the desktop or ctx ends.
func (v *View) follow(ctx context.Context, m *mirrored, within func() image.Point, show func(*image.RGBA)) {
	var mirror Mirror
	defer func() {
		if mirror != nil {
			mirror.Close()
		}
	}()
	for {
		v.mu.Lock()
		gone := v.hidden != m
		v.mu.Unlock()
		if gone || ctx.Err() != nil {
			return
		}
		began := time.Now()
		rest := pace
		err := error(nil)
		if mirror == nil {
			mirror, err = m.open(ctx)
		}
		if err == nil {
			var p *image.RGBA
			if p, err = mirror.Take(ctx, within()); p != nil {
				show(p)
			}
			rest = max(pace, share*time.Since(began))
		}
		if err != nil { // the desktop is starting or ending
			if mirror != nil {
				mirror.Close()
				mirror = nil
			}
			rest = retry
		}
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return
		}
	}
}

// Answer returns a handler for the requests of a [Reporter]. It passes other requests to next. It
// is a [goated/internal/hostcall.Handler].
func (v *View) Answer(next func(context.Context, string, json.RawMessage) (any, error)) func(context.Context, string, json.RawMessage) (any, error) {
	return func(ctx context.Context, method string, params json.RawMessage) (any, error) {
		if method != methodReport && method != methodOrders {
			return next(ctx, method, params)
		}
		var r report
		if err := json.Unmarshal(params, &r); err != nil || r.Session == "" || len(r.Actions) > recent {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this is no report of a desktop server"}
		}
		s := v.addServer(ctx, r.Session)
		if method == methodReport {
			v.update(func() { s.state, s.reported = r.State, true })
			return struct{}{}, nil
		}
		select {
		case o := <-s.orders:
			return o, nil
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// addServer returns the server of a session, and adds it if necessary. It remains until its connection
// ends with ctx.
func (v *View) addServer(ctx context.Context, session string) *server {
	v.mu.Lock()
	i := slices.IndexFunc(v.servers, func(s *server) bool { return s.session == session })
	if i >= 0 {
		defer v.mu.Unlock()
		return v.servers[i]
	}
	s := &server{session: session, orders: make(chan order, 1)}
	v.servers = append(v.servers, s)
	v.mu.Unlock()
	context.AfterFunc(ctx, func() {
		v.update(func() { v.servers = slices.DeleteFunc(v.servers, func(other *server) bool { return other == s }) })
	})
	return s
}
