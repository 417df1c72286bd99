package stdio

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
	// probeLimit bounds the wait for an answer to server/discover. Servers older
	// than 2026-07-28 should refuse it, but some never answer.
	probeLimit = 3 * time.Second
	// maxAsked bounds the open requests of a server.
	maxAsked = 64
	// modern is the first version without requests from servers.
	modern = "2026-07-28"
)

// A peer keeps account of the requests and answers of one connection. It is safe
// for concurrent use.
type peer struct {
	noProbeLimit bool                  // server/discover waits as long as any other request
	inject       func(jsonrpc.Message) // delivers an answer that peer gives for the server

	mu          sync.Mutex
	pending     map[jsonrpc.ID]string // methods of goated's requests without an answer
	requests    map[jsonrpc.ID]bool   // the server's requests without an answer
	version     string                // of the protocol, once both agreed
	listed      int64                 // bytes of answers to tools/list
	probe       *time.Timer           // runs while server/discover waits for its answer
	probed      jsonrpc.ID            // of server/discover
	slow        bool                  // server/discover was answered too late
	delivering  bool                  // messages were read and are not yet delivered
	stdinClosed bool                  // the server no longer reads what goated writes
}

func newPeer(noProbeLimit bool, inject func(jsonrpc.Message)) *peer {
	return &peer{noProbeLimit: noProbeLimit, inject: inject, pending: make(map[jsonrpc.ID]string), requests: make(map[jsonrpc.ID]bool)}
}

// sending records a message that is about to be written.
func (p *peer) sending(out outgoing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case out.method == "":
		delete(p.requests, out.id)
	case out.call:
		p.pending[out.id] = out.method
		if out.method == "server/discover" {
			p.startProbe(out.id)
		}
	}
}

// cancelling records the cancellation of a request. It is false if the cancellation must
// not be written, because the request was never written or is answered. "Cancellation
// notifications MUST only reference requests that were previously issued" (MCP,
// Cancellation), and the SDK cancels every request that is given up.
func (p *peer) cancelling(id jsonrpc.ID) (write bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	_, known := p.pending[id]
	delete(p.pending, id) // late responses are dropped
	return known
}

// unsent takes back a request that was not written as a whole.
func (p *peer) unsent(out outgoing) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if out.call {
		delete(p.pending, out.id)
	}
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

// settle records the answer to a request, and returns the request's method. ok reports
// whether there is such a request.
func (p *peer) settle(r *jsonrpc.Response) (method string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	method, ok = p.pending[r.ID]
	if !ok {
		if r.ID == p.probed && p.probed.IsValid() && r.Error == nil {
			p.slow = true // not the method is unknown: the server's start was slow
		}
		return "", false
	}
	p.settled(r.ID)
	if method == "tools/list" {
		p.listed += int64(len(r.Result))
	}
	if r.Error == nil && (method == "initialize" || method == "server/discover") {
		p.version = versionOf(method, r)
	}
	return method, true
}

// unasked says why an answer is to no open request; nil for a late answer to server/discover.
func (p *peer) unasked(id jsonrpc.ID) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.probed.IsValid() && id == p.probed {
		return nil
	}
	return answers.Unasked(id, func(id jsonrpc.ID) bool { _, ok := p.pending[id]; return ok })
}

// settled removes a request; the caller holds mu.
func (p *peer) settled(id jsonrpc.ID) {
	delete(p.pending, id)
	if p.probe != nil { // the server itself has answered
		p.probe.Stop()
		p.probe = nil
	}
}

// versionOf returns the protocol version that an answer agrees on.
func versionOf(method string, r *jsonrpc.Response) (version string) {
	if method == "server/discover" {
		return modern
	}
	jsonscan.Members(r.Result, func(key, value []byte) { // the SDK checks the rest
		if string(key) == "protocolVersion" && len(value) <= jsonscan.MaxName {
			version = jsonscan.Unquote(value)
		}
	})
	return version
}

// fail returns an error that answers a pending request in place of the server. It returns nil
// if there is no such request.
func (p *peer) fail(id jsonrpc.ID, why error) *jsonrpc.Response {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.pending[id]; !ok {
		return nil
	}
	p.settled(id)
	return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: why.Error()}}
}

// answeredBy lists the requests that a cut message with that id may answer: the one
// of the id, or all if there is none.
func (p *peer) answeredBy(id jsonrpc.ID) (ids []jsonrpc.ID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, ok := p.pending[id]; ok {
		return []jsonrpc.ID{id}
	}
	for other, method := range p.pending {
		if answered(method) {
			ids = append(ids, other)
		}
	}
	return ids
}

// answered reports whether a method has an answer. subscriptions/listen stays open.
func answered(method string) bool { return method != "subscriptions/listen" }

// asked records a request of the server. It is false if its id is in use.
func (p *peer) asked(id jsonrpc.ID) (fresh bool, fault error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.requests[id] {
		return false, nil
	}
	if p.requests[id] = true; len(p.requests) > maxAsked {
		return true, fmt.Errorf("the server has more than %d open requests at once", maxAsked)
	}
	return true, nil
}

// startProbe answers server/discover with an error if the server does not answer it
// in time: "clients SHOULD fall back to initialize" (MCP 2026-07-28, Versioning),
// and the SDK does so on any error. The caller holds mu.
func (p *peer) startProbe(id jsonrpc.ID) {
	if p.noProbeLimit {
		return
	}
	p.probed = id
	p.probe = time.AfterFunc(probeLimit, func() {
		if answer := p.fail(id, errors.New("no answer to server/discover")); answer != nil {
			p.inject(answer)
		}
	})
}

// stop stops the timer of server/discover.
func (p *peer) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.probe != nil {
		p.probe.Stop()
	}
}

// owes reports whether the server owes an answer to any request but id.
func (p *peer) owes(id jsonrpc.ID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.owing(id)
}

// owing is owes for a caller that holds mu.
func (p *peer) owing(but jsonrpc.ID) bool {
	for id, method := range p.pending {
		if answered(method) && id != but {
			return true
		}
	}
	return false
}

// beginDelivery and endDelivery enclose the delivery of what was read.
func (p *peer) beginDelivery() { p.setDelivering(true) }
func (p *peer) endDelivery()   { p.setDelivering(false) }

func (p *peer) setDelivering(on bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.delivering = on
}

// closeStdin records that the server no longer reads what goated writes.
func (p *peer) closeStdin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stdinClosed = true
}

func (p *peer) isStdinClosed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stdinClosed
}

// finished reports whether the server reads nothing and owes nothing.
func (p *peer) finished() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stdinClosed && !p.delivering && !p.owing(jsonrpc.ID{})
}

// batches reports whether a line may have several messages.
func (p *peer) batches() bool { return p.agreedVersion() == "2025-03-26" }

func (p *peer) agreedVersion() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.version
}

func (p *peer) slowStart() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.slow
}

func (p *peer) listedBytes() int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.listed
}
