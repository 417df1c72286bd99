// Package stdio is the transport of the bundled servers: MCP over stdin and stdout, one
// message a line.
//
// A line that is not a message does not end the server: the transport logs it in one line,
// answers it with an error if it was a request, and reads on (seed 000, "Invalid MCP
// messages: Log error and continue listening"). It reads messages with the scanner of
// goated's client, and must not know servers or tools.
package stdio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/jsonscan"
)

// maxLine is the longest line that is a message, in bytes.
const maxLine = 16 << 20

// A Transport reads messages from In until it ends and writes messages to Out. It is
// one [mcp.Transport], and its only connection.
type Transport struct {
	In  io.Reader
	Out io.Writer
	Log io.Writer        // gets one line for each faulty line, in the form of seed 000
	Now func() time.Time // nil: time.Now
}

// Connect implements [mcp.Transport]. The connection reads on a goroutine that ends
// with In; Close closes In if it can be closed.
func (t *Transport) Connect(context.Context) (mcp.Connection, error) {
	c := &connection{
		Transport: *t,
		messages:  make(chan jsonrpc.Message),
		closed:    make(chan struct{}),
		answered:  make(chan struct{}, 1),
		calls:     make(map[jsonrpc.ID]bool),
		asked:     make(map[jsonrpc.ID]bool),
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	go c.read() // ends with In
	return c, nil
}

type connection struct {
	Transport
	messages chan jsonrpc.Message // closed at the end of In
	closed   chan struct{}
	answered chan struct{} // has a token if no request waits for its answer any more
	once     sync.Once

	mu    sync.Mutex // guards Out, Log, calls and asked
	calls map[jsonrpc.ID]bool
	asked map[jsonrpc.ID]bool // the server's own requests without an answer
}

// SessionID implements [mcp.Connection]; stdio has none.
func (c *connection) SessionID() string { return "" }

// Read implements [mcp.Connection].
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m, ok := <-c.messages:
		if !ok {
			return nil, io.EOF
		}
		return m, nil
	case <-c.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write implements [mcp.Connection].
func (c *connection) Write(_ context.Context, m jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch m := m.(type) {
	case *jsonrpc.Response:
		if delete(c.calls, m.ID); len(c.calls) == 0 {
			select {
			case c.answered <- struct{}{}:
			default:
			}
		}
	case *jsonrpc.Request:
		if m.IsCall() {
			c.asked[m.ID] = true
		}
	}
	if _, err := c.Out.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	return nil
}

// Close implements [mcp.Connection].
func (c *connection) Close() error {
	c.once.Do(func() {
		close(c.closed)
		if in, ok := c.In.(io.Closer); ok {
			_ = in.Close() // ends a read, where the system can
		}
	})
	return nil
}

// farewell is how long the requests before the end of In have for their answers.
const farewell = time.Second

// drain waits for the answers to what was read: requests that come from a pipe end with it.
func (c *connection) drain() {
	late := time.NewTimer(farewell)
	defer late.Stop()
	for {
		c.mu.Lock()
		open := len(c.calls)
		c.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-c.answered:
		case <-c.closed:
			return
		case <-late.C:
			return
		}
	}
}

func (c *connection) read() {
	defer close(c.messages)
	defer c.drain()
	in := bufio.NewReaderSize(c.In, 64<<10)
	for {
		line, tail, err := next(in)
		if tail != nil {
			c.reject(line, tail, fmt.Errorf("it is longer than %d MiB", maxLine>>20))
		} else if !c.take(line) {
			return
		}
		if err != nil {
			return
		}
	}
}

// next reads a line. Of one that is too long it returns the first and the last bytes.
func next(in *bufio.Reader) (line, tail []byte, err error) {
	for {
		piece, err := in.ReadSlice('\n')
		if len(line)+len(piece) <= maxLine {
			line = append(line, piece...)
		} else {
			tail = append(tail[max(0, len(tail)-1024):], piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tail, err
		}
	}
}

// take hands the messages of a line to Read. It is false when the connection is closed.
func (c *connection) take(line []byte) bool {
	text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xef\xbb\xbf")))
	if len(text) == 0 {
		return true
	}
	repaired := jsonscan.Repair(text, maxLine)
	if repaired == nil {
		c.reject(text, text, errors.New("it is not UTF-8"))
		return true
	}
	parts := []json.RawMessage{repaired}
	var batch []json.RawMessage // of MCP 2025-03-26
	if repaired[0] == '[' && json.Unmarshal(repaired, &batch) == nil && len(batch) > 0 {
		parts = batch
	}
	for _, part := range parts {
		m, _, err := jsonscan.Decode(part)
		if err == nil {
			err = c.accept(m)
		}
		if err != nil {
			c.reject(part, part, fmt.Errorf("the message %w", err))
			continue
		}
		select {
		case c.messages <- m:
		case <-c.closed:
			return false
		}
	}
	return true
}

// accept checks what the SDK would end the connection for.
func (c *connection) accept(m jsonrpc.Message) error {
	switch m := m.(type) {
	case *jsonrpc.Response:
		c.mu.Lock()
		defer c.mu.Unlock()
		if !c.asked[m.ID] {
			return errUnasked
		}
		delete(c.asked, m.ID)
	case *jsonrpc.Request:
		if len(m.Params) > 0 && m.Params[0] != '{' && string(m.Params) != "null" {
			return errParams
		}
		if m.IsCall() {
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.calls[m.ID] {
				return errTwice
			}
			c.calls[m.ID] = true
		}
	}
	return nil
}

var (
	errUnasked = errors.New("answers a request that this server did not make")
	errParams  = errors.New("has params that are not an object")
	errTwice   = errors.New("has the id of a request without an answer yet")
)

// reject logs a faulty line, and answers the request that it was meant to be.
func (c *connection) reject(head, tail []byte, why error) {
	excerpt := strconv.QuoteToASCII(strings.ToValidUTF8(string(head[:min(len(head), 100)]), "\uFFFD"))
	if len(head) > 100 {
		excerpt += "…"
	}
	c.mu.Lock()
	if c.Log != nil {
		_, _ = fmt.Fprintf(c.Log, "[%s] [ERROR] Invalid message: %v: %s\n", c.Now().UTC().Format("2006-01-02T15:04:05Z"), why, excerpt)
	}
	c.mu.Unlock()
	if errors.Is(why, errUnasked) || errors.Is(why, errTwice) {
		return // an answer would be to another request
	}
	if id := jsonscan.Asked(head, tail); id.IsValid() {
		code := int64(jsonrpc.CodeInvalidRequest)
		if errors.Is(why, jsonscan.ErrSyntax) {
			code = jsonrpc.CodeParseError
		}
		_ = c.Write(context.Background(), &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: code, Message: "Invalid message: " + why.Error()}})
	}
}
