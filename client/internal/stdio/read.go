package stdio

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client/internal/answers"
	"goated/client/internal/limits"
	"goated/internal/exact"
	"goated/internal/jsonscan"
	"goated/internal/proc"
)

// maxBatch bounds a line with several messages, in bytes. Only 2025-03-26 has such lines.
const maxBatch = 1 << 20

// readLoop reads lines until stdout ends.
func (c *Conn) readLoop() {
	defer close(c.done)
	defer c.process.Stdout.Close()
	go func() { // a child of the server may hold stdout open; ends with the process
		<-c.process.Done()
		_ = c.process.Stdout.SetReadDeadline(time.Now().Add(proc.GraceDrain))
	}()
	r := newLineReader(&drainReader{f: c.process.Stdout}, c.options.MaxFrame)
	for {
		if n := r.blank(); n > 0 {
			received(c, nil, n, true)
			if err := c.limits.Blank(n); err != nil {
				c.deliver(frame{err: endError(c, err)})
				return
			}
			continue
		}
		line, cut, err := r.next()
		c.peer.beginDelivery()
		var msgs []jsonrpc.Message
		var fault error
		if cut != nil {
			received(c, cut.head, cut.size, false)
			msgs, fault = c.failTruncated(cut, "")
		} else {
			msgs, fault = c.take(line)
		}
		if err == nil || errors.Is(err, errEndless) {
			err = errors.Join(fault, err)
		}
		if len(msgs) > 0 && !c.deliver(frame{msgs: msgs}) {
			return
		}
		c.peer.endDelivery()
		c.shutIfIdle()
		if err != nil {
			c.eof.Store(true)
			noteUnread(c)
			c.deliver(frame{err: endError(c, err)})
			return
		}
	}
}

// noteUnread records, once stdout has ended, whether the server has read nothing of what goated
// wrote. A message that is being written at that time does not count until send calls it again.
func noteUnread(c *Conn) {
	if c.eof.Load() && int64(proc.Unread(c.process.Stdin)) >= c.out.offered.Load() {
		c.unread.Store(true)
	}
}

// Unread reports whether stdout has ended before the server read anything. Then no message of goated
// is the reason for that. Only Linux tells what was read; other systems know only that nothing was written.
func Unread(c *Conn) bool { return c.unread.Load() }

// deliver passes a frame to Read, and reports whether it could.
func (c *Conn) deliver(f frame) bool {
	select {
	case c.frames <- f:
		return true
	case <-c.closed:
		return false
	}
}

// take reads the messages of a line, and reports the line once to the trace. "The server MUST NOT
// write anything to its stdout that is not a valid MCP message" (MCP, Transports), but print() is
// every beginner's debugger, so goated keeps such lines for the user. If take returns an error, the
// connection must end.
func (c *Conn) take(line []byte) ([]jsonrpc.Message, error) {
	if len(line) == 0 {
		return nil, nil
	}
	msgs, known, fault := c.parse(line)
	text := bytes.TrimSuffix(line, []byte("\n"))
	received(c, text, len(text), !known)
	return msgs, fault
}

// parse is take without the trace. known reports whether the line contains a JSON-RPC message, even
// an invalid one.
func (c *Conn) parse(line []byte) (msgs []jsonrpc.Message, known bool, fault error) {
	line, bom, crlf := trim(line)
	if bom || crlf {
		c.limits.Trimmed(bom, crlf)
	}
	if len(line) == 0 {
		return nil, false, c.limits.Blank(1)
	}
	text := jsonscan.Repair(line, c.options.MaxFrame)
	if text == nil {
		msgs, fault = c.failTruncated(cutOf(line), " once its bytes that are not UTF-8 are replaced")
		return msgs, true, fault
	}
	if text[0] == '[' && len(text) <= maxBatch && c.peer.batches() {
		var parts []json.RawMessage
		if json.Unmarshal(text, &parts) == nil {
			for _, part := range parts {
				msg, one, fault := message(c, part)
				if known = known || one; msg != nil {
					msgs = append(msgs, msg)
				}
				if fault != nil {
					return msgs, known, fault
				}
			}
			return msgs, known, nil
		}
	}
	msg, known, fault := message(c, text)
	if msg != nil {
		msgs = []jsonrpc.Message{msg}
	}
	return msgs, known, fault
}

