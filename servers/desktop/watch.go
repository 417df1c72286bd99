package desktop

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/servers/desktop/convert"
	"goated/servers/desktop/link"
	pb "goated/servers/desktop/macosusesdk"
)

const (
	// maxEvents is the maximum number of events that an observation keeps.
	maxEvents = 1000
	// maxEnded is the maximum number of observations that are kept after their end.
	maxEnded = 50
)

// watchers follow observations and keep their events. They are safe for concurrent use. all is nil
// after stop.
type watchers struct {
	mu    sync.Mutex
	all   map[string]*watcher
	ended []*watcher // newest last
	work  sync.WaitGroup
}

// A watcher follows one observation.
type watcher struct {
	name   string
	cancel context.CancelFunc

	mu     sync.Mutex
	events []map[string]any // in ascending order of sequence
	last   int64            // highest sequence
	news   chan struct{}    // closed and replaced at each event; closed at the end
	ended  bool
	err    error
}

// watch returns the watcher of an observation, and starts one if there is none.
func (w *watchers) watch(l *link.Link, name string, tell func(map[string]any)) *watcher {
	w.mu.Lock()
	defer w.mu.Unlock()
	if one := w.all[name]; one != nil {
		return one
	}
	ctx, cancel := context.WithCancel(context.Background())
	one := &watcher{name: name, cancel: cancel, news: make(chan struct{})}
	if w.all == nil { // the last session ended before
		w.all = make(map[string]*watcher)
	}
	w.all[name] = one
	w.work.Go(func() {
		one.follow(ctx, l, tell)
		w.retire(one)
	})
	return one
}

// retire marks a watcher as ended. It drops the watcher that ended first if there are too many.
func (w *watchers) retire(one *watcher) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = append(w.ended, one)
	for len(w.ended) > maxEnded {
		if first := w.ended[0]; w.all[first.name] == first {
			delete(w.all, first.name)
		}
		w.ended = w.ended[1:]
	}
}

// forget ends and drops the watcher of an observation.
func (w *watchers) forget(name string) {
	w.mu.Lock()
	one := w.all[name]
	delete(w.all, name)
	w.mu.Unlock()
	if one != nil {
		one.cancel()
	}
}

// stop ends all watchers and waits for them.
func (w *watchers) stop() {
	w.mu.Lock()
	all := w.all
	w.all, w.ended = nil, nil
	w.mu.Unlock()
	for _, one := range all {
		one.cancel()
	}
	w.work.Wait()
}

// follow reads events until the observation ends. It reconnects after a lost connection.
func (w *watcher) follow(ctx context.Context, l *link.Link, tell func(map[string]any)) {
	var err error
	for wait := 200 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		err = l.Observe(ctx, w.name, func(e *pb.ObservationEvent) {
			wait = 200 * time.Millisecond
			if event := w.add(e); event != nil && tell != nil {
				tell(event)
			}
		})
		if ctx.Err() != nil || !isCode(err, "UNAVAILABLE") {
			break
		}
		pause := time.NewTimer(wait)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
		}
	}
	if ctx.Err() != nil {
		err = nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended, w.err = true, err
	close(w.news)
}

// add keeps an event and returns it as data, or nil if the event is already kept.
func (w *watcher) add(e *pb.ObservationEvent) map[string]any {
	w.mu.Lock()
	defer w.mu.Unlock()
	if e.GetSequence() > 0 && e.GetSequence() <= w.last {
		return nil // sent again after a lost connection
	}
	w.last = max(w.last+1, e.GetSequence())
	event := convert.Object(e.ProtoReflect())
	delete(event, "observation")
	event["sequence"] = w.last
	w.events = append(w.events, event)
	if len(w.events) > maxEvents {
		w.events = w.events[1:]
	}
	close(w.news)
	w.news = make(chan struct{})
	return event
}

// after returns the events after a sequence number, and a channel that closes at the next event.
func (w *watcher) after(sequence int64) (events []any, news <-chan struct{}, ended bool, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.events {
		if e["sequence"].(int64) > sequence {
			events = append(events, e)
		}
	}
	return events, w.news, w.ended, w.err
}

