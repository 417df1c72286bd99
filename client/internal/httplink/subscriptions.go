package httplink

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// A subscriptions stores the requests with which goated subscribed to resources, so that they can be
// repeated in a new session. It is safe for concurrent use.
type subscriptions struct {
	mu       sync.Mutex
	requests map[string][]byte // by resource URI
}

// record stores a subscription, or removes it when goated unsubscribes.
func (f *subscriptions) record(req *jsonrpc.Request, data []byte) {
	var p struct{ URI string }
	if json.Unmarshal(req.Params, &p) != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case req.Method == "resources/unsubscribe":
		delete(f.requests, p.URI)
	case f.requests == nil:
		f.requests = map[string][]byte{p.URI: data}
	default:
		f.requests[p.URI] = data
	}
}

// all returns the requests.
func (f *subscriptions) all() [][]byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Collect(maps.Values(f.requests))
}
