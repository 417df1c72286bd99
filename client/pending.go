package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// accept looks at a message before the SDK does: answers must be to something,
// and notifications may be for us.
func (c *stdio) accept(msg jsonrpc.Message) (ours bool, fault error) {
	switch msg := msg.(type) {
	case *jsonrpc.Response:
		method, ok := c.settle(msg)
		if !ok {
			c.lateProbe(msg)
			return true, c.unasked()
		}
		c.agreed(method, msg)
	case *jsonrpc.Request:
		fate := asks
		if !msg.IsCall() {
			fate = c.notified(msg)
		}
		if fault := c.waste(fate.weight(), msg.Method); fault != nil {
			return true, fault
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if fate.useful() {
			c.row, c.rowBytes = 0, 0
		}
		if msg.IsCall() {
			if c.asked[msg.ID] { // the SDK would answer neither, or one for the other
				c.p.Stderr.Note("stdout: a request with the id of one that has no answer yet: " + msg.Method)
				return true, nil
			}
			if c.asked[msg.ID] = true; len(c.asked) > maxAsked {
				return true, fmt.Errorf("the server asks more than %d things at once", maxAsked)
			}
		}
		return fate != asks && fate != passes, nil
	}
	return ours, nil
}

// settle takes the request that an answer is for off the list.
func (c *stdio) settle(r *jsonrpc.Response) (method string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if method, ok = c.pending[r.ID]; !ok {
		return "", false
	}
	delete(c.pending, r.ID)
	if method == "tools/list" {
		c.listed += int64(len(r.Result))
	}
	c.row, c.rowBytes = 0, 0
	if c.probe != nil { // the server speaks, and answers for itself
		c.probe.Stop()
		c.probe = nil
	}
	return method, true
}

// agreed notes which protocol the two of us speak.
func (c *stdio) agreed(method string, r *jsonrpc.Response) {
	if r.Error != nil || method != "initialize" && method != "server/discover" {
		return
	}
	version := "2026-07-28"
	if method == "initialize" {
		version = ""
		members(r.Result, func(key, value []byte) { // the SDK says what is wrong with it
			if string(key) == "protocolVersion" && len(value) <= maxName {
				version = said(value)
			}
		})
	}
	c.mu.Lock()
	c.version = version
	c.mu.Unlock()
}

// lateProbe notes that server/discover is answered after all: what was slow was
// the server's start.
func (c *stdio) lateProbe(r *jsonrpc.Response) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.ID == c.probed && c.probed.IsValid() && r.Error == nil {
		c.slow = true
	}
}

// slowStart reports whether the server was taken for one that does not know
// server/discover, and is none.
func (c *stdio) slowStart() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.slow
}

// batches reports whether a line may hold several messages.
func (c *stdio) batches() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version == "2025-03-26"
}

// modern reports whether the protocol is one in which servers send no requests.
func (c *stdio) modern() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.version >= "2026-07-28"
}

// failed answers a pending request for the server, whose own answer is no good.
// It is nil if there is no such request.
func (c *stdio) failed(id jsonrpc.ID, why error) jsonrpc.Message {
	if !id.IsValid() {
		return nil
	}
	answer := &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: why.Error()}}
	if _, ok := c.settle(answer); !ok {
		return nil
	}
	return answer
}

// tooLong fails the call that a cut line was to answer; where it can't be told
// which that is, all of them.
func (c *stdio) tooLong(cut *cutLine, once string) ([]jsonrpc.Message, error) {
	why := fmt.Errorf("the server's message %w: more than %s%s", errTooLarge, size(c.maxFrame), once)
	id := cut.id()
	c.mu.Lock()
	_, known := c.pending[id]
	var all []jsonrpc.ID
	for other, method := range c.pending {
		if method != "subscriptions/listen" { // it has no answer
			all = append(all, other)
		}
	}
	c.mu.Unlock()
	if known {
		all = []jsonrpc.ID{id}
	} else if e, _ := scan(cut.head); e.method != nil { // no answer at all
		return nil, c.strayed(cut.head, errTooLarge)
	} else if id.IsValid() { // an answer to what was given up
		return nil, c.unasked()
	}
	var answers []jsonrpc.Message
	for _, id := range all {
		if answer := c.failed(id, why); answer != nil {
			answers = append(answers, answer)
		}
	}
	if len(answers) == 0 {
		return nil, c.strayed(cut.head, errTooLarge)
	}
	return answers, nil
}

func size(n int) string {
	if n >= 1<<20 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}

// expect notes a message that is about to be written. It is false for one that is
// not to be: to cancel a request that was never written, or is answered.
// "Cancellation notifications MUST only reference requests that were previously
// issued" (MCP, Cancellation), and the SDK cancels whatever is given up.
func (c *stdio) expect(msg jsonrpc.Message) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch msg := msg.(type) {
	case *jsonrpc.Response:
		delete(c.asked, msg.ID)
	case *jsonrpc.Request:
		switch {
		case msg.IsCall():
			c.pending[msg.ID] = msg.Method
			if msg.Method == "server/discover" {
				c.expectProbe(msg.ID)
			}
		case msg.Method == "notifications/cancelled":
			id := cancelled(msg)
			_, known := c.pending[id]
			delete(c.pending, id) // an answer that comes yet is to nothing
			if known {
				c.lapsed++
			}
			return known
		}
	}
	return true
}

// unsaid takes back a request that was not written as a whole: nobody answers it.
func (c *stdio) unsaid(msg jsonrpc.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if req, ok := msg.(*jsonrpc.Request); ok && req.IsCall() {
		delete(c.pending, req.ID)
	}
}

// cancelled is the id of the request that is given up.
func cancelled(msg *jsonrpc.Request) jsonrpc.ID {
	var params struct {
		RequestID json.RawMessage `json:"requestId"`
	}
	_ = json.Unmarshal(msg.Params, &params) // it is the SDK's
	id, _ := parseID(params.RequestID)
	return id
}

// expectProbe answers for a server that lets server/discover lie: "clients
// SHOULD fall back to initialize" (MCP 2026-07-28, Versioning), and the SDK does
// so on any error. The caller holds mu.
func (c *stdio) expectProbe(id jsonrpc.ID) {
	if c.patient {
		return
	}
	c.probed = id
	c.probe = time.AfterFunc(probeLimit, func() {
		if answer := c.failed(id, errors.New("no answer to server/discover")); answer != nil {
			c.inject <- frame{msgs: []jsonrpc.Message{answer}}
		}
	})
}
