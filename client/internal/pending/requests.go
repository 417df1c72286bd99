// Package pending tracks the open requests of both sides of a connection, and the protocol version
// on which the two sides agreed.
//
// It owns the timeout of the probe with which goated finds out a server's version. It must not know
// how messages travel: the links to pipes and to URLs report the messages that they send and
// receive.
package pending

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

// Requests holds the open requests of one connection. It is safe for concurrent use.
type Requests struct {
	late func(probe jsonrpc.ID, why error) // nil means that a probe has no timeout

	mu      sync.Mutex
	sent    map[jsonrpc.ID]request // without a response so far
	asked   map[jsonrpc.ID]bool    // the server's requests
	version string                 // of the protocol, once both sides agreed
	listed  int64                  // size of the responses to tools/list
	probe   jsonrpc.ID             // of server/discover; invalid after a response in time
	timer   *time.Timer            // runs while the probe waits for its response
	slow    bool                   // the response to the probe came too late
}

// A request is a request from goated to the server.
type request struct {
	method string
	cancel func() // may be nil
}

// New returns an empty set of requests. If a server does not respond to server/discover in time, it
// calls late without holding a lock: "clients SHOULD fall back to initialize" (MCP 2026-07-28,
// Versioning), and the SDK does so on any error. If late is nil, server/discover has no timeout.
func New(late func(probe jsonrpc.ID, why error)) *Requests {
	return &Requests{late: late, sent: make(map[jsonrpc.ID]request), asked: make(map[jsonrpc.ID]bool)}
}

// Begin records a request before it is sent. cancel ends the request; it may be nil.
func (q *Requests) Begin(id jsonrpc.ID, method string, cancel func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.sent[id] = request{method, cancel}
	if method == "server/discover" && q.late != nil {
		q.probe = id
		q.timer = time.AfterFunc(ProbeLimit, func() { q.late(id, errors.New("no answer to server/discover")) })
	}
}

// Unlimit removes the timeout of a probe, for example while the user signs in.
func (q *Requests) Unlimit(id jsonrpc.ID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.unlimit(id)
}

// unlimit is Unlimit for a caller that holds mu.
func (q *Requests) unlimit(id jsonrpc.ID) {
	if q.timer != nil && id == q.probe {
		q.timer.Stop()
	}
}

// Stop stops the timeout of the probe when the connection ends.
func (q *Requests) Stop() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.unlimit(q.probe)
}

// Drop removes a request that was cancelled, was not sent, or got a response from goated instead of
// the server. It returns the function that ends the request. ok is false if there is no such
// request, because it was never sent or already has a response. "Cancellation notifications MUST
// only reference requests that were previously issued" (MCP, Cancellation), but the SDK sends a
// cancellation for every abandoned request.
func (q *Requests) Drop(id jsonrpc.ID) (cancel func(), ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	r, ok := q.sent[id]
	if ok {
		delete(q.sent, id)
		q.unlimit(id)
	}
	return r.cancel, ok
}

// Resolve records the response to a request and returns the request's method. ok is false if there
// is no such request.
func (q *Requests) Resolve(r *jsonrpc.Response) (method string, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	sent, ok := q.sent[r.ID]
	if !ok {
		if q.isProbe(r.ID) && r.Error == nil {
			q.slow = true // the server has the method, but it started slowly
		}
		return "", false
	}
	delete(q.sent, r.ID)
	if q.isProbe(r.ID) {
		q.unlimit(r.ID)
		q.probe = jsonrpc.ID{}
	}
	if sent.method == "tools/list" {
		q.listed += int64(len(r.Result))
	}
	if r.Error == nil {
		switch sent.method {
		case "server/discover":
			q.version = answers.Modern
		case "initialize":
			q.version = answers.AgreedVersion(r.Result)
		}
	}
	return sent.method, true
}

// isProbe reports whether id belongs to a probe without a response. The caller holds mu.
func (q *Requests) isProbe(id jsonrpc.ID) bool { return q.probe.IsValid() && id == q.probe }

// UnexpectedResponse explains why a response matches no open request. It returns nil for a late response to
// server/discover.
func (q *Requests) UnexpectedResponse(id jsonrpc.ID) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.isProbe(id) {
		return nil
	}
	return answers.UnexpectedResponse(id, func(id jsonrpc.ID) bool { _, ok := q.sent[id]; return ok })
}

// Has reports whether a request is open.
func (q *Requests) Has(id jsonrpc.ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	_, ok := q.sent[id]
	return ok
}

// Answerable lists the requests to which a truncated message with this id may respond: the request
// with the id, or all requests if none has it.
func (q *Requests) Answerable(id jsonrpc.ID) (ids []jsonrpc.ID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if _, ok := q.sent[id]; ok {
		return []jsonrpc.ID{id}
	}
	for other, r := range q.sent {
		if getsResponse(r.method) {
			ids = append(ids, other)
		}
	}
	return ids
}

// AwaitsOther reports whether a request other than id awaits a response.
func (q *Requests) AwaitsOther(but jsonrpc.ID) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for id, r := range q.sent {
		if getsResponse(r.method) && id != but {
			return true
		}
	}
	return false
}

// getsResponse reports whether a method gets a response. subscriptions/listen stays open.
func getsResponse(method string) bool { return method != "subscriptions/listen" }

// BeginServerRequest records a request from the server. fresh is false if its id is in use.
func (q *Requests) BeginServerRequest(id jsonrpc.ID) (fresh bool, fault error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.asked[id] {
		return false, nil
	}
	if q.asked[id] = true; len(q.asked) > maxAsked {
		return true, fmt.Errorf("the server has more than %d open requests at once", maxAsked)
	}
	return true, nil
}

// EndServerRequest records that goated responds to a request from the server.
func (q *Requests) EndServerRequest(id jsonrpc.ID) {
	q.mu.Lock()
	defer q.mu.Unlock()
	delete(q.asked, id)
}

// Version returns the protocol version, or "" before both sides agreed.
func (q *Requests) Version() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.version
}

// ListedBytes returns the total size of the responses to tools/list so far.
func (q *Requests) ListedBytes() int64 {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.listed
}

// SlowStart reports whether the server responded to server/discover too late. It supports the
// method although goated assumed otherwise.
func (q *Requests) SlowStart() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.slow
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
