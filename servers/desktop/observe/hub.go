package observe

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"goated/servers/desktop/macosusesdk"
)

// The limits of observations.
const (
	MaxObservations = 50
	MaxEvents       = 1000     // events that an observation keeps for later
	MaxBytes        = 64 << 10 // of an observation's definition
	MinInterval     = 50 * time.Millisecond
	DefaultInterval = time.Second
	MaxInterval     = 10 * time.Minute
)

// A Run looks at the desktop until ctx ends and calls emit for each change. It returns nil if the
// observation is complete.
type Run func(ctx context.Context, emit func(*macosusesdk.ObservationEvent)) error

// A Hub runs observations. Create one with [NewHub]. The caller must close it. It is safe for
// concurrent use.
type Hub struct {
	now  func() time.Time
	work sync.WaitGroup

	mu     sync.Mutex
	last   int
	all    map[string]*observation
	closed bool
}

// An observation is a running or ended observation with its events.
type observation struct {
	pb      *macosusesdk.Observation
	cancel  context.CancelFunc
	events  []*macosusesdk.ObservationEvent
	last    int64         // sequence number of the last event
	changed chan struct{} // closed and replaced at each event and at the end
}

// NewHub returns a hub without observations. now is its clock; nil means the system's clock.
func NewHub(now func() time.Time) *Hub {
	if now == nil {
		now = time.Now
	}
	return &Hub{now: now, all: make(map[string]*observation)}
}

// Close cancels all observations and waits for them.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	for _, o := range h.all {
		o.cancel()
	}
	h.mu.Unlock()
	h.work.Wait()
}

// intervalOf returns the interval between an observation's looks.
func intervalOf(f *macosusesdk.ObservationFilter) (time.Duration, error) {
	seconds := f.GetPollInterval()
	switch {
	case seconds == 0:
		return DefaultInterval, nil
	case !(seconds > 0) || seconds > MaxInterval.Seconds():
		return 0, status.Errorf(codes.InvalidArgument, "poll_interval is %v seconds; it is more than 0 and at most %v", seconds, MaxInterval.Seconds())
	}
	return max(time.Duration(seconds*float64(time.Second)), MinInterval), nil
}

// Create starts an observation below a parent. If id is empty, the hub chooses one. The observation
// runs until it is cancelled, its Run returns, or the hub is closed.
func (h *Hub) Create(parent, id string, want *macosusesdk.Observation, run Run) (*macosusesdk.Observation, error) {
	if want.GetType() == macosusesdk.ObservationType_OBSERVATION_TYPE_UNSPECIFIED {
		return nil, status.Error(codes.InvalidArgument, "the observation has no type; it is one of ELEMENT, WINDOW, APPLICATION, ATTRIBUTE and TREE changes")
	}
	if _, err := intervalOf(want.GetFilter()); err != nil {
		return nil, err
	}
	if n := proto.Size(want); n > MaxBytes {
		return nil, status.Errorf(codes.InvalidArgument, "the observation has %d bytes; at most %d are allowed", n, MaxBytes)
	}
	if len(id) > 63 || strings.ContainsAny(id, "/ ") {
		return nil, status.Errorf(codes.InvalidArgument, "observation_id %q is not possible; leave it out, or use at most 63 characters without / and spaces", id)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, status.Error(codes.Unavailable, "the desktop server ends")
	}
	h.trim()
	active := 0
	for _, o := range h.all {
		if o.active() {
			active++
		}
	}
	if active >= MaxObservations {
		return nil, status.Errorf(codes.ResourceExhausted, "%d observations are active; cancel one", active)
	}
	prefix := strings.TrimSuffix(parent, "/") + "/observations/"
	name := prefix + id
	for id == "" && (name == prefix || h.all[name] != nil) { // a caller may have chosen this name already
		h.last++
		name = fmt.Sprintf("%so%d", prefix, h.last)
	}
	if h.all[name] != nil {
		return nil, status.Errorf(codes.AlreadyExists, "%s exists already", name)
	}
	ctx, cancel := context.WithCancel(context.Background())
	o := &observation{cancel: cancel, changed: make(chan struct{}), pb: proto.CloneOf(want)}
	now := timestamppb.New(h.now())
	o.pb.Name, o.pb.State, o.pb.CreateTime, o.pb.StartTime, o.pb.EndTime = name, macosusesdk.Observation_STATE_ACTIVE, now, now, nil
	h.all[name] = o
	h.work.Go(func() {
		err := attempt(ctx, run, func(e *macosusesdk.ObservationEvent) { h.emit(o, e) })
		h.end(o, ctx, err)
		cancel()
	})
	return proto.CloneOf(o.pb), nil
}

// attempt calls run. A panic fails the observation, but not the process.
func attempt(ctx context.Context, run Run, emit func(*macosusesdk.ObservationEvent)) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = status.Errorf(codes.Internal, "the backend failed: %v", p)
		}
	}()
	return run(ctx, emit)
}

func (o *observation) active() bool { return o.pb.State == macosusesdk.Observation_STATE_ACTIVE }

// trim drops the oldest ended observations if there are too many. The caller holds mu.
func (h *Hub) trim() {
	var ended []*observation
	for _, o := range h.all {
		if !o.active() {
			ended = append(ended, o)
		}
	}
	slices.SortFunc(ended, func(a, b *observation) int { return a.pb.EndTime.AsTime().Compare(b.pb.EndTime.AsTime()) })
	for _, o := range ended[:max(0, len(ended)-MaxObservations)] {
		delete(h.all, o.pb.Name)
	}
}

