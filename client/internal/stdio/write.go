package stdio

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/internal/answers"
	"goated/client/internal/pending"
	"goated/internal/proc"
)

const (
	// writeLimit is how long a message may wait if the server has no request left to respond to.
	writeLimit = 10 * time.Second
	// writePause is how often goated checks whether a server that does not read still has a request
	// to respond to.
	writePause = 500 * time.Millisecond
)

// ErrUnread is the fault of a server that does not read its messages.
var ErrUnread = fmt.Errorf("the server has not read its input for %g seconds", writeLimit.Seconds())

// A writer holds the state of writing to a server.
type writer struct {
	token   chan struct{}   // holds a token while a message is written
	offered atomic.Int64    // the size of what was or is being written
	pending sync.WaitGroup  // background writes; see release
	raw     syscall.RawConn // of stdin; writeAvailable uses this and the next three
	try     func(uintptr) bool
	data    []byte
	taken   int

	tracing sync.Mutex // held while a message is written and reported to the trace; see begin

	mu      sync.Mutex
	cancels [][]byte // cancellations that are written when the token is returned
}

// Write implements [mcp.Connection]. It returns when the message is written, when ctx ends, or when
// the server has not read it for writeLimit, which ends the connection. If ctx ends in the middle
// of a message, the rest is written in the background, because half a message would corrupt the
// next one.
func (c *Conn) Write(ctx context.Context, msg jsonrpc.Message) error {
	req, _ := msg.(*jsonrpc.Request)
	if ok, err := c.Calls.answer(ctx, req); ok {
		return err
	}
	data, err := answers.Encode(msg)
	if err != nil {
		return err
	}
	data = append(data, '\n')
	out := outgoingOf(msg)
	if out.method == "tools/list" {
		c.Calls.learnMeta(req.Params)
	}
	if out.method == "notifications/cancelled" {
		if _, open := c.peer.requests.Drop(pending.CancelledID(req)); open {
			c.limits.CallCancelled()
			c.cancel(data)
		}
		return nil
	}
	return c.send(func() context.Context { return ctx }, out, data)
}

// An outgoing holds the parts of a message that the open requests need.
type outgoing struct {
	id     jsonrpc.ID // of a request or a response
	method string     // empty for a response
	call   bool       // expects a response
}

func outgoingOf(msg jsonrpc.Message) outgoing {
	switch msg := msg.(type) {
	case *jsonrpc.Response:
		return outgoing{id: msg.ID}
	case *jsonrpc.Request:
		return outgoing{id: msg.ID, method: msg.Method, call: msg.IsCall()}
	}
	return outgoing{}
}

