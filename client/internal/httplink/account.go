package httplink

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client/internal/answers"
	"goated/internal/jsonscan"
)

// maxAsked bounds the open requests of a server.
const maxAsked = 64

// An account holds the requests of both sides that have no answer yet. It is safe for
// concurrent use.
type account struct {
	mu      sync.Mutex
	pending map[jsonrpc.ID]*call
	asked   map[jsonrpc.ID]bool // the server's requests
	version string              // of the protocol, once both agreed
	listed  int64               // bytes of answers to tools/list
	late    jsonrpc.ID          // of server/discover, once goated stopped waiting for it
	slow    bool                // server/discover was answered too late
	follows map[string][]byte   // requests for resources/subscribe, by the resource
}

// A call is a request of goated.
type call struct {
	method string
	cancel context.CancelFunc // ends its HTTP request
	probe  *time.Timer        // ends the wait for server/discover; nil for others
}

func newAccount() *account {
	return &account{pending: make(map[jsonrpc.ID]*call), asked: make(map[jsonrpc.ID]bool), follows: make(map[string][]byte)}
}

func (a *account) begin(req *jsonrpc.Request, c *call) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c.method = req.Method
	a.pending[req.ID] = c
}

// follow keeps a subscription for the sessions that replace this one.
func (a *account) follow(req *jsonrpc.Request, data []byte) {
	var p struct{ URI string }
	if json.Unmarshal(req.Params, &p) != nil {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if req.Method == "resources/unsubscribe" {
		delete(a.follows, p.URI)
	} else {
		a.follows[p.URI] = data
	}
}

// followed returns the requests by which goated subscribed to resources.
func (a *account) followed() [][]byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Collect(maps.Values(a.follows))
}

// wait makes a request wait for its answer without a limit, while the user signs in.
func (a *account) wait(id jsonrpc.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.pending[id]; c != nil && c.probe != nil {
		c.probe.Stop()
	}
}

// drop removes a request, and reports whether it had no answer.
func (a *account) drop(id jsonrpc.ID) (*call, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c, ok := a.pending[id]
	delete(a.pending, id)
	return c, ok
}

// has reports whether a request has no answer yet.
func (a *account) has(id jsonrpc.ID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, ok := a.pending[id]
	return ok
}

// settle records the answer to a request, and returns the request's method; ok is
// false if there is no such request.
func (a *account) settle(r *jsonrpc.Response) (method string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	c, ok := a.pending[r.ID]
	if !ok {
		a.slow = a.slow || a.late.IsValid() && r.ID == a.late && r.Error == nil
		return "", false
	}
	delete(a.pending, r.ID)
	if c.method == "tools/list" {
		a.listed += int64(len(r.Result))
	}
	if r.Error == nil {
		switch c.method {
		case "server/discover":
			a.version = modern
		case "initialize":
			a.version = versionOf(r.Result)
		}
	}
	return c.method, true
}

// unasked says why an answer is to no open request; nil for a late answer to server/discover.
func (a *account) unasked(id jsonrpc.ID) error {
	if a.mu.Lock(); a.late.IsValid() && id == a.late {
		a.mu.Unlock()
		return nil
	}
	a.mu.Unlock()
	return answers.Unasked(id, a.has)
}

// versionOf returns the version that an answer to initialize agrees on.
func versionOf(result []byte) (version string) {
	jsonscan.Members(result, func(key, value []byte) {
		if string(key) == "protocolVersion" && len(value) <= jsonscan.MaxName {
			version = jsonscan.Unquote(value)
		}
	})
	return version
}

// expire marks the request for server/discover as no longer waited for.
func (a *account) expire(id jsonrpc.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.late = id
}

// ask records a request of the server. It is false if its id is in use.
func (a *account) ask(id jsonrpc.ID) (fresh bool, fault error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.asked[id] {
		return false, nil
	}
	if a.asked[id] = true; len(a.asked) > maxAsked {
		return true, fmt.Errorf("the server has more than %d open requests at once", maxAsked)
	}
	return true, nil
}

// reply records that goated answers a request of the server.
func (a *account) reply(id jsonrpc.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.asked, id)
}

// agreed returns the version of the protocol; empty before both agreed.
func (a *account) agreed() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.version
}

func (a *account) listedBytes() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.listed
}

func (a *account) slowStart() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.slow
}
