// Package account tracks the open requests of both sides of a connection, and the protocol version
// on which the two sides agreed.
//
// It owns the timeout of the probe with which goated finds out a server's version. It must not know
// how messages travel: the links to pipes and to URLs report the messages that they send and
// receive.
package account

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client/internal/answers"
	"goated/internal/jsonscan"
)

const (
	// ProbeLimit bounds the wait for a response to server/discover. Servers older than 2026-07-28
	// should refuse the request, but some never respond.
	ProbeLimit = 3 * time.Second
	// maxAsked bounds the open requests from a server.
	maxAsked = 64
)

// An Account holds the open requests of one connection. It is safe for concurrent use.
type Account struct {
	late func(probe jsonrpc.ID, why error) // nil means that a probe has no timeout

	mu      sync.Mutex
	pending map[jsonrpc.ID]request
	asked   map[jsonrpc.ID]bool // the server's requests
	version string              // of the protocol, once both sides agreed
	listed  int64               // size of the responses to tools/list
	probe   jsonrpc.ID          // of server/discover; invalid after a response in time
	timer   *time.Timer         // runs while the probe waits for its response
	slow    bool                // the response to the probe came too late
}

// A request is a request from goated to the server.
type request struct {
	method string
	cancel func() // may be nil
}

// New returns an account. If a server does not respond to server/discover in time, the account
// calls late without holding a lock: "clients SHOULD fall back to initialize" (MCP 2026-07-28,
// Versioning), and the SDK does so on any error. If late is nil, server/discover has no timeout.
func New(late func(probe jsonrpc.ID, why error)) *Account {
	return &Account{late: late, pending: make(map[jsonrpc.ID]request), asked: make(map[jsonrpc.ID]bool)}
}

// Begin records a request before it is sent. cancel ends the request; it may be nil.
func (a *Account) Begin(id jsonrpc.ID, method string, cancel func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending[id] = request{method, cancel}
	if method == "server/discover" && a.late != nil {
		a.probe = id
		a.timer = time.AfterFunc(ProbeLimit, func() { a.late(id, errors.New("no answer to server/discover")) })
	}
}

// Unlimit removes the timeout of a probe, for example while the user signs in.
func (a *Account) Unlimit(id jsonrpc.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.unlimit(id)
}

// unlimit is Unlimit for a caller that holds mu.
func (a *Account) unlimit(id jsonrpc.ID) {
	if a.timer != nil && id == a.probe {
		a.timer.Stop()
	}
}

// Stop stops the timeout of the probe when the connection ends.
func (a *Account) Stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.unlimit(a.probe)
}

// Drop removes a request that was cancelled, was not sent, or got a response from goated instead of
// the server. It returns the function that ends the request. ok is false if there is no such
// request, because it was never sent or already has a response. "Cancellation notifications MUST
// only reference requests that were previously issued" (MCP, Cancellation), but the SDK sends a
// cancellation for every abandoned request.
func (a *Account) Drop(id jsonrpc.ID) (cancel func(), ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r, ok := a.pending[id]
	if ok {
		delete(a.pending, id)
		a.unlimit(id)
	}
	return r.cancel, ok
}

// Resolve records the response to a request and returns the request's method. ok is false if there
// is no such request.
func (a *Account) Resolve(r *jsonrpc.Response) (method string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	sent, ok := a.pending[r.ID]
	if !ok {
		if a.isProbe(r.ID) && r.Error == nil {
			a.slow = true // the server has the method, but it started slowly
		}
		return "", false
	}
	delete(a.pending, r.ID)
	if a.isProbe(r.ID) {
		a.unlimit(r.ID)
		a.probe = jsonrpc.ID{}
	}
	if sent.method == "tools/list" {
		a.listed += int64(len(r.Result))
	}
	if r.Error == nil {
		switch sent.method {
		case "server/discover":
			a.version = answers.Modern
		case "initialize":
			a.version = answers.AgreedVersion(r.Result)
		}
	}
	return sent.method, true
}

// isProbe reports whether id belongs to a probe without a response. The caller holds mu.
func (a *Account) isProbe(id jsonrpc.ID) bool { return a.probe.IsValid() && id == a.probe }

// UnexpectedResponse explains why a response matches no open request. It returns nil for a late response to
// server/discover.
func (a *Account) UnexpectedResponse(id jsonrpc.ID) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.isProbe(id) {
		return nil
	}
	return answers.UnexpectedResponse(id, func(id jsonrpc.ID) bool { _, ok := a.pending[id]; return ok })
}

// Has reports whether a request is open.
func (a *Account) Has(id jsonrpc.ID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, ok := a.pending[id]
	return ok
}

// Answerable lists the requests to which a truncated message with this id may respond: the request
// with the id, or all requests if none has it.
func (a *Account) Answerable(id jsonrpc.ID) (ids []jsonrpc.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.pending[id]; ok {
		return []jsonrpc.ID{id}
	}
	for other, r := range a.pending {
		if getsResponse(r.method) {
			ids = append(ids, other)
		}
	}
	return ids
}

// AwaitsOther reports whether a request other than id awaits a response.
func (a *Account) AwaitsOther(but jsonrpc.ID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, r := range a.pending {
		if getsResponse(r.method) && id != but {
			return true
		}
	}
	return false
}

// getsResponse reports whether a method gets a response. subscriptions/listen stays open.
func getsResponse(method string) bool { return method != "subscriptions/listen" }

// BeginServerRequest records a request from the server. fresh is false if its id is in use.
func (a *Account) BeginServerRequest(id jsonrpc.ID) (fresh bool, fault error) {
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

// EndServerRequest records that goated responds to a request from the server.
func (a *Account) EndServerRequest(id jsonrpc.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.asked, id)
}

// Version returns the protocol version, or "" before both sides agreed.
func (a *Account) Version() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.version
}

// ListedBytes returns the total size of the responses to tools/list so far.
func (a *Account) ListedBytes() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.listed
}

// SlowStart reports whether the server responded to server/discover too late. It supports the
// method although goated assumed otherwise.
func (a *Account) SlowStart() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.slow
}

// CancelledID returns the id of the request that the SDK cancels with a notification.
func CancelledID(msg *jsonrpc.Request) jsonrpc.ID {
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(msg.Params, &params) // the SDK wrote it
	id, _ := jsonscan.ParseID(params.RequestID)
	return id
}
