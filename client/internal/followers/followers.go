// Package followers knows who follows which resource of one server, and tells them of
// changes.
//
// It owns that list, and knows no session: its user subscribes and unsubscribes.
package followers

import (
	"encoding/json"
	"slices"
	"strings"
	"sync"
)

// A Set holds the followers of the resources of one server. The zero value is empty. It is
// safe for concurrent use.
type Set struct {
	mu sync.Mutex
	of map[string][]chan struct{} // by URI
}

// Add adds a follower of a resource: a channel that holds one value.
func (s *Set) Add(uri string, changed chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil {
		s.of = make(map[string][]chan struct{})
	}
	s.of[uri] = append(s.of[uri], changed)
}

// Remove removes a follower, and reports whether it was the last one of the resource.
func (s *Set) Remove(uri string, changed chan struct{}) (last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	rest := slices.DeleteFunc(s.of[uri], func(o chan struct{}) bool { return o == changed })
	if s.of[uri] = rest; len(rest) == 0 {
		delete(s.of, uri)
	}
	return len(rest) == 0
}

// Updated notifies the followers of a resource, or of one that contains it. params are the
// parameters of notifications/resources/updated. It reports whether there are any followers,
// and does not block.
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
		tell(all)
		told = true
	}
	return told
}

// Acknowledged notifies all followers that a subscription to resources begins now, because they
// got no earlier change. params are the parameters of notifications/subscriptions/acknowledged.
// It reports whether the subscription also covers something other than resources.
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
		tell(all)
	}
	return p.Notifications.ToolsListChanged
}

// tell tells followers of a change, unless they know already.
func tell(all []chan struct{}) {
	for _, changed := range all {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
}
