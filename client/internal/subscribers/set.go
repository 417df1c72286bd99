// Package subscribers keeps the subscribers of each resource of one server, and notifies them of changes.
//
// It owns that list. It must not know sessions: its caller subscribes and unsubscribes.
package subscribers

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// A Set holds the subscribers of the resources of one server. The zero value is empty. It is
// safe for concurrent use.
type Set struct {
	mu    sync.Mutex
	of    map[string][]chan struct{} // by URI
	turns map[string]*uriLock        // by URI
}

// A uriLock is the right to subscribe to one resource or to unsubscribe from it.
type uriLock struct {
	taken chan struct{} // holds a value while somebody has the lock
	users int           // number of users that have the lock or wait for it
}

// Lock waits until nobody else subscribes to a resource or unsubscribes from it, and makes others
// wait until the caller calls done. Without it, a server that handles an unsubscription late would
// drop the next subscription.
func (s *Set) Lock(ctx context.Context, uri string) (done func(), err error) {
	t := s.acquire(uri)
	select {
	case t.taken <- struct{}{}:
		return func() { <-t.taken; s.release(uri, t) }, nil
	case <-ctx.Done():
		s.release(uri, t)
		return nil, ctx.Err()
	}
}

func (s *Set) acquire(uri string) *uriLock {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.turns[uri]
	if t == nil {
		t = &uriLock{taken: make(chan struct{}, 1)}
		if s.turns == nil {
			s.turns = make(map[string]*uriLock)
		}
		s.turns[uri] = t
	}
	t.users++
	return t
}

func (s *Set) release(uri string, t *uriLock) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.users--; t.users == 0 {
		delete(s.turns, uri)
	}
}

// Add adds a subscriber of a resource. changed must have a buffer of one value.
func (s *Set) Add(uri string, changed chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = make(map[string][]chan struct{})
	}
	s.of[uri] = append(s.of[uri], changed)
}

// Remove removes a subscriber, and reports whether it was the last one for the resource.
func (s *Set) Remove(uri string, changed chan struct{}) (last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := slices.DeleteFunc(s.of[uri], func(o chan struct{}) bool { return o == changed })
	if s.of[uri] = rest; len(rest) == 0 {
		delete(s.of, uri)
	}
	return len(rest) == 0
}

// Updated notifies the subscribers of a resource and of the resources that contain it. params are the
// params of notifications/resources/updated. Updated reports whether there are any subscribers. It
// does not block.
func (s *Set) Updated(params []byte) (told bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var p struct{ URI string }
	if len(s.of) == 0 || json.Unmarshal(params, &p) != nil {
		return false // a flood is not worth reading
	}
	for uri, all := range s.of {
		if p.URI != uri && !strings.HasPrefix(p.URI, strings.TrimSuffix(uri, "/")+"/") {
			continue
		}
		notify(all)
		told = true
	}
	return told
}

// Acknowledged notifies all subscribers that a subscription to resources begins now, because they
// missed all earlier changes. params are the params of notifications/subscriptions/acknowledged. It
// reports whether the subscription also covers something other than resources.
func (s *Set) Acknowledged(params []byte) (more bool) {
	var p struct {
		Notifications struct {
			ToolsListChanged      bool
			ResourceSubscriptions []string
		}
	}
	if json.Unmarshal(params, &p) != nil || len(p.Notifications.ResourceSubscriptions) == 0 {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, all := range s.of {
		notify(all)
	}
	return p.Notifications.ToolsListChanged
}

// notify notifies subscribers of a change, unless they already have a notification.
func notify(all []chan struct{}) {
	for _, changed := range all {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
}