// message decodes one message. It returns nil if the SDK must not get it.
func message(c *Conn, part []byte) (_ jsonrpc.Message, known bool, fault error) {
	msg, id, err := c.decoder.Decode(part)
	if err != nil {
		if failed := c.fail(id, fmt.Errorf("the server's message %w", jsonscan.Explain(part, err))); failed.pending {
			return failed.forSDK, true, nil
		}
		known = isMessage(err)
		if !known {
			err = nil
		}
		return nil, known, c.limits.Line(part, err)
	}
	ours, fault := c.accept(msg)
	if fault != nil || ours {
		return nil, true, fault
	}
	return msg, true, nil
}

// isMessage reports whether the fault concerns a JSON-RPC message.
func isMessage(fault error) bool {
	return !errors.Is(fault, jsonscan.ErrSyntax) && !errors.Is(fault, jsonscan.ErrNotMessage)
}

// trim removes a byte order mark and white space. It reports whether there was a byte order mark
// and a CRLF line ending.
func trim(line []byte) (text []byte, bom, crlf bool) {
	text, bom = bytes.CutPrefix(line, []byte("\xef\xbb\xbf"))
	crlf = bytes.HasSuffix(text, []byte("\r\n"))
	return bytes.TrimSpace(text), bom, crlf
}

// accept records a message before the SDK gets it. ours reports that the SDK must not get it. If
// accept returns an error, the connection must end.
func (c *Conn) accept(msg jsonrpc.Message) (ours bool, fault error) {
	switch msg := msg.(type) {
	case *jsonrpc.Response:
		method, ok := c.peer.requests.Resolve(msg)
		if !ok {
			return true, c.limits.UnexpectedResponse(c.peer.requests.UnexpectedResponse(msg.ID))
		}
		if c.Calls.deliver(msg) {
			return true, c.limits.Message(limits.Answer, "")
		}
		for _, note := range answers.Apply(method, msg) {
			c.process.Stderr.Note("stdout: " + note)
		}
		msg.Result = exact.HideAnswer(method, msg.Result)
		return false, c.limits.Message(limits.Answer, "")
	case *jsonrpc.Request:
		verdict := limits.Request
		if !msg.IsCall() {
			verdict = c.options.Notified(msg)
		}
		if fault := c.limits.Message(verdict, msg.Method); fault != nil {
			return true, fault
		}
		if msg.IsCall() {
			msg.Params = exact.HideMessage(msg.Params)
			switch fresh, fault := c.peer.requests.BeginServerRequest(msg.ID); {
			case fault != nil:
				return true, fault
			case !fresh: // the SDK would respond to neither, or to the wrong one
				c.process.Stderr.Note("stdout: the server used the id of a request that goated has not answered yet: " + msg.Method)
				return true, nil
			}
		}
		return verdict.Consumed(), nil
	}
	return false, nil
}

// A failure is the response to a pending call instead of the server's.
type failure struct {
	pending bool            // there was such a call
	forSDK  jsonrpc.Message // the response; nil if the host's own call received it
}

// fail responds to a pending call instead of the server.
func (c *Conn) fail(id jsonrpc.ID, why error) failure {
	answer := c.peer.fail(id, why)
	if answer == nil {
		return failure{}
	}
	_ = c.limits.Message(limits.Answer, "") // weighs nothing
	if c.Calls.deliver(answer) {
		return failure{pending: true}
	}
	return failure{true, answer}
}

// failTruncated fails the call to which a truncated line responds, or all calls if it cannot find that
// call.
func (c *Conn) failTruncated(cut *cutLine, once string) ([]jsonrpc.Message, error) {
	why := fmt.Errorf("the server's message %w: more than %s%s", jsonscan.ErrTooLarge, limits.Size(c.options.MaxFrame), once)
	id, request := jsonscan.Cut(cut.head, cut.tail)
	ids := c.peer.requests.Answerable(id)
	switch {
	case len(ids) == 1 && ids[0] == id:
	case request:
		return nil, c.limits.Line(cut.head, jsonscan.ErrTooLarge)
	case id.IsValid(): // a response to a cancelled call
		return nil, c.limits.UnexpectedResponse(nil)
	}
	var answers []jsonrpc.Message
	failed := false
	for _, id := range ids {
		f := c.fail(id, why)
		if failed = failed || f.pending; f.forSDK != nil {
			answers = append(answers, f.forSDK)
		}
	}
	if !failed {
		return nil, c.limits.Line(cut.head, jsonscan.ErrTooLarge)
	}
	return answers, nil
}
