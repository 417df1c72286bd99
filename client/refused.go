package client

import (
	"slices"
	"sync"

	"goated/internal/sandbox"
)

// refused is what a server's sandbox kept from it and knows for sure. It is safe
// for concurrent use.
type refused struct {
	mu   sync.Mutex
	all  []sandbox.Permission // bounded by the sandbox
	tell func()               // of a change; it must not block
}

func (r *refused) add(p sandbox.Permission) {
	r.mu.Lock()
	r.all = append(r.all, p)
	tell := r.tell
	r.mu.Unlock()
	if tell != nil {
		tell()
	}
}

// list is what there is now.
func (r *refused) list() []sandbox.Permission {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.all)
}

// watch has tell called with each change, and at once for those before.
func (r *refused) watch(tell func()) {
	r.mu.Lock()
	r.tell = tell
	had := len(r.all) > 0
	r.mu.Unlock()
	if had {
		tell()
	}
}
