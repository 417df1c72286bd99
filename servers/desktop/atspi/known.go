package atspi

import (
	"strconv"
	"sync"
	"time"
)

// A Target is an element with the identity that it had when the caller saw it. An action is refused if
// the element has another identity by then.
type Target struct {
	Ref    Ref
	PID    int
	Role   string
	Name   string
	Secure bool

	named bool // Name is the element's own name, not the name of its labels
	page  bool // see [Tree.inPage]
}

// maxKnown limits how many elements keep their ids.
const maxKnown = 20_000

// known gives elements short ids, because a model has to repeat them, and finds elements by id.
type known struct {
	mu   sync.Mutex
	last int
	byID map[string]Target
	ids  map[Ref]string
	old  []string // ids in the order of their first use

	recent map[Ref]time.Time // when elements were last pressed, for [instant]
}

// instant is the longest time that a button stays down if it is not really a toggle.
const instant = 500 * time.Millisecond

func (k *known) press(r Ref) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.recent[r] = time.Now()
	for old, at := range k.recent {
		if time.Since(at) > instant {
			delete(k.recent, old)
		}
	}
}

// pressed reports whether an element was pressed within the last [instant].
func (k *known) pressed(r Ref) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return time.Since(k.recent[r]) < instant
}

func newKnown() *known {
	return &known{byID: make(map[string]Target), ids: make(map[Ref]string), recent: make(map[Ref]time.Time)}
}

// id returns the id of an element, and stores the element's present identity under it.
func (k *known) id(t Target) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	id, ok := k.ids[t.Ref]
	if !ok {
		if len(k.old) >= maxKnown {
			for _, old := range k.old[:maxKnown/2] {
				delete(k.ids, k.byID[old].Ref)
				delete(k.byID, old)
			}
			k.old = append([]string(nil), k.old[maxKnown/2:]...)
		}
		k.last++
		id = "e" + strconv.Itoa(k.last)
		k.ids[t.Ref], k.old = id, append(k.old, id)
	}
	k.byID[id] = t
	return id
}

// Target returns the element with an id, as the caller last saw it.
func (b *Bus) Target(id string) (Target, bool) {
	b.known.mu.Lock()
	defer b.known.mu.Unlock()
	t, ok := b.known.byID[id]
	return t, ok
}
