package httplink

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client/internal/answers"
)

const (
	// firstPause and longestPause bound the pauses before a stream is reopened.
	firstPause   = 500 * time.Millisecond
	longestPause = 30 * time.Second
	// maxResumes bounds how often a stream is reopened without a new event, unless the server
	// requests a pause.
	maxResumes = 5
)

// errNoAnswer means that a stream ended before the response.
var errNoAnswer = errors.New("the connection ended before the server answered")

// receive reads the response to a request. The response is one message, or the last message of a
// stream.
func (c *Conn) receive(ctx context.Context, req *jsonrpc.Request, data []byte, resp *http.Response) error {
	if req.Method == "initialize" && !c.route.isSSE() {
		c.route.setSession(resp.Header.Get(sessionHeader))
	}
	kind := mediaType(resp.Header.Get("Content-Type"))
	switch {
	case kind == "text/event-stream":
		return c.stream(ctx, req, data, resp)
	case resp.StatusCode == http.StatusAccepted || resp.StatusCode == http.StatusNoContent || c.route.isSSE():
		_ = resp.Body.Close()
		if c.route.isSSE() {
			return nil // the response comes on the stream
		}
		return &Fault{Kind: NotMCP, Host: c.route.host(), Status: resp.StatusCode, Text: "an empty answer"}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(c.o.MaxFrame)+1))
	switch {
	case err != nil:
		return errNoAnswer
	case len(body) > c.o.MaxFrame:
		c.o.Trace.Received(body[:headBytes], len(body), false)
		return c.tooLarge()
	case len(bytes.TrimSpace(body)) == 0:
		return &Fault{Kind: NotMCP, Host: c.route.host(), Status: resp.StatusCode, Text: "an empty answer"}
	case kind != "application/json" && bytes.TrimSpace(body)[0] != '{':
		c.o.Trace.Received(body, len(body), true)
		text := c.o.Redact(describe(kind, body))
		c.o.Log.Note("an answer that is not MCP (" + kind + "): " + text)
		return &Fault{Kind: NotMCP, Host: c.route.host(), Status: resp.StatusCode, Text: text}
	}
	fault := c.take(body, req.ID)
	if fault != nil {
		c.end(fault)
		return nil
	}
	if c.requests.Has(req.ID) {
		return errors.New("the server's answer is for another request")
	}
	return nil
}

// A position is the place where a stream was interrupted.
type position struct {
	id    string        // of the last event; empty means that the stream cannot be resumed
	pause time.Duration // requested by the server; 0 means none
}

// stream reads a stream until the response to req. If the stream ends earlier, goated resumes it
// after its last event id, which versions before 2026-07-28 allow.
func (c *Conn) stream(ctx context.Context, req *jsonrpc.Request, data []byte, resp *http.Response) error {
	var at position
	for tries := 0; ; {
		before := at.id
		heard := c.readEvents(resp.Body, &at, req.ID)
		if !c.requests.Has(req.ID) || ctx.Err() != nil {
			return nil
		}
		// "The client MUST respect the retry field, waiting the given number of milliseconds before
		// attempting to reconnect." (MCP 2025-11-25, transports.) goated polls a server that sets
		// it for as long as the call may take.
		if tries++; at.id != before || at.pause > 0 || heard && req.Method == "subscriptions/listen" {
			tries = 1
		}
		resumable := at.id != "" && c.requests.Version() < answers.Modern
		switch {
		case req.Method == "subscriptions/listen": // it has no response while it is open
		case !resumable || tries > maxResumes:
			return errNoAnswer
		}
		var err error
		if resp, tries, err = c.reopen(ctx, req, data, at, resumable, tries); err != nil {
			return err
		}
		if mediaType(resp.Header.Get("Content-Type")) != "text/event-stream" {
			return c.receive(ctx, req, data, resp)
		}
	}
}

// reopen reopens the interrupted stream of req, and pauses while the server cannot be reached. It
// returns the number of attempts without a new event.
func (c *Conn) reopen(ctx context.Context, req *jsonrpc.Request, data []byte, at position, resume bool, tries int) (*http.Response, int, error) {
	for {
		if err := sleep(ctx, pauseFor(at.pause, tries)); err != nil {
			return nil, tries, err
		}
		var resp *http.Response
		var err error
		if resume {
			resp, err = c.get(ctx, at.id, false)
		} else {
			resp, err = c.exchange(ctx, req, data)
		}
		var fault *Fault
		switch {
		case err == nil:
			return resp, tries, nil
		case ctx.Err() != nil:
			return nil, tries, ctx.Err()
		case !errors.As(err, &fault) || fault.Status != 0 && fault.Kind != Failing || tries > maxResumes:
			return nil, tries, err
		}
		tries++
	}
}

// pauseFor returns the pause before the nth attempt to reopen a stream. It is first the pause that
// the server requests, and then grows and differs between clients.
func pauseFor(asked time.Duration, n int) time.Duration {
	if asked > 0 && n <= 1 {
		return asked
	}
	d := firstPause
	for ; n > 1 && d < longestPause; n-- {
		d *= 2
	}
	d = min(d, longestPause)
	return max(asked, d/2+rand.N(d/2+1))
}

// readEvents reads a stream until it ends, or until it contains the response to the request with id.
// heard reports whether any event arrived. readEvents closes the body.
func (c *Conn) readEvents(body io.ReadCloser, at *position, id jsonrpc.ID) (heard bool) {
	defer body.Close()
	r := newEventReader(body, c.o.MaxFrame)
	for {
		ev, err := r.next()
		if err != nil {
			return heard
		}
		heard = true
		if ev.hasID {
			at.id = ev.id
		}
		if ev.retry > 0 {
			at.pause = ev.retry
		}
		if ev.name != "" && ev.name != "message" || len(ev.data) == 0 {
			continue
		}
		if ev.cut > 0 {
			c.failOversized(ev, id)
		} else if fault := c.take(ev.data, jsonrpc.ID{}); fault != nil {
			c.end(fault)
			return heard
		}
		if id.IsValid() && !c.requests.Has(id) {
			return heard
		}
	}
}
