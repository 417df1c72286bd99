// Package stdio speaks MCP over the stdin and stdout of a process.
//
// [Conn] is an [mcp.Transport] that tolerates what real servers do: they print to stdout, never
// read, never respond, flood, or send messages that are too long or not JSON. An invalid response
// fails only its own call. Each part has one task: lineReader splits the stream into lines, package
// jsonscan decodes them, package pending tracks the open requests, and package limits counts
// useless messages. The package must not know tools, sessions or the host.
package stdio

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/internal/limits"
	"goated/client/internal/pending"
	"goated/client/internal/trace"
	"goated/internal/jsonscan"
	"goated/internal/proc"
)

// Faults of a server that closed a stream but still runs. goated restarts it like a server that
// exited.
var (
	ErrStdoutClosed = errors.New("the server closed its stdout")
	ErrStdinClosed  = errors.New("the server closed its stdin")
)

// Options configure a [Conn].
type Options struct {
	// MaxFrame bounds one message in bytes, both before and after invalid UTF-8 is replaced.
	MaxFrame int
	// NoProbeLimit disables the special timeout of server/discover.
	NoProbeLimit bool
	// Notified handles a notification before the SDK, whose queue for notifications is unbounded,
	// and returns the verdict on it. It must not block.
	Notified func(*jsonrpc.Request) limits.Verdict
	// Changed is called when the noise has changed. It must not block.
	Changed func()
	// Trace reports each frame and each line that is not a frame. Nil disables tracing.
	Trace *trace.Tracer
}

// A Conn is a connection to one process. It implements both [mcp.Transport] and [mcp.Connection].
// It is safe for concurrent use, except that only one goroutine may call Read at a time.
type Conn struct {
	// Calls sends the host's own tool calls.
	Calls *Calls

	process *proc.Process
	options Options
	peer    *peer
	limits  *limits.Limits
	out     writer

	frames chan frame // from readLoop
	inject chan frame // a response that peer gives instead of the server
	ends
	reading

	mu    sync.Mutex
	fault error // why goated ended the connection
}

// ends holds channels that report which parts of a connection have ended.
type ends struct {
	closed  chan struct{} // closed by shut
	done    chan struct{} // closed when readLoop has ended
	watched chan struct{} // closed when watchStdin has returned
	ended   chan struct{} // closed after closed or done
	once    sync.Once     // for shut
}

// reading is the state of the goroutines that read.
type reading struct {
	eof     atomic.Bool       // stdout has ended
	unread  atomic.Bool       // see noteUnread
	queue   []jsonrpc.Message // the rest of a batch; used by Read
	decoder jsonscan.Decoder  // used by readLoop
}

// A frame holds the messages of one line, or the end of the stream.
type frame struct {
	msgs []jsonrpc.Message
	err  error
}

// New returns a connection to p and takes ownership of p.
func New(p *proc.Process, o Options) *Conn {
	c := &Conn{
		process: p,
		options: o,
		limits:  limits.New(p.Stderr, o.Changed),
		frames:  make(chan frame),
		inject:  make(chan frame, 1),
		ends:    ends{closed: make(chan struct{}), done: make(chan struct{}), watched: make(chan struct{}), ended: make(chan struct{})},
	}
	c.peer = &peer{}
	late := func(probe jsonrpc.ID, why error) {
		if answer := c.peer.fail(probe, why); answer != nil {
			c.inject <- frame{msgs: []jsonrpc.Message{answer}}
		}
	}
	if o.NoProbeLimit {
		late = nil
	}
	c.peer.requests = pending.New(late)
	c.Calls = &Calls{conn: c}
	c.out.token = make(chan struct{}, 1)
	go c.readLoop()   // ends with the process: Close waits for it
	go c.watchStdin() // ends when stdin is closed
	go func() {       // ends with Close at the latest
		defer close(c.ended)
		select {
		case <-c.closed:
		case <-c.done:
		}
	}()
	return c
}

// Connect implements [mcp.Transport].
func (c *Conn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID implements [mcp.Connection]. stdio has no session ids.
func (c *Conn) SessionID() string { return "" }

// Read implements [mcp.Connection].
func (c *Conn) Read(ctx context.Context) (jsonrpc.Message, error) {
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
	c.queue[0] = nil // the message can then be freed before the next one
	c.queue = c.queue[1:]
	return next, nil
}

// shut stops reading and writing. It does not wait.
func (c *Conn) shut() {
	c.once.Do(func() {
		c.mu.Lock() // see recordFault
		defer c.mu.Unlock()
		c.out.mu.Lock() // see release
		defer c.out.mu.Unlock()
		close(c.closed)
		c.peer.requests.Stop()
		_ = c.process.Stdin.SetWriteDeadline(time.Now())
	})
}

// Close implements [mcp.Connection]. It ends the process with its descendants and returns when they
// are gone. Running calls fail.
func (c *Conn) Close() error {
	c.shut()
	c.process.Stop()
	<-c.done
	<-c.watched
	c.out.pending.Wait()
	return nil
}

// Ended returns a channel that closes when goated has ended the connection or stdout has ended.
func (c *Conn) Ended() <-chan struct{} { return c.ended }

// endError converts the error at the end of the stream for the SDK, and records it if it is the
// server's fault.
func endError(c *Conn, err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
		return io.EOF
	}
	c.recordFault(err)
	return err
}

// recordFault records the server's first fault.
func (c *Conn) recordFault(fault error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	select {
	case <-c.closed: // goated ended the connection
	default:
		if c.fault == nil {
			c.fault = fault
		}
	}
}

// Fault returns why goated ended the connection, or nil if it did not.
func (c *Conn) Fault() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.fault
}

// StreamFault reports which stream a running server closed, after the connection has ended without a
// [Conn.Fault].
func (c *Conn) StreamFault() error {
	if c.peer.isStdinClosed() {
		return ErrStdinClosed
	}
	return ErrStdoutClosed
}

// Noise counts the server's output that is not a message.
func (c *Conn) Noise() limits.Noise { return c.limits.Noise() }

// SkippedOutput returns an error that describes the output that goated has skipped since a time. It
// returns nil if there is none.
func (c *Conn) SkippedOutput(since time.Time) error { return c.limits.SkippedOutput(since) }

// ListedBytes returns the total size of the responses to tools/list so far.
func (c *Conn) ListedBytes() int64 { return c.peer.requests.ListedBytes() }

// SlowStart reports whether the server responded to server/discover too late. It supports the
// method although goated assumed otherwise.
func (c *Conn) SlowStart() bool { return c.peer.requests.SlowStart() }

// Version returns the protocol version that both sides agreed on, or "" before that.
func (c *Conn) Version() string { return c.peer.requests.Version() }

// watchStdin waits until the server closes its stdin. The server may still respond: some servers
// close stdin after the last request, respond to it, and exit.
func (c *Conn) watchStdin() {
	defer close(c.watched)
	if !proc.WaitUnread(c.process.Stdin) {
		return // goated closed it, or the system does not report it
	}
	c.stdinClosed()
}

// stdinClosed records that the server has closed its stdin.
func (c *Conn) stdinClosed() {
	c.peer.closeStdin()
	c.shutIfIdle()
}

// shutIfIdle ends a connection whose server reads nothing and has no request left to respond to.
func (c *Conn) shutIfIdle() {
	if c.peer.finished() {
		c.shut()
	}
}
