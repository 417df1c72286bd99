package store

import (
	"context"
	"database/sql"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
)

// pending tracks the turns that are not completely on the disk, and the conversations that are not on
// the disk at all. It is safe for concurrent use.
type pending struct {
	closed chan struct{}  // closed by stopAdding
	timers sync.WaitGroup // the timers of recorders

	mu            sync.Mutex
	recorders     map[*Recorder]struct{} // the recorders of turns whose end is not on the disk
	conversations map[string]int64       // the conversations that are not on the disk: creation times in ns, by id
	reasons       map[*Recorder]error    // the reasons why data waits
	changed       chan struct{}          // closed and replaced when a recorder gets or loses a reason
}

func newPending(closed chan struct{}) *pending {
	return &pending{
		closed:        closed,
		recorders:     make(map[*Recorder]struct{}),
		conversations: make(map[string]int64),
		reasons:       make(map[*Recorder]error),
		changed:       make(chan struct{}),
	}
}

// stopAdding makes add refuse new recorders. It returns false if it was called before.
func (p *pending) stopAdding() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.closed:
		return false
	default:
		close(p.closed)
		return true
	}
}

// watch implements [Store.Pending].
func (p *pending) watch(ctx context.Context) iter.Seq[error] {
	return func(yield func(error) bool) {
		for {
			p.mu.Lock()
			changed := p.changed
			var reason error
			for _, err := range p.reasons {
				reason = err
			}
			p.mu.Unlock()
			if ctx.Err() != nil || !yield(reason) {
				return
			}
			select {
			case <-changed:
			case <-p.closed:
				return
			case <-ctx.Done():
				return
			}
		}
	}
}

// add registers a recorder for Close and for readers. It returns false if the store is closed.
func (p *pending) add(r *Recorder) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case <-p.closed:
		return false
	default:
		p.recorders[r] = struct{}{}
		return true
	}
}

func (p *pending) remove(r *Recorder) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.recorders, r)
}

// recording returns the registered recorders in the order of their turns.
func (p *pending) recording() []*Recorder {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.SortedFunc(maps.Keys(p.recorders), func(a, b *Recorder) int { return strings.Compare(a.ID, b.ID) })
}

// find returns the recorder of a turn, or nil if the turn is on the disk.
func (p *pending) find(turn string) *Recorder {
	p.mu.Lock()
	defer p.mu.Unlock()
	for r := range p.recorders {
		if r.ID == turn {
			return r
		}
	}
	return nil
}

// flush writes the data that recorders hold, so that readers see it. Data that cannot be written stays
// in its recorder, which reports the error to its next caller.
func (p *pending) flush() {
	for _, r := range p.recording() {
		_ = r.flush()
	}
}

// hold records the reason why data of a recorder waits.
func (p *pending) hold(r *Recorder, reason error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, waited := p.reasons[r]; !waited {
		p.notify()
	}
	p.reasons[r] = reason
}

// markWritten records that the data of a recorder and its conversation are on the disk.
func (p *pending) markWritten(r *Recorder) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conversations, r.conversation)
	if _, waited := p.reasons[r]; waited {
		delete(p.reasons, r)
		p.notify()
	}
}

// notify wakes watchers. The caller holds mu.
func (p *pending) notify() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// addConversation records a conversation that is not on the disk.
func (p *pending) addConversation(id string, created int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.conversations[id] = created
}

// removeConversation records that a conversation is on the disk.
func (p *pending) removeConversation(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conversations, id)
}

// conversation returns the row of a conversation that is not deleted. If the conversation waits in
// memory, it inserts the row.
func (p *pending) conversation(ctx context.Context, tx *sql.Tx, id string) (seq int64, err error) {
	p.mu.Lock()
	created, waits := p.conversations[id]
	p.mu.Unlock()
	if waits {
		if err := insertConversation(ctx, tx, id, created); err != nil {
			return 0, err
		}
	}
	return findConversation(ctx, tx, id)
}
