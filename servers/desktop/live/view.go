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

// A View is what the window shows of a desktop server. Make one with [NewView]. It is safe
// for concurrent use.
type View struct {
	mu      sync.Mutex
	servers []*server     // those that are connected; the last one that reported is shown
	hidden  *mirrored     // nil: there is no hidden desktop
	changed chan struct{} // closed at the next change
}

// A server is one that reports.
type server struct {
	session  string
	state    State
	reported bool       // false: it asked for orders only, and its state is not known yet
	orders   chan order // the newest order that it has not got
}

// NewView returns a view of no server.
func NewView() *View { return &View{changed: make(chan struct{})} }

// update changes the state and wakes those who watch.
func (v *View) update(change func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	change()
	close(v.changed)
	v.changed = make(chan struct{})
}

// State returns the present state.
func (v *View) State() State {
	s, _ := v.now()
	return s
}

// Sees reports whether a server works on the user's own desktop, where it could press what is on
// the screen.
func (v *View) Sees() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	hidden := 0
	if v.hidden != nil {
		hidden = 1
	}
	return len(v.servers) > hidden
}

// now returns the state and what closes at its next change.
func (v *View) now() (s State, changed <-chan struct{}) {
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

// Watch yields the present state, then each change until ctx ends; the latest wins.
func (v *View) Watch(ctx context.Context) iter.Seq[State] {
	return func(yield func(State) bool) {
		for ctx.Err() == nil {
			s, changed := v.now()
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

// Halt stops every action of the servers, which refuse others until [View.Resume].
func (v *View) Halt() { v.order(order{Halt: true}) }

// Resume allows actions again.
func (v *View) Resume() { v.order(order{}) }

// order gives an order to all servers; a newer one replaces it.
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

// Mirror shows a hidden desktop, in place of an earlier one, until gone is called.
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

// A mirrored is a hidden desktop that runs.
type mirrored struct {
	open func(context.Context) (Mirror, error)
}

// The pace of pictures: a picture that was costly to take is followed by a longer rest.
const (
	pace  = 125 * time.Millisecond
	share = 4 // a rest is this many times as long as the picture took
	retry = time.Second
)

// Pictures calls show with each new picture of the hidden desktop until ctx ends, on the
// goroutine of the caller. within returns how large a picture may be, in pixels. Without a
// hidden desktop it calls show with nil, once.
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

// follow shows pictures of one hidden desktop until it or ctx ends.
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
		if err != nil { // it starts, or it ends
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

// Answer answers the requests of a [Reporter]. Others go to next. It is a
// [goated/internal/hostcall.Handler].
func (v *View) Answer(next func(context.Context, string, json.RawMessage) (any, error)) func(context.Context, string, json.RawMessage) (any, error) {
	return func(ctx context.Context, method string, params json.RawMessage) (any, error) {
		if method != methodReport && method != methodOrders {
			return next(ctx, method, params)
		}
		var r report
		if err := json.Unmarshal(params, &r); err != nil || r.Session == "" || len(r.Actions) > recent {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "this is no report of a desktop server"}
		}
		s := v.join(ctx, r.Session)
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

// join returns the server of a session. It is shown until its connection ends with ctx.
func (v *View) join(ctx context.Context, session string) *server {
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