// createObservation starts an observation and keeps its events from then on.
func createObservation(ctx context.Context, c *call) (*answer, error) {
	if !c.has("type") {
		c.args["type"] = "element_changes"
	}
	a, err := c.callMethod(ctx)
	if err != nil {
		return nil, err
	}
	name, _ := a.data["name"].(string)
	if name == "" {
		return nil, &failure{codeInternal, "internal", "the server made an observation without a name", "Try again."}
	}
	session := c.req.Session
	c.watchers.forget(name) // an earlier observation with this name has ended
	c.watchers.watch(c.link, name, func(event map[string]any) {
		// Log messages are best effort, and off until the client sets a level.
		//lint:ignore SA1019 clients of the earlier era get observations as log messages
		_ = session.Log(context.Background(), &mcp.LoggingMessageParams{Level: "info", Logger: "desktop", Data: map[string]any{"observation": name, "event": event}})
	})
	a.text += "\nRead its events with stream_observations."
	return a, nil
}

// streamObservations waits for events of an observation and returns them.
func streamObservations(ctx context.Context, c *call) (*answer, error) {
	name := c.text("name")
	if err := c.link.Call(ctx, "GetObservation", &pb.GetObservationRequest{Name: name}, new(pb.Observation)); err != nil {
		return nil, err
	}
	w := c.watchers.watch(c.link, name, nil)
	after := int64(c.number("after", 0))
	limit := time.Duration(min(max(c.number("timeout", 10), 0), 3600) * float64(time.Second))
	late := time.NewTimer(limit)
	defer late.Stop()
	told := after
	for {
		events, news, ended, err := w.after(after)
		for _, e := range events {
			event := e.(map[string]any)
			if n := event["sequence"].(int64); n > told {
				told = n
				c.notify(ctx, float64(n), 0, line(event))
			}
		}
		if len(events) > 0 || ended {
			if len(events) == 0 && err != nil {
				return nil, err
			}
			return c.eventsAnswer(events, after, ended), nil
		}
		select {
		case <-news:
		case <-late.C:
			return c.eventsAnswer(nil, after, false), nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// eventsAnswer returns the answer with the events after a sequence number. It reports as lost the
// events before the first one that are no longer kept or that the service dropped.
func (c *call) eventsAnswer(events []any, after int64, ended bool) *answer {
	data := map[string]any{"events": events, "last_sequence": after, "ended": ended}
	if events == nil {
		data["events"] = []any{}
	}
	if len(events) > 0 {
		if lost := events[0].(map[string]any)["sequence"].(int64) - after - 1; lost > 0 {
			data["lost"] = lost
		}
	}
	a, _ := fit(data, c.budget())
	shown, _ := data["events"].([]any)
	if len(shown) > 0 {
		last := shown[len(shown)-1].(map[string]any)["sequence"].(int64)
		data["last_sequence"] = last
		if len(shown) < len(events) {
			data["note"] = fmt.Sprintf("%d more events. Call again with after=%d.", len(events)-len(shown), last)
		}
		a.text = render(data)
	}
	return a
}

// watchAccessibility returns the changes of an application's elements until the timeout, or until
// the application ends.
func watchAccessibility(ctx context.Context, c *call) (*answer, error) {
	req, err := c.request(ctx)
	if err != nil {
		return nil, err
	}
	limit := time.Duration(min(max(c.number("timeout", 5), 0.1), 60) * float64(time.Second))
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	data := map[string]any{}
	n := 0 // number of messages; the first lists the elements that already exist
	err = c.link.Watch(ctx, req.Interface().(*pb.WatchAccessibilityRequest), func(r *pb.WatchAccessibilityResponse) {
		if n++; n == 1 {
			return
		}
		for k, v := range convert.Object(r.ProtoReflect()) {
			had, _ := data[k].([]any)
			more, _ := v.([]any)
			data[k] = append(had, more...)
		}
		c.notify(ctx, float64(n-1), 0, fmt.Sprintf("%d added, %d removed, %d modified", len(r.GetAdded()), len(r.GetRemoved()), len(r.GetModified())))
	})
	switch {
	case n > 0 && isCode(err, "NOT_FOUND"):
		data["note"] = "The application has ended."
	case err != nil && len(data) > 0:
		data["note"] = "The watch ended early: " + toFailure(err).sentence()
	case err != nil:
		return nil, err
	case n == 0:
		return nil, &failure{codeServer, "DEADLINE_EXCEEDED", "the application was not read within " + withUnit(limit.Seconds(), "second"), "It may hang, or need longer: look at it, or call again with a longer timeout."}
	case len(data) == 0:
		return &answer{text: "Nothing changed.", data: data}, nil
	}
	a, _ := fit(data, c.budget())
	return a, nil
}