// send writes the line of a message like Write. It calls slow for the context only if it has to wait.
func (c *Conn) send(slow func() context.Context, out outgoing, data []byte) error {
	select {
	case c.out.token <- struct{}{}:
	default:
		ctx := slow()
		select {
		case c.out.token <- struct{}{}:
		case <-c.closed:
			return mcp.ErrConnectionClosed
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	c.peer.recordSent(out)
	c.out.offered.Add(int64(len(data))) // before the server can read it: see noteUnread
	n, began := begin(c, data)
	traced, err := n > 0, error(nil)
	ctx := context.Background()
	if n < len(data) {
		ctx = slow()
		var id jsonrpc.ID
		if out.method != "" {
			id = out.id
		}
		var m int
		m, err = c.write(ctx, data[n:], id)
		n += m
		clearDeadline(c)
	}
	c.out.offered.Add(int64(n - len(data)))
	noteUnread(c)
	if n > 0 && !traced {
		c.options.Trace.Sent(data[:len(data)-1], began)
	}
	if err != nil && (n == 0 || errors.Is(err, proc.ErrPipe)) {
		c.peer.dropUnsent(out) // half a message does not count
	}
	if n > 0 && err != nil && errors.Is(err, ctx.Err()) {
		c.release(bytes.Clone(data[n:]))
		return err
	}
	c.release(nil)
	return c.writeError(ctx, err)
}

// begin writes what the pipe takes without waiting, and reports the message to the trace if it took
// any of it. A server may respond before the write returns; the lock delays the report of that
// response until the request is reported.
func begin(c *Conn, data []byte) (n int, began time.Time) {
	if c.options.Trace != nil {
		c.out.tracing.Lock()
		defer c.out.tracing.Unlock()
	}
	began = c.options.Trace.Now()
	if n = c.out.writeAvailable(c.process.Stdin, data); n > 0 {
		c.options.Trace.Sent(data[:len(data)-1], began)
	}
	return n, began
}

// received reports a line of the server to the trace, after each request that may have caused it; see begin.
func received(c *Conn, part []byte, size int, noise bool) {
	if c.options.Trace != nil {
		c.out.tracing.Lock()
		defer c.out.tracing.Unlock()
	}
	c.options.Trace.Received(part, size, noise)
}

// clearDeadline removes the last message's deadline. After a deadline, writeAvailable would write nothing.
func clearDeadline(c *Conn) {
	c.out.mu.Lock() // see shut
	defer c.out.mu.Unlock()
	select {
	case <-c.closed:
	default:
		_ = c.process.Stdin.SetWriteDeadline(time.Time{})
	}
}

// write writes data until it is written, ctx ends, or the server's time is over. That time starts
// when the server has no request left to respond to except id. Many servers do one thing at a time
// and read nothing in the meantime.
func (c *Conn) write(ctx context.Context, data []byte, id jsonrpc.ID) (n int, err error) {
	stopped := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(stopped)
		_ = c.process.Stdin.SetWriteDeadline(time.Now())
	})
	defer func() {
		if !stop() {
			<-stopped // otherwise its deadline would interrupt the next message
		}
	}()
	for since := time.Now(); ; {
		left := writeLimit - time.Since(since)
		if left <= 0 {
			return n, ErrUnread
		}
		_ = c.process.Stdin.SetWriteDeadline(time.Now().Add(min(left, writePause)))
		select { // after SetWriteDeadline, which may have replaced the deadline of ctx or shut
		case <-c.closed:
			return n, mcp.ErrConnectionClosed
		case <-ctx.Done():
			return n, ctx.Err()
		default:
		}
		m, err := c.process.Stdin.Write(data[n:])
		if n += m; !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		if c.peer.requests.AwaitsOther(id) {
			since = time.Now()
		}
	}
}

// writeError converts an error of write for the SDK, and ends the connection if nothing more can be
// written.
func (c *Conn) writeError(ctx context.Context, err error) error {
	switch {
	case err == nil, errors.Is(err, ctx.Err()), errors.Is(err, mcp.ErrConnectionClosed):
		return err
	case errors.Is(err, proc.ErrPipe):
		c.stdinClosed() // the responses to earlier messages may still come
		return fmt.Errorf("writing to the server: %w", err)
	case errors.Is(err, ErrUnread):
		c.recordFault(err)
	default:
		err = fmt.Errorf("writing to the server: %w", err)
	}
	c.shut()
	return err
}

// cancel writes a cancellation as soon as possible without waiting. The server should get it
// however late it reads, and the SDK waits only for a while.
func (c *Conn) cancel(data []byte) {
	c.out.mu.Lock()
	c.out.cancels = append(c.out.cancels, data)
	c.out.mu.Unlock()
	select {
	case c.out.token <- struct{}{}:
		c.release(nil)
	default: // the holder of the token writes it
	}
}

// release returns the token after the rest of a message and all cancellations have been written in
// the background.
func (c *Conn) release(rest []byte) {
	c.out.mu.Lock()
	defer c.out.mu.Unlock()
	cancels := c.out.cancels
	c.out.cancels = nil
	select {
	case <-c.closed:
		rest, cancels = nil, nil
	default:
	}
	if len(rest) == 0 && len(cancels) == 0 {
		<-c.out.token
		return
	}
	c.out.pending.Go(func() { // ends with shut; Close waits for it
		began := c.options.Trace.Now()
		ctx := context.Background()
		data, starts := rest, make([]int, len(cancels)) // where each cancellation starts
		for i, cancel := range cancels {
			starts[i] = len(data)
			data = append(data, cancel...)
		}
		n, err := c.write(ctx, data, jsonrpc.ID{})
		for i, at := range starts {
			if n > at {
				c.options.Trace.Sent(cancels[i][:len(cancels[i])-1], began)
			}
		}
		_ = c.writeError(ctx, err)
		c.release(nil)
	})
}
