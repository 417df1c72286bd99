// Package account knows the requests of both sides of one connection that have no answer yet, and
// the protocol version on which the two sides agreed.
//
// It owns the limit of the probe by which goated finds out the version of a server. It must not know
// how messages travel: the links to pipes and to URLs report what they send and receive.
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
	// ProbeLimit bounds the wait for an answer to server/discover. Servers older
	// than 2026-07-28 should refuse it, but some never answer.
	ProbeLimit = 3 * time.Second
	// maxAsked bounds the open requests of a server.
	maxAsked = 64
)

// An Account holds the requests of one connection. It is safe for concurrent use.
type Account struct {
	late func(probe jsonrpc.ID, why error) // nil: a probe has no limit

	mu      sync.Mutex
	pending map[jsonrpc.ID]request
	asked   map[jsonrpc.ID]bool // the server's requests
	version string              // of the protocol, once both agreed
	listed  int64               // bytes of answers to tools/list
	probe   jsonrpc.ID          // of server/discover; invalid once it is answered in time
	timer   *time.Timer         // runs while the probe waits for its answer
	slow    bool                // the probe was answered too late
}

// A request is one of goated.
type request struct {
	method string
	cancel func() // may be nil
}

// New returns an account. It calls late, outside of any lock, if a server does not answer
// server/discover in time: "clients SHOULD fall back to initialize" (MCP 2026-07-28, Versioning), and
// the SDK does so on any error. If late is nil, server/discover waits as any other request.
func New(late func(probe jsonrpc.ID, why error)) *Account {
	return &Account{late: late, pending: make(map[jsonrpc.ID]request), asked: make(map[jsonrpc.ID]bool)}
}

// Begin records a request that is about to be sent. cancel ends it; it may be nil.
func (a *Account) Begin(id jsonrpc.ID, method string, cancel func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.pending[id] = request{method, cancel}
	if method == "server/discover" && a.late != nil {
		a.probe = id
		a.timer = time.AfterFunc(ProbeLimit, func() { a.late(id, errors.New("no answer to server/discover")) })
	}
}

// Unlimit makes a probe wait for its answer without a limit, for example while the user signs in.
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

// Stop ends the limit of the probe at the end of the connection.
func (a *Account) Stop() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.unlimit(a.probe)
}

// Drop removes a request that was cancelled, not sent, or answered in place of the server. It returns
// the function that ends it. ok is false if there is no such request: it was never sent, or is
// answered. "Cancellation notifications MUST only reference requests that were previously issued"
// (MCP, Cancellation), and the SDK cancels every request that is given up.
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

// Settle records the answer to a request, and returns the request's method. ok is false if there is
// no such request.
func (a *Account) Settle(r *jsonrpc.Response) (method string, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	sent, ok := a.pending[r.ID]
	if !ok {
		if a.isProbe(r.ID) && r.Error == nil {
			a.slow = true // not the method is unknown: the server's start was slow
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
			a.version = answers.Agreed(r.Result)
		}
	}
	return sent.method, true
}

// isProbe reports whether an id is the one of a probe without an answer. The caller holds mu.
func (a *Account) isProbe(id jsonrpc.ID) bool { return a.probe.IsValid() && id == a.probe }

// Unasked says why an answer is to no open request; nil for a late answer to server/discover.
func (a *Account) Unasked(id jsonrpc.ID) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.isProbe(id) {
		return nil
	}
	return answers.Unasked(id, func(id jsonrpc.ID) bool { _, ok := a.pending[id]; return ok })
}

// Has reports whether a request has no answer yet.
func (a *Account) Has(id jsonrpc.ID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, ok := a.pending[id]
	return ok
}

// Answerable lists the requests that a cut message with an id may answer: the one of the id, or all
// if there is none.
func (a *Account) Answerable(id jsonrpc.ID) (ids []jsonrpc.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, ok := a.pending[id]; ok {
		return []jsonrpc.ID{id}
	}
	for other, r := range a.pending {
		if answered(r.method) {
			ids = append(ids, other)
		}
	}
	return ids
}

// Owes reports whether the server owes an answer to any request but id.
func (a *Account) Owes(but jsonrpc.ID) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	for id, r := range a.pending {
		if answered(r.method) && id != but {
			return true
		}
	}
	return false
}

// answered reports whether a method has an answer. subscriptions/listen stays open.
func answered(method string) bool { return method != "subscriptions/listen" }

// Ask records a request of the server. It is false if its id is in use.
func (a *Account) Ask(id jsonrpc.ID) (fresh bool, fault error) {
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

// Reply records that goated answers a request of the server.
func (a *Account) Reply(id jsonrpc.ID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.asked, id)
}

// Version returns the version of the protocol; empty before both agreed.
func (a *Account) Version() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.version
}

// ListedBytes returns the size of all answers to tools/list so far.
func (a *Account) ListedBytes() int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.listed
}

// SlowStart reports whether the server answered server/discover too late: it knows the method, but
// seemed not to.
func (a *Account) SlowStart() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.slow
}

// CancelledID returns the id of the request that a notification of the SDK cancels.
func CancelledID(msg *jsonrpc.Request) jsonrpc.ID {
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(msg.Params, &params) // the SDK wrote it
	id, _ := jsonscan.ParseID(params.RequestID)
	return id
}
