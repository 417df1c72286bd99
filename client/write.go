package client

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"goated/internal/proc"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// writeLimit bounds the time that a server which owes nothing may let a message
	// to it wait.
	writeLimit = 10 * time.Second
	// writePause is between two looks whether a server that does not read still
	// owes something.
	writePause = 500 * time.Millisecond
)

// errUnread is that of a server which reads no messages.
var errUnread = errors.New("the server has not read its input for " + seconds(writeLimit))

// Write implements [mcp.Connection]. It returns when the message is written,
// ctx ends, or the server has let it wait for writeLimit, with which the
// connection is over. A message that was begun when ctx ended is written to its
// end: half of one would spoil the next.
func (c *stdio) Write(ctx context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encoding message: %w", err)
	}
	data = append(data, '\n')
	req, _ := msg.(*jsonrpc.Request)
	if req != nil && req.Method == "notifications/cancelled" {
		if c.expect(msg) {
			c.cancel(data)
		}
		return nil
	}
	select {
	case c.writing <- struct{}{}:
	case <-c.closed:
		return mcp.ErrConnectionClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	c.expect(msg)
	var id jsonrpc.ID
	if req != nil {
		id = req.ID
	}
	n, err := c.write(ctx, data, id)
	if err != nil && (n == 0 || errors.Is(err, proc.ErrPipe)) {
		c.unsaid(msg) // half of a message is none
	}
	if n > 0 && err != nil && errors.Is(err, ctx.Err()) {
		c.release(data[n:])
		return err
	}
	c.release(nil)
	return c.unwritten(ctx, err)
}

// write writes until the end, ctx's, or that of the time which the server has.
// That begins when the server owes no answer to anything but id: many servers do
// one thing after the other, and read nothing meanwhile.
func (c *stdio) write(ctx context.Context, data []byte, id jsonrpc.ID) (n int, err error) {
	given := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(given)
		_ = c.p.Stdin.SetWriteDeadline(time.Now())
	})
	defer func() {
		if !stop() {
			<-given // or it would cut off the next message
		}
	}()
	for since := time.Now(); ; {
		left := writeLimit - time.Since(since)
		if left <= 0 {
			return n, errUnread
		}
		_ = c.p.Stdin.SetWriteDeadline(time.Now().Add(min(left, writePause)))
		select { // behind that, which may have taken back what ctx or shut had set
		case <-c.closed:
			return n, mcp.ErrConnectionClosed
		case <-ctx.Done():
			return n, ctx.Err()
		default:
		}
		m, err := c.p.Stdin.Write(data[n:])
		if n += m; !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		if c.busy(id) {
			since = time.Now()
		}
	}
}

// busy reports whether the server owes an answer to anything but id.
func (c *stdio) busy(id jsonrpc.ID) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.owed()
	if method, ok := c.pending[id]; ok && method != "subscriptions/listen" {
		n--
	}
	return n > 0
}

// unwritten draws the conclusion from what write says.
func (c *stdio) unwritten(ctx context.Context, err error) error {
	switch {
	case err == nil, errors.Is(err, ctx.Err()), errors.Is(err, mcp.ErrConnectionClosed):
		return err
	case errors.Is(err, proc.ErrPipe):
		c.unheard()
		return fmt.Errorf("writing to the server: %w", err)
	case errors.Is(err, errUnread):
		c.blame(err)
	default:
		err = fmt.Errorf("writing to the server: %w", err)
	}
	c.shut()
	return err
}

// cancel has a call's cancellation written as soon as that can be. It waits for
// nothing: a server is to hear of what nobody wants any more, however late it
// reads, and the SDK gives up on it after a while.
func (c *stdio) cancel(data []byte) {
	c.mu.Lock()
	c.cancels = append(c.cancels, data...)
	c.mu.Unlock()
	select {
	case c.writing <- struct{}{}:
		c.release(nil)
	default: // who has the token writes it
	}
}

// release gives the token back, once all is written that nobody waits for: the
// rest of a message, and the cancellations that came meanwhile.
func (c *stdio) release(rest []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	rest = append(rest, c.cancels...)
	c.cancels = nil
	select {
	case <-c.closed:
		rest = nil
	default:
	}
	if len(rest) == 0 {
		<-c.writing
		return
	}
	c.writes.Go(func() { // shut comes after, and Close waits
		ctx := context.Background()
		_, err := c.write(ctx, rest, jsonrpc.ID{})
		_ = c.unwritten(ctx, err)
		c.release(nil)
	})
}
