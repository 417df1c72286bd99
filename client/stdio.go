package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxFrame bounds one message from a server.
	maxFrame = 64 << 20
	// writeLimit bounds the time a server may let a message to it wait.
	writeLimit = 10 * time.Second
	// probeLimit bounds the wait for an answer to server/discover. Servers of
	// before 2026-07-28 ought to refuse it, but some do not answer at all.
	probeLimit = 3 * time.Second
)

// A stdio is goated's own stdio transport, an [mcp.Transport] over one process.
// Where the SDK's is made for peers that keep to the protocol, it takes what
// real servers do: they print to stdout, they never read, they leave children.
type stdio struct {
	p *process

	frames chan frame    // from readLoop
	inject chan frame    // answers that the server owes
	closed chan struct{} // closed by shut
	done   chan struct{} // closed when readLoop has ended
	once   sync.Once

	queue   []jsonrpc.Message // rest of a batch; Read's alone
	writing chan struct{}     // holds a token while a message is written

	told, heard atomic.Int64 // what the server tells of its calls: read, and handled

	lapsed atomic.Bool // server/discover was answered for the server

	mu    sync.Mutex
	probe *time.Timer // running while server/discover waits for its answer
	junk  int         // lines on stdout that were no messages
}

type frame struct {
	msgs []jsonrpc.Message
	err  error
}

func newStdio(p *process) *stdio {
	c := &stdio{
		p:       p,
		frames:  make(chan frame),
		inject:  make(chan frame, 1),
		closed:  make(chan struct{}),
		done:    make(chan struct{}),
		writing: make(chan struct{}, 1),
	}
	go c.readLoop() // ends with the process: Close waits for that
	return c
}

// Connect implements [mcp.Transport].
func (c *stdio) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID implements [mcp.Connection]; stdio has none.
func (c *stdio) SessionID() string { return "" }

// Read implements [mcp.Connection].
func (c *stdio) Read(ctx context.Context) (jsonrpc.Message, error) {
	for len(c.queue) == 0 {
		var f frame
		select {
		case f = <-c.frames:
		case f = <-c.inject:
		case <-c.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if f.err != nil {
			return nil, f.err
		}
		c.queue = f.msgs
	}
	next := c.queue[0]
	c.queue = c.queue[1:]
	if tells(next) {
		c.told.Add(1)
	}
	return next, nil
}

// readLoop reads lines for as long as the server writes any.
func (c *stdio) readLoop() {
	defer close(c.done)
	defer c.p.stdout.Close()
	go func() { // a child of the server's may hold stdout open; ends with the process
		<-c.p.exited
		_ = c.p.stdout.SetReadDeadline(time.Now().Add(graceDrain))
	}()
	r := bufio.NewReaderSize(c.p.stdout, 64<<10)
	for {
		line, err := readLine(r)
		if msgs := c.parse(line); len(msgs) > 0 {
			c.answered(msgs)
			select {
			case c.frames <- frame{msgs: msgs}:
			case <-c.closed:
				return
			}
		}
		if err != nil {
			if errors.Is(err, os.ErrDeadlineExceeded) {
				err = io.EOF
			}
			select {
			case c.frames <- frame{err: err}:
			case <-c.closed:
			}
			return
		}
	}
}

// readLine reads up to a newline, and at the end of the stream what is left.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxFrame {
			return nil, fmt.Errorf("the server sent a message of more than %d MiB", maxFrame>>20)
		}
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// parse reads the messages in a line. "The server MUST NOT write anything to
// its stdout that is not a valid MCP message" (MCP, Transports): but print() is
// every beginner's debugger, so such lines are set aside for the user to see.
func (c *stdio) parse(line []byte) []jsonrpc.Message {
	line = bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
	if len(line) == 0 {
		return nil
	}
	parts := []json.RawMessage{line}
	if line[0] == '[' { // a batch, which 2025-03-26 has
		if err := json.Unmarshal(line, &parts); err != nil {
			parts = []json.RawMessage{line}
		}
	}
	var msgs []jsonrpc.Message
	for _, part := range parts {
		msg, err := jsonrpc.DecodeMessage(part)
		if err != nil {
			c.mu.Lock()
			c.junk++
			c.mu.Unlock()
			c.p.stderr.Note("stdout: " + string(line[:min(len(line), tailLine)]))
			continue
		}
		msgs = append(msgs, msg)
	}
	return msgs
}

// Write implements [mcp.Connection]. It returns when the message is written,
// ctx ends, or the server has not read for writeLimit. After the last two the
// stream may end within a message, so the connection is over.
func (c *stdio) Write(ctx context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encoding message: %w", err)
	}
	select {
	case c.writing <- struct{}{}:
		defer func() { <-c.writing }()
	case <-c.closed:
		return mcp.ErrConnectionClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	if req, ok := msg.(*jsonrpc.Request); ok && req.Method == "server/discover" {
		c.expectProbe(req.ID)
	}
	_ = c.p.stdin.SetWriteDeadline(time.Now().Add(writeLimit))
	given := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		defer close(given)
		_ = c.p.stdin.SetWriteDeadline(time.Now())
	})
	n, err := c.p.stdin.Write(append(data, '\n'))
	if !stop() {
		<-given // or it would cut off the next message
	}
	if err != nil {
		if n > 0 {
			c.shut()
		}
		if errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() == nil {
			return fmt.Errorf("the server has not read its input for %s", writeLimit)
		}
		return fmt.Errorf("writing to the server: %w", err)
	}
	return nil
}

// expectProbe answers for a server that lets server/discover lie: "clients
// SHOULD fall back to initialize" (MCP 2026-07-28, Versioning), and the SDK does
// so on any error.
func (c *stdio) expectProbe(id jsonrpc.ID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.probe = time.AfterFunc(probeLimit, func() {
		c.lapsed.Store(true)
		c.inject <- frame{msgs: []jsonrpc.Message{&jsonrpc.Response{
			ID:    id,
			Error: &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no answer to server/discover"},
		}}}
	})
}

// late reports whether server/discover was answered for the server.
func (c *stdio) late() bool { return c != nil && c.lapsed.Load() }

// answered notes that the server speaks, so that it answers for itself.
func (c *stdio) answered(msgs []jsonrpc.Message) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.probe == nil {
		return
	}
	for _, m := range msgs {
		if _, ok := m.(*jsonrpc.Response); ok {
			c.probe.Stop()
			c.probe = nil
			return
		}
	}
}

// shut ends all reading and writing, and waits for nothing.
func (c *stdio) shut() {
	c.once.Do(func() {
		close(c.closed)
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.probe != nil {
			c.probe.Stop()
		}
		_ = c.p.stdin.SetWriteDeadline(time.Now())
	})
}

// Close implements [mcp.Connection]: it ends the process and everything that
// the process started, and returns when they are gone. What is in flight fails.
func (c *stdio) Close() error {
	c.shut()
	c.p.stop()
	<-c.done
	return nil
}
