package stdio

import (
	"context"
	"encoding/json"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/exact"
	"goated/internal/jsonscan"
)

// firstCall is one less than the id of the first call. The SDK counts from 1, and some servers
// store ids in 32 bits.
const firstCall = 1_000_000_000

// Calls sends the host's tool calls beside the SDK's requests. It replaces the SDK's CallTool,
// which decodes large results several times. It is safe for concurrent use.
type Calls struct {
	conn *Conn

	mu    sync.Mutex
	last  int64
	waits map[jsonrpc.ID]*Call
	idle  []*Call // finished calls, for reuse

	meta atomic.Pointer[[]byte] // members of _meta that each request has since 2026-07-28
}

// A Call is a tools/call request that waits for its response.
type Call struct {
	// Answer receives the response. It receives nothing if the connection ends first.
	Answer chan *jsonrpc.Response
	// Timer is a stopped timer for the call's timeout.
	Timer *time.Timer

	id   jsonrpc.ID
	line []byte // of the request; reused
}

// Meta returns the JSON members of _meta that the SDK writes into each request, without braces. It
// returns nil if there are none. They are known after tools/list was sent.
func (c *Calls) Meta() []byte {
	if m := c.meta.Load(); m != nil {
		return *m
	}
	return nil
}

// learnMeta stores the _meta members of a request from the SDK.
func (c *Calls) learnMeta(params []byte) {
	var members []byte
	jsonscan.Fields(params, func(key, value []byte) bool {
		if string(key) == "_meta" {
			jsonscan.Fields(value, func(key, value []byte) bool {
				if string(key) != "progressToken" {
					members = append(append(append(append(members, `,"`...), key...), `":`...), value...)
				}
				return true
			})
		}
		return true
	})
	if len(members) > 0 {
		members = members[1:]
		c.meta.Store(&members)
	}
}

// Begin sends a tools/call request with params that the caller encodes. The caller then waits for
// the Answer, or for [Conn.Ended] and once more for the Answer, and calls Done or Cancel. If the
// server does not read immediately, Begin waits until the context from slow ends.
func (c *Calls) Begin(params func([]byte) []byte, slow func() context.Context) (*Call, error) {
	call := c.begin()
	line := append(call.line[:0], `{"jsonrpc":"2.0","id":`...)
	line = strconv.AppendInt(line, call.id.Raw().(int64), 10)
	line = append(line, `,"method":"tools/call","params":`...)
	call.line = append(params(line), "}\n"...)
	if err := c.conn.send(slow, outgoing{id: call.id, method: "tools/call", call: true}, call.line); err != nil {
		c.Cancel(call, err.Error()) // sends nothing if nothing of the call was written
		return nil, err
	}
	return call, nil
}

// Done ends a call that has its response, or whose connection has ended.
func (c *Calls) Done(call *Call) { c.end(call) }

// Cancel ends a call without a response, and notifies the server, which may have received it.
func (c *Calls) Cancel(call *Call, reason string) {
	params, _ := json.Marshal(mcp.CancelledParams{Reason: reason, RequestID: call.id.Raw()}) // strings and numbers always encode
	_ = c.conn.Write(context.Background(), &jsonrpc.Request{Method: "notifications/cancelled", Params: params})
	c.end(call)
}

func (c *Calls) begin() *Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	id, _ := jsonrpc.MakeID(float64(firstCall + c.last))
	var call *Call
	if n := len(c.idle); n > 0 {
		call, c.idle = c.idle[n-1], c.idle[:n-1]
		call.id = id
	} else {
		call = &Call{Answer: make(chan *jsonrpc.Response, 1), Timer: time.NewTimer(time.Hour), id: id}
		call.Timer.Stop()
	}
	if c.waits == nil {
		c.waits = make(map[jsonrpc.ID]*Call)
	}
	c.waits[id] = call
	return call
}

// maxIdle bounds the finished calls that are kept, and maxLine the memory of each.
const (
	maxIdle = 64
	maxLine = 4 << 10
)

func (c *Calls) end(call *Call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waits, call.id)
	call.Timer.Stop()
	select {
	case <-call.Answer: // of a call that was cancelled in the meantime
	default:
	}
	if !reusable || cap(call.line) > maxLine {
		call.line = nil
	}
	if len(c.idle) < maxIdle {
		c.idle = append(c.idle, call)
	}
}

// deliver passes a response to the host's call with its id, and reports whether there is one. The SDK
// gets all other responses.
func (c *Calls) deliver(r *jsonrpc.Response) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	call := c.waits[r.ID]
	if call == nil {
		return false
	}
	delete(c.waits, r.ID)
	call.Answer <- r // never blocks, because there is only one response
	return true
}

// A preparedAnswer is the response to a request that is not sent.
type preparedAnswer struct {
	response *jsonrpc.Response
	used     atomic.Bool
}

type preparedKey struct{}

// WithAnswer returns a context in which the SDK's next tools/call is not sent but gets this
// response. This lets the SDK do what only it can: handle a server's questions within a result, and
// the retries.
func WithAnswer(ctx context.Context, r *jsonrpc.Response) context.Context {
	return context.WithValue(ctx, preparedKey{}, &preparedAnswer{response: r})
}

// answer gives the context's prepared response to a request of the SDK. ok is false if there is none.
func (c *Calls) answer(ctx context.Context, req *jsonrpc.Request) (ok bool, err error) {
	a, _ := ctx.Value(preparedKey{}).(*preparedAnswer)
	if a == nil || req == nil || req.Method != "tools/call" || !a.used.CompareAndSwap(false, true) {
		return false, nil
	}
	r := &jsonrpc.Response{ID: req.ID, Result: exact.HideAnswer(req.Method, a.response.Result), Error: a.response.Error}
	select {
	case c.conn.frames <- frame{msgs: []jsonrpc.Message{r}}:
		return true, nil
	case <-c.conn.closed:
		return true, mcp.ErrConnectionClosed
	case <-ctx.Done():
		return true, ctx.Err()
	}
}
