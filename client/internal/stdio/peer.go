package stdio

import (
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client/internal/pending"
)

// A peer is the server at the other end of the pipes. It holds the open requests, and whether the server
// can still read and respond. It is safe for concurrent use.
type peer struct {
	requests *pending.Requests

	mu          sync.Mutex
	delivering  bool // messages were read but not yet delivered
	stdinClosed bool // the server no longer reads what goated writes
}

// recordSent records a message before it is written.
func (p *peer) recordSent(out outgoing) {
	switch {
	case out.method == "":
		p.requests.EndServerRequest(out.id)
	case out.call:
		p.requests.Begin(out.id, out.method, nil)
	}
}

// dropUnsent removes a request that was not completely written.
func (p *peer) dropUnsent(out outgoing) {
	if out.call {
		p.requests.Drop(out.id)
	}
}

// fail returns an error that is the response to a pending request instead of the server's. It
// returns nil if there is no such request.
func (p *peer) fail(id jsonrpc.ID, why error) *jsonrpc.Response {
	if _, ok := p.requests.Drop(id); !ok {
		return nil
	}
	return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: why.Error()}}
}

// beginDelivery and endDelivery enclose the delivery of the messages that were read.
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

// finished reports whether the server reads nothing and has no request left to respond to.
func (p *peer) finished() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stdinClosed && !p.delivering && !p.requests.AwaitsOther(jsonrpc.ID{})
}

// batches reports whether a line may contain several messages.
func (p *peer) batches() bool { return p.requests.Version() == "2025-03-26" }
