package httplink

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client/internal/answers"
	"goated/client/internal/limits"
	"goated/client/internal/pending"
	"goated/client/internal/trace"
	"goated/internal/exact"
	"goated/internal/jsonscan"
	"goated/internal/proc"
)

// An inbox receives the server's messages, updates the open requests, and passes them to Read. It
// is safe for concurrent use.
type inbox struct {
	life     *lifetime
	trace    *trace.Tracer
	log      *proc.LogRing
	max      int // of one message, in bytes
	notified func(*jsonrpc.Request) limits.Verdict
	check    func(method string, r *jsonrpc.Response) (notes []string)
	requests *pending.Requests
	mirror   mirror
	limits   *limits.Limits
	in       chan jsonrpc.Message // from the goroutines that read responses
}

// deliver passes a message to Read.
func (b *inbox) deliver(m jsonrpc.Message) {
	select {
	case b.in <- m:
	case <-b.life.ended:
	}
}

// fail responds to a pending request instead of the server.
func (b *inbox) fail(id jsonrpc.ID, why error) {
	answer := &jsonrpc.Response{ID: id}
	var wire *jsonrpc.Error
	if errors.As(why, &wire) {
		answer.Error = answers.ForSDK(wire)
	} else {
		answer.Error = answers.NewLocal(why)
	}
	if _, open := b.requests.Drop(id); open {
		_ = b.limits.Message(limits.Answer, "") // weighs nothing
		b.deliver(answer)
	}
}

// traceUnanswered reports to the trace that a request gets no response, and the reason.
func traceUnanswered(t *trace.Tracer, id jsonrpc.ID, why error, by trace.Direction) {
	if t == nil {
		return
	}
	if text, err := json.Marshal(id.Raw()); err == nil { // a string or a number, which always encodes
		t.Unanswered(string(text), why.Error(), by)
	}
}

func (b *inbox) tooLarge() error {
	return fmt.Errorf("the server's message %w: more than %s", jsonscan.ErrTooLarge, limits.Size(b.max))
}

// failOversized fails the call to which an oversized event responds. If the kept part of the event has
// no id, that is the call asked, to whose request the server sent the stream.
func (b *inbox) failOversized(ev event, asked jsonrpc.ID) {
	b.trace.Received(ev.data, ev.cut, false)
	id, request := jsonscan.Cut(ev.data, nil)
	known := id.IsValid()
	if !known {
		id = asked
	}
	if !request && id.IsValid() && b.requests.Has(id) {
		why := b.tooLarge()
		if !known {
			traceUnanswered(b.trace, id, why, trace.Received)
		}
		b.fail(id, why)
		return
	}
	if err := b.limits.Line(ev.data, jsonscan.ErrTooLarge); err != nil {
		b.life.end(err)
	}
}

// take reads the messages in a body or an event, and reports them to the trace. An invalid response
// fails the call with its id, otherwise the call id, whose request it came with. If take returns an
// error, the connection must end.
func (b *inbox) take(data []byte, id jsonrpc.ID) (fault error) {
	known := false
	var failed []*jsonrpc.Response
	defer func() {
		b.trace.Received(data, len(data), !known)
		for _, r := range failed { // the frame may still have been the response to these
			traceUnanswered(b.trace, r.ID, r.Error, trace.Received)
		}
	}()
	fail := func(why error) {
		failed = append(failed, &jsonrpc.Response{ID: id, Error: why})
		b.fail(id, why)
	}
	text := jsonscan.Repair(bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))), b.max)
	if len(text) == 0 {
		return nil
	}
	parts := []json.RawMessage{text}
	if text[0] == '[' && json.Unmarshal(text, &parts) != nil { // only 2025-03-26 has batches
		parts = []json.RawMessage{text}
	}
	for _, part := range parts {
		msg, about, err := jsonscan.Decode(part)
		if err != nil {
			if b.requests.Has(about) {
				id = about
			}
			known = known || !errors.Is(err, jsonscan.ErrSyntax) && !errors.Is(err, jsonscan.ErrNotMessage)
			if wire := errorOf(part); wire != nil && b.requests.Has(id) {
				fail(wire)
			} else if b.requests.Has(id) {
				fail(fmt.Errorf("the server's message %w", jsonscan.Explain(part, err)))
			} else if err := b.limits.Line(part, err); err != nil {
				return err
			}
			continue
		}
		known = true
		if err := b.accept(msg); err != nil {
			return err
		}
	}
	return nil
}

// accept records a message and delivers it, unless goated consumes the message itself. If accept
// returns an error, the connection must end.
func (b *inbox) accept(msg jsonrpc.Message) (fault error) {
	switch msg := msg.(type) {
	case *jsonrpc.Response:
		method, ok := b.requests.Resolve(msg)
		if !ok {
			return b.limits.UnexpectedResponse(b.requests.UnexpectedResponse(msg.ID))
		}
		if b.check != nil {
			for _, note := range b.check(method, msg) {
				b.log.Note(note)
			}
		}
		if method == "tools/list" && msg.Error == nil {
			b.mirror.learn(msg.Result)
		}
		msg.Result = exact.HideAnswer(method, msg.Result)
		if err := b.limits.Message(limits.Answer, ""); err != nil {
			return err
		}
	case *jsonrpc.Request:
		verdict := limits.Request
		if !msg.IsCall() {
			verdict = b.notified(msg)
		}
		if fault := b.limits.Message(verdict, msg.Method); fault != nil {
			return fault
		}
		if msg.IsCall() {
			msg.Params = exact.HideMessage(msg.Params)
			switch fresh, fault := b.requests.BeginServerRequest(msg.ID); {
			case fault != nil:
				return fault
			case !fresh:
				b.log.Note("the server used the id of a request that goated has not answered yet: " + msg.Method)
				return nil
			}
		}
		if verdict.Consumed() {
			return nil
		}
	}
	b.deliver(msg)
	return nil
}

// reportGap reports that goated may have missed changes until now. A server drops its messages while
// no stream is open for them, unless it can resume the last one. Newer servers send this
// notification when they begin to report changes.
func (b *inbox) reportGap() {
	_ = b.accept(&jsonrpc.Request{Method: "notifications/subscriptions/acknowledged",
		Params: []byte(`{"notifications":{"toolsListChanged":true,"resourceSubscriptions":["*"]}}`)})
}

// Noise counts the server's data that is not a message.
func (b *inbox) Noise() limits.Noise { return b.limits.Noise() }

// SkippedOutput returns an error that describes the output that goated has skipped since a time. It
// returns nil if there is none.
func (b *inbox) SkippedOutput(since time.Time) error { return b.limits.SkippedOutput(since) }

// ListedBytes returns the total size of the responses to tools/list so far.
func (b *inbox) ListedBytes() int64 { return b.requests.ListedBytes() }

// SlowStart reports whether the server responded to server/discover too late.
func (b *inbox) SlowStart() bool { return b.requests.SlowStart() }

// Version returns the protocol version that both sides agreed on, or "" before that.
func (b *inbox) Version() string { return b.requests.Version() }
