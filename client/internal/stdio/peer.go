package stdio

import (
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client/internal/account"
)

// A peer is the server at the other end of the pipes: its account, and whether it can still read and
// answer. It is safe for concurrent use.
type peer struct {
	account *account.Account

	mu          sync.Mutex
	delivering  bool // messages were read and are not yet delivered
	stdinClosed bool // the server no longer reads what goated writes
}

// sending records a message that is about to be written.
func (p *peer) sending(out outgoing) {
	switch {
	case out.method == "":
		p.account.Reply(out.id)
	case out.call:
		p.account.Begin(out.id, out.method, nil)
	}
}

// unsent takes back a request that was not written as a whole.
func (p *peer) unsent(out outgoing) {
	if out.call {
		p.account.Drop(out.id)
	}
}

// fail returns an error that answers a pending request in place of the server. It returns nil
// if there is no such request.
func (p *peer) fail(id jsonrpc.ID, why error) *jsonrpc.Response {
	if _, ok := p.account.Drop(id); !ok {
		return nil
	}
	return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: why.Error()}}
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
	return p.stdinClosed && !p.delivering && !p.account.Owes(jsonrpc.ID{})
}

// batches reports whether a line may have several messages.
func (p *peer) batches() bool { return p.account.Version() == "2025-03-26" }
