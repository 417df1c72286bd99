package live

import (
	"context"
	"crypto/rand"
	"slices"
	"sync"
	"time"
)

// A Caller sends a request to the host and waits for the response.
type Caller interface {
	Call(ctx context.Context, method string, params, result any) error
}

// least is the minimum time between two reports. A report may cover several actions.
const least = 50 * time.Millisecond

// A Reporter tells the host what the server does, and obeys the user. Create one with
// [NewReporter]. It is safe for concurrent use. A nil Reporter does nothing.
type Reporter struct {
	host    Caller
	session string
	cancel  context.CancelFunc
	running sync.WaitGroup
	wake    chan struct{}

	mu    sync.Mutex
	state State
	last  int // number of the last action
	shown []int
}

// NewReporter starts to report. It calls halt and resume when the user requests it, one at a time.
// They must not block. The Reporter stops when the host ends, or if the host shows no desktop. The
// caller must close it.
func NewReporter(host Caller, key string, halt, resume func()) *Reporter {
	ctx, cancel := context.WithCancel(context.Background())
	r := &Reporter{host: host, session: rand.Text(), cancel: cancel, wake: make(chan struct{}, 1), state: State{Key: key}}
	r.changed()
	r.running.Go(func() {
		defer cancel()
		for {
			var o order
			if err := host.Call(ctx, methodOrders, ordersParams{r.session}, &o); err != nil {
				return
			}
			if o.Halt {
				halt()
			} else {
				resume()
			}
		}
	})
	r.running.Go(func() { r.report(ctx) })
	return r
}

func (r *Reporter) report(ctx context.Context) {
	for {
		select {
		case <-r.wake:
		case <-ctx.Done():
			return
		}
		r.mu.Lock()
		now := report{r.session, r.state}
		now.Actions = slices.Clone(r.state.Actions)
		r.mu.Unlock()
		if err := r.host.Call(ctx, methodReport, now, new(struct{})); err != nil {
			return
		}
		select {
		case <-time.After(least):
		case <-ctx.Done():
			return
		}
	}
}

// changed schedules a report.
func (r *Reporter) changed() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Begin reports the start of an action. The caller calls end when the action is over.
func (r *Reporter) Begin(method, target string) (end func(error)) {
	if r == nil {
		return func(error) {}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	id := r.last
	r.state.Acting++
	r.state.Actions = slices.Insert(r.state.Actions, 0, Action{Method: method, Target: target, Begun: time.Now().UTC()})
	r.shown = slices.Insert(r.shown, 0, id)
	n := min(len(r.shown), recent)
	r.state.Actions, r.shown = r.state.Actions[:n], r.shown[:n]
	r.changed()
	return func(err error) {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.state.Acting--
		if i := slices.Index(r.shown, id); i >= 0 {
			r.state.Actions[i].Ended = true
			if err != nil {
				r.state.Actions[i].Failed = err.Error()
			}
		}
		r.changed()
	}
}

// Halted reports that everything is halted, or that it continues.
func (r *Reporter) Halted(on bool) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Halted = on
	r.changed()
}

// SetHaltKey reports the keys that halt. A desktop may grant them late, change them or revoke them.
func (r *Reporter) SetHaltKey(key string) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.state.Key = key
	r.changed()
}

// Close stops the reports.
func (r *Reporter) Close() {
	if r == nil {
		return
	}
	r.cancel()
	r.running.Wait()
}
