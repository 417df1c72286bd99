package proc

import (
	"slices"
	"sync"

	"goated/internal/sandbox"
)

// refused collects the permissions that a sandbox refused to its process. It is safe for concurrent
// use. The zero value is empty and ready.
type refused struct {
	mu      sync.Mutex
	all     []sandbox.Permission // the sandbox limits their number
	changed func()               // must not block; nil: nobody watches
}

func (r *refused) add(p sandbox.Permission) {
	r.mu.Lock()
	r.all = append(r.all, p)
	changed := r.changed
	r.mu.Unlock()
	if changed != nil {
		changed()
	}
}

// list returns the refused permissions, or instead the allowed hosts that did not answer.
func (r *refused) list(unanswered bool) []sandbox.Permission {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(r.all), func(p sandbox.Permission) bool { return (p.Kind == sandbox.Unanswered) != unanswered })
}

// watch calls changed after each addition, and at once if there already are any.
func (r *refused) watch(changed func()) {
	r.mu.Lock()
	r.changed = changed
	some := len(r.all) > 0
	r.mu.Unlock()
	if some {
		changed()
	}
}
