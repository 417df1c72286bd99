package track

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"sync"
	"time"
)

// maxHistory is the number of ended requests that a tracker stores (seed 004).
const maxHistory = 1000

// errUnknown means that no request has the id, or that the request has ended.
var errUnknown = errors.New("no such request")

// errDuplicate means that an active request has the same id.
var errDuplicate = errors.New("a request with this id is active")

// A Record describes a request.
type Record struct {
	ID       string    `json:"id"`
	Tool     string    `json:"tool"`
	Caller   string    `json:"caller"`
	State    State     `json:"state"`
	Created  time.Time `json:"createdAt"`
	Updated  time.Time `json:"updatedAt"`
	Attempts int       `json:"attempts"` // number of times that the caller asked again
	Err      string    `json:"error,omitempty"`
	Category Category  `json:"category,omitempty"` // of Err
}

// A Tracker tracks the active requests, and the last [maxHistory] requests that ended. It is safe
// for concurrent use. Create one with [New].
type Tracker struct {
	now func() time.Time
	log *slog.Logger

	mu      sync.Mutex
	active  map[string]*Record
	history []Record // oldest first
	tools   map[string]*tally
}

// New returns an empty tracker. It writes a line to log for each rejected transition. log may be
// nil.
func New(log *slog.Logger) *Tracker {
	if log == nil {
		log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return &Tracker{now: time.Now, log: log, active: make(map[string]*Record), tools: make(map[string]*tally)}
}

// Track adds a request in the state Pending. If the id is already active, it returns
// [errDuplicate].
func (t *Tracker) Track(id, tool, caller string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r, ok := t.active[id]; ok {
		r.Attempts++
		r.Updated = t.now()
		return fmt.Errorf("%w: %s", errDuplicate, id)
	}
	now := t.now()
	t.active[id] = &Record{ID: id, Tool: tool, Caller: caller, State: Pending, Created: now, Updated: now}
	t.tally(tool).requests++
	return nil
}

// Do moves a request to its next state. cause is stored with a request that fails or is cancelled;
// it may be nil. A request that reaches a terminal state moves to the history. So each request ends
// exactly once, because a later event finds no request. The errors are [errUnknown] and
// [*transitionError].
func (t *Tracker) Do(id string, event Event, cause error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	r, ok := t.active[id]
	if !ok {
		return fmt.Errorf("%w: %s", errUnknown, id)
	}
	to, err := Next(r.State, event)
	if err != nil {
		t.log.Warn("refusing a transition", "request", id, "error", err)
		return err
	}
	r.State, r.Updated = to, t.now()
	if cause != nil {
		r.Err, r.Category = cause.Error(), Classify(cause)
	}
	if to.Terminal() {
		t.end(r)
	}
	return nil
}

func (t *Tracker) end(r *Record) {
	delete(t.active, r.ID)
	if len(t.history) >= maxHistory {
		t.history = slices.Delete(t.history, 0, len(t.history)-maxHistory+1)
	}
	t.history = append(t.history, *r)
	t.tally(r.Tool).end(r)
}

// State returns the state of a request, or Idle if it is unknown.
func (t *Tracker) State(id string) State {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r, ok := t.active[id]; ok {
		return r.State
	}
	for _, r := range slices.Backward(t.history) {
		if r.ID == id {
			return r.State
		}
	}
	return Idle
}

// Active returns the requests that have not ended, oldest first.
func (t *Tracker) Active() []Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	all := make([]Record, 0, len(t.active))
	for _, r := range t.active {
		all = append(all, *r)
	}
	slices.SortFunc(all, func(a, b Record) int { return a.Created.Compare(b.Created) })
	return all
}

// History returns the requests that have ended, oldest first.
func (t *Tracker) History() []Record {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.history)
}
