package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"goated/internal/proc"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// DefaultMaxFrame bounds one message from a server, in bytes: as it comes, and
// once its bytes that are no text are replaced. Reading and decoding one hold no
// more than twice that and some four MiB, whatever is in it; what is decoded
// aliases the one line that is left. What the SDK makes of it comes on top: a
// text of 64 MiB has been seen to take some 225 MiB in all for the time of a call.
const DefaultMaxFrame = 64 << 20

const (
	// probeLimit bounds the wait for an answer to server/discover. Servers of
	// before 2026-07-28 ought to refuse it, but some do not answer at all.
	probeLimit = 3 * time.Second
	// maxBatch bounds a line with several messages, which 2025-03-26 alone has.
	maxBatch = 1 << 20
	// maxAsked bounds the questions that a server has open at once.
	maxAsked = 64
)

// A stdio is goated's own stdio transport, an [mcp.Transport] over one process.
// Where the SDK's is made for peers that keep to the protocol, it takes what
// real servers do: they print to stdout, they never read, they send what is too
// large or not JSON. What is wrong with an answer fails the call that it is
// for, and no other.
type stdio struct {
	p *proc.Process
	// notified takes notifications that are not for the SDK, whose queue for
	// them has no bound; it must not block.
	notified func(*jsonrpc.Request) fate
	tell     func() // of a change of what strays returns; it must not block, and is called without mu
	maxFrame int

	frames chan frame    // from readLoop
	inject chan frame    // answers that the server owes
	closed chan struct{} // closed by shut
	done   chan struct{} // closed when readLoop has ended
	heard  chan struct{} // closed when listen has ended
	once   sync.Once

	queue   []jsonrpc.Message // rest of a batch; Read's alone
	writing chan struct{}     // holds a token while a message is written
	writes  sync.WaitGroup    // what nobody waits for, see release

	mu            sync.Mutex
	probe         *time.Timer           // running while server/discover waits for its answer
	patient       bool                  // server/discover may wait as long as connecting may
	probed        jsonrpc.ID            // of server/discover
	slow          bool                  // it was answered when nobody waited any more
	pending       map[jsonrpc.ID]string // methods of the requests without an answer
	cancels       []byte                // that are written when the token is given back
	version       string                // of the protocol, once it is agreed
	asked         map[jsonrpc.ID]bool   // requests of the server without an answer
	stray         Stray
	row, rowBytes int  // of stray, since the last message
	lapsed        int  // requests that were cancelled, and may yet be answered
	deaf          bool // nobody reads what is written
	taking        bool // messages were read and are not yet given on
	idle          burden
	fault         error // for which the server is put away
	listed        int64 // bytes of answers to tools/list
}

type frame struct {
	msgs []jsonrpc.Message
	err  error
}

func newStdio(p *proc.Process, maxFrame int, notified func(*jsonrpc.Request) fate, tell func()) *stdio {
	c := &stdio{
		p:        p,
		notified: notified,
		tell:     tell,
		maxFrame: maxFrame,
		frames:   make(chan frame),
		inject:   make(chan frame, 1),
		closed:   make(chan struct{}),
		done:     make(chan struct{}),
		heard:    make(chan struct{}),
		writing:  make(chan struct{}, 1),
		pending:  make(map[jsonrpc.ID]string),
		asked:    make(map[jsonrpc.ID]bool),
	}
	go c.readLoop() // ends with the process: Close waits for that
	go c.listen()   // as soon as stdin is closed
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
	c.queue[0] = nil // or what came last would be held until something else comes
	c.queue = c.queue[1:]
	return next, nil
}

