// Package stdio is the transport of the bundled servers: MCP over stdin and stdout, with one
// message per line.
//
// A line that is not a message does not stop the server. The transport logs it in one line, answers
// it with an error if it was a request, and continues to read (seed 000, "Invalid MCP messages: Log
// error and continue listening"). It uses the scanner of goated's client, and must not know servers
// or tools.
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

// maxLine is the maximum length of a message, in bytes.
const maxLine = 16 << 20

// A Transport reads messages from In until In ends, and writes messages to Out. It is an
// [mcp.Transport] with a single connection.
type Transport struct {
	In  io.Reader
	Out io.Writer
	Log io.Writer        // receives a line for each faulty line, in the form of seed 000
	Now func() time.Time // nil: time.Now
}

// Connect implements [mcp.Transport]. The connection reads on a goroutine that ends when In ends.
// Close closes In if that is possible.
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
	answered chan struct{} // has a token if no request is waiting for its response any more
	once     sync.Once

	mu    sync.Mutex // guards Out, Log, calls and asked
	calls map[jsonrpc.ID]bool
	asked map[jsonrpc.ID]bool // the server's own requests that have no response yet
}

// SessionID implements [mcp.Connection]. Over stdio, there is no session id.
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
			_ = in.Close() // ends a read, if the system supports that
		}
	})
	return nil
}

// farewell is how long requests that arrived before the end of In may still take.
const farewell = time.Second

// drain waits for the responses to the requests that were read, because requests from a pipe may
// end with it.
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

// next reads a line. If the line is too long, it returns only its first and last bytes.
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

// take passes the messages of a line to Read. It returns false if the connection is closed.
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
	var batch []json.RawMessage // a batch of MCP 2025-03-26
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

// accept checks for messages because of which the SDK would close the connection.
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

// reject logs a faulty line. If the line was meant to be a request, it sends an error response.
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
		return // a response would belong to another request
	}
	if id := jsonscan.Asked(head, tail); id.IsValid() {
		code := int64(jsonrpc.CodeInvalidRequest)
		if errors.Is(why, jsonscan.ErrSyntax) {
			code = jsonrpc.CodeParseError
		}
		_ = c.Write(context.Background(), &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: code, Message: "Invalid message: " + why.Error()}})
	}
}
