package client

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// writeLimit bounds the time a server may let a message to it wait.
const writeLimit = 10 * time.Second

// errUnread is that of a server which reads no messages.
var errUnread = errors.New("the server has not read its input for " + seconds(writeLimit))

// Write implements [mcp.Connection]. It returns when the message is written,
// ctx ends, or the server has not read for writeLimit, with which the connection
// is over. A message that was begun when ctx ended is written to its end: half
// of one would spoil the next.
func (c *stdio) Write(ctx context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encoding message: %w", err)
	}
	select {
	case c.writing <- struct{}{}:
	case <-c.closed:
		return mcp.ErrConnectionClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	if !c.expect(msg) {
		<-c.writing
		return nil
	}
	n, err := c.write(ctx, append(data, '\n'))
	if ctx.Err() != nil && n > 0 && n <= len(data) && errors.Is(err, os.ErrDeadlineExceeded) && c.later(data[n:]) {
		return ctx.Err() // later gives the token back
	}
	if err != nil && (n == 0 || errors.Is(err, errPipe)) {
		c.unsaid(msg) // half of a message is none
	}
	<-c.writing
	switch {
	case err == nil:
		return nil
	case errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		err = errUnread
		c.blame(err)
	case errors.Is(err, errPipe):
		c.unheard()
		return fmt.Errorf("writing to the server: %w", err)
	default:
		err = fmt.Errorf("writing to the server: %w", err)
	}
	c.shut()
	return err
}

// write writes until the end, writeLimit or ctx's.
func (c *stdio) write(ctx context.Context, data []byte) (int, error) {
	_ = c.p.stdin.SetWriteDeadline(time.Now().Add(writeLimit))
	given := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(given)
		_ = c.p.stdin.SetWriteDeadline(time.Now())
	})
	n, err := c.p.stdin.Write(data)
	if !stop() {
		<-given // or it would cut off the next message
	}
	return n, err
}

// later writes the rest of a message when nobody waits for it any more. It is
// false if the connection is being closed.
func (c *stdio) later(rest []byte) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.closed:
		return false
	default:
	}
	_ = c.p.stdin.SetWriteDeadline(time.Now().Add(writeLimit)) // shut comes after, and takes it back
	c.writes.Go(func() {
		_, err := c.p.stdin.Write(append(rest, '\n'))
		<-c.writing
		switch {
		case err == nil:
		case errors.Is(err, errPipe):
			c.unheard()
		case errors.Is(err, os.ErrDeadlineExceeded):
			c.blame(errUnread)
			c.shut()
		default:
			c.shut()
		}
	})
	return true
}