// readLoop reads lines for as long as the server writes any.
func (c *stdio) readLoop() {
	defer close(c.done)
	defer c.p.Stdout.Close()
	go func() { // a child of the server's may hold stdout open; ends with the process
		<-c.p.Done()
		_ = c.p.Stdout.SetReadDeadline(time.Now().Add(proc.GraceDrain))
	}()
	r := newLineReader(&lastReader{f: c.p.Stdout}, c.maxFrame)
	for {
		if n := r.blank(); n > 0 {
			if err := c.blank(n); err != nil {
				c.give(frame{err: c.ended(err)})
				return
			}
			continue
		}
		line, cut, err := r.next()
		var msgs []jsonrpc.Message
		var fault error
		if cut != nil {
			c.takes()
			msgs, fault = c.tooLong(cut, "")
		} else {
			msgs, fault = c.take(line)
		}
		if err == nil || errors.Is(err, errEndless) {
			err = errors.Join(fault, err)
		}
		if len(msgs) > 0 && !c.give(frame{msgs: msgs}) {
			return
		}
		c.taken()
		if err != nil {
			c.give(frame{err: c.ended(err)})
			return
		}
	}
}

func (c *stdio) give(f frame) bool {
	select {
	case c.frames <- f:
		return true
	case <-c.closed:
		return false
	}
}

// ended is how the stream's end is told to the SDK, and the server's fault in it
// to the user.
func (c *stdio) ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
		return io.EOF
	}
	c.blame(err)
	return err
}

// blame keeps the first fault of the server's.
func (c *stdio) blame(fault error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.closed: // it is our own doing
	default:
		if c.fault == nil {
			c.fault = fault
		}
	}
}

// blamed is that fault, or nil.
func (c *stdio) blamed() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fault
}

// take reads the messages in a line. "The server MUST NOT write anything to
// its stdout that is not a valid MCP message" (MCP, Transports): but print() is
// every beginner's debugger, so such lines are set aside for the user to see.
func (c *stdio) take(line []byte) ([]jsonrpc.Message, error) {
	c.takes()
	before := len(line)
	if line = c.trim(line); len(line) == 0 {
		if before > 0 {
			return nil, c.waste(blankWeight, "blank lines")
		}
		return nil, nil
	}
	text := repair(line, c.maxFrame)
	if text == nil {
		return c.tooLong(cutOf(line), " once its bytes that are no text are replaced")
	}
	line = text // and what it was can go
	parts := []json.RawMessage{line}
	if line[0] == '[' && len(line) <= maxBatch && c.batches() {
		if err := json.Unmarshal(line, &parts); err != nil {
			parts = []json.RawMessage{line}
		}
	}
	var msgs []jsonrpc.Message
	for _, part := range parts {
		msg, id, err := decode(part)
		if err != nil {
			if answer := c.failed(id, fmt.Errorf("the server's message %w", err)); answer != nil {
				msgs = append(msgs, answer)
				continue
			}
			if err := c.strayed(part, err); err != nil {
				return msgs, err
			}
			continue
		}
		ours, err := c.accept(msg)
		if err != nil {
			return msgs, err
		}
		if !ours {
			msgs = append(msgs, msg)
		}
	}
	return msgs, nil
}

// trim takes off what is around a message, and counts it.
func (c *stdio) trim(line []byte) []byte {
	text, bom := bytes.CutPrefix(line, []byte("\xef\xbb\xbf"))
	crlf := bytes.HasSuffix(text, []byte("\r\n"))
	text = bytes.TrimSpace(text)
	if bom || crlf || len(text) == 0 && len(line) > 0 {
		c.mu.Lock()
		defer c.mu.Unlock()
		if bom {
			c.stray.BOM++
		}
		if crlf {
			c.stray.CRLF++
		}
		if len(text) == 0 {
			c.stray.Blank++
		}
	}
	return text
}

// shut ends all reading and writing, and waits for nothing.
func (c *stdio) shut() {
	c.once.Do(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		close(c.closed)
		if c.probe != nil {
			c.probe.Stop()
		}
		_ = c.p.Stdin.SetWriteDeadline(time.Now())
	})
}

// Close implements [mcp.Connection]: it ends the process and everything that
// the process started, and returns when they are gone. What is in flight fails.
func (c *stdio) Close() error {
	c.shut()
	c.p.Stop()
	<-c.done
	<-c.heard
	c.writes.Wait()
	return nil
}