// emit adds an event to an observation. It drops events after the observation's end.
func (h *Hub) emit(o *observation, e *macosusesdk.ObservationEvent) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !o.active() {
		return
	}
	o.last++
	e.Observation, e.Sequence, e.EventTime = o.pb.Name, o.last, timestamppb.New(h.now())
	o.events = append(o.events, e)
	if over := len(o.events) - MaxEvents; over > 0 {
		o.events = append(o.events[:0:0], o.events[over:]...)
	}
	o.wake()
}

func (o *observation) wake() {
	close(o.changed)
	o.changed = make(chan struct{})
}

func (h *Hub) end(o *observation, ctx context.Context, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !o.active() {
		return
	}
	switch {
	case ctx.Err() != nil:
		o.pb.State = macosusesdk.Observation_STATE_CANCELLED
	case err != nil:
		o.pb.State = macosusesdk.Observation_STATE_FAILED
	default:
		o.pb.State = macosusesdk.Observation_STATE_COMPLETED
	}
	o.pb.EndTime = timestamppb.New(h.now())
	o.wake()
}

// find returns an observation. The caller holds mu.
func (h *Hub) find(name string) (*observation, error) {
	o := h.all[name]
	if o == nil {
		return nil, status.Errorf(codes.NotFound, "there is no observation %q; list the observations of its application", name)
	}
	return o, nil
}

// Get returns an observation. Ended observations remain available for a while.
func (h *Hub) Get(name string) (*macosusesdk.Observation, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	o, err := h.find(name)
	if err != nil {
		return nil, err
	}
	return proto.CloneOf(o.pb), nil
}

// List returns the observations below a parent, or all of them if parent is empty, sorted by name.
func (h *Hub) List(parent string) (list []*macosusesdk.Observation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(h.all)) {
		if parent == "" || strings.HasPrefix(name, strings.TrimSuffix(parent, "/")+"/observations/") {
			list = append(list, proto.CloneOf(h.all[name].pb))
		}
	}
	return list
}

// Cancel ends an observation. It does not change an observation that has ended.
func (h *Hub) Cancel(name string) (*macosusesdk.Observation, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	o, err := h.find(name)
	if err != nil {
		return nil, err
	}
	h.stop(o)
	return proto.CloneOf(o.pb), nil
}

// CancelAll ends all active observations.
func (h *Hub) CancelAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, o := range h.all {
		h.stop(o)
	}
}

// stop cancels an observation if it is active. The caller holds mu.
func (h *Hub) stop(o *observation) {
	if o.active() {
		o.pb.State, o.pb.EndTime = macosusesdk.Observation_STATE_CANCELLED, timestamppb.New(h.now())
		o.cancel()
		o.wake()
	}
}

// Events returns the kept events after a sequence number, and whether more may follow. lost is the
// number of later events that are no longer kept.
func (h *Hub) Events(name string, after int64) (events []*macosusesdk.ObservationEvent, lost int64, more bool, err error) {
	events, lost, more, _, err = h.since(name, after)
	return events, lost, more, err
}

func (h *Hub) since(name string, after int64) (events []*macosusesdk.ObservationEvent, lost int64, more bool, changed <-chan struct{}, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	o, err := h.find(name)
	if err != nil {
		return nil, 0, false, nil, err
	}
	first := o.last - int64(len(o.events)) + 1
	after = max(after, 0)
	if after+1 < first {
		lost = first - after - 1
	}
	if skip := max(after+1-first, 0); skip < int64(len(o.events)) {
		events = slices.Clone(o.events[skip:])
	}
	return events, lost, o.active(), o.changed, nil
}

// Stream sends an observation's events, starting with the kept ones, until the observation or ctx
// ends, or send fails.
func (h *Hub) Stream(ctx context.Context, name string, send func(*macosusesdk.ObservationEvent) error) error {
	var after int64
	for {
		events, _, more, changed, err := h.since(name, after)
		if err != nil {
			return err
		}
		for _, e := range events {
			if err := send(e); err != nil {
				return err
			}
			after = e.Sequence
		}
		if !more && len(events) == 0 {
			return nil
		}
		if !more {
			continue
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return status.FromContextError(ctx.Err()).Err()
		}
	}
}

// ErrGone means that the observed application has ended, so the observation is complete.
var ErrGone = errors.New("the application has ended")

// Elements returns the Run of an observation of elements. It looks at each interval, and sooner if
// changed, which may be nil, receives a token. If a look fails, it tries again at the next
// interval, except after [ErrGone].
func Elements(want *macosusesdk.Observation, changed <-chan struct{}, look func(context.Context) ([]*macosusesdk.Element, error)) Run {
	return func(ctx context.Context, emit func(*macosusesdk.ObservationEvent)) error {
		interval, err := intervalOf(want.GetFilter())
		if err != nil {
			return err
		}
		var before []*macosusesdk.Element
		begun := false
		return Poll(ctx, interval, changed, func(ctx context.Context) error {
			now, err := look(ctx)
			if err != nil {
				return err
			}
			if begun {
				for _, e := range Diff(before, now, want.GetFilter().GetAttributes()).Events(want.GetType()) {
					emit(e)
				}
			}
			before, begun = now, true
			return nil
		})
	}
}

// Poll calls look immediately, at each interval, and sooner if changed receives a token, but at
// most once per [MinInterval]. It returns when ctx ends, or without an error when look returns
// ErrGone.
func Poll(ctx context.Context, interval time.Duration, changed <-chan struct{}, look func(context.Context) error) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		if err := look(ctx); errors.Is(err, ErrGone) {
			return nil
		}
		rest := time.NewTimer(MinInterval)
		select {
		case <-rest.C:
		case <-ctx.Done():
			rest.Stop()
			return ctx.Err()
		}
		select {
		case <-tick.C:
		case _, ok := <-changed:
			if !ok {
				changed = nil // only the interval remains
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
