package httplink

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client/internal/answers"
	"goated/client/internal/pending"
	"goated/internal/jsonscan"
	"goated/internal/neterr"
)

// get opens a stream with GET. Without lastEvent, it is the stream for messages that are not
// responses. With the id of an event, it is the interrupted stream. unasked means that no call
// waits for the stream.
func (c *Conn) get(ctx context.Context, lastEvent string, unasked bool) (*http.Response, error) {
	for state := (exchangeState{try: 1, unasked: unasked}); ; state.try++ {
		r, session, err := c.request(ctx, http.MethodGet, nil, nil)
		if err != nil {
			return nil, err
		}
		if lastEvent != "" {
			r.Header.Set(eventHeader, lastEvent)
		}
		resp, err := c.http.Do(r)
		if err != nil {
			return nil, faultOf(err, r.URL.Host)
		}
		if resp.StatusCode == http.StatusNotFound && lastEvent != "" {
			session = "" // the server may have lost the stream rather than the session
		}
		again, err := c.handleStatus(ctx, nil, r, resp, session, &state)
		if err != nil || again {
			_ = resp.Body.Close()
		}
		if err != nil || !again {
			return resp, err
		}
	}
}

// listen keeps open the stream on which a server with sessions sends messages that are not
// responses. Many servers have none. A server that cannot be reached several times in a row is
// gone. If a server requires a sign-in only for this stream, goated does without it. Otherwise it
// would ask the user at each connection for something that no call needs.
func (c *Conn) listen() {
	if v := c.requests.Version(); v == "" || v >= answers.Modern || v < "2025-03-26" {
		return
	}
	var at position
	for failed, short := 0, 0; c.ctx.Err() == nil; {
		resp, err := c.get(c.ctx, at.id, true)
		var fault *Fault
		var wire *jsonrpc.Error
		switch {
		case c.ctx.Err() != nil:
			if err == nil {
				_ = resp.Body.Close()
			}
			return
		case err == nil && mediaType(resp.Header.Get("Content-Type")) != "text/event-stream":
			_ = resp.Body.Close()
			return
		case err == nil:
			if failed = 0; at.id == "" {
				c.reportGap()
			}
			began := time.Now()
			if heard := c.readEvents(resp.Body, &at, jsonrpc.ID{}); heard || time.Since(began) > longestPause {
				short = 0
			}
			if short++; at.pause > 0 {
				short = 1 // the server sets the pause
			}
		case errors.As(err, &wire):
			return
		case !errors.As(err, &fault) || fault.Kind == SessionLost:
			c.end(err)
			return
		case fault.unsent():
			if failed++; failed > maxResumes {
				c.end(&Fault{Kind: Gone, Host: fault.Host, Err: fault})
				return
			}
		case fault.Status != 0 && fault.Kind != Failing && fault.Status != http.StatusTooManyRequests:
			if at.id == "" {
				return // for example 405: the server has no such stream
			}
			at.id = "" // the events since then are lost
		default:
			failed++
		}
		if sleep(c.ctx, pauseFor(at.pause, max(failed, short))) != nil {
			return
		}
	}
}

// maxRenewals bounds the sessions that replace lost ones within renewalTime. A server that loses each of
// them is broken.
const (
	maxRenewals = 100
	renewalTime = time.Hour
)

// renew starts a new session after the server lost the session named lost: "the client MUST start a
// new session by sending a new InitializeRequest". The SDK only notices that the tools may have
// changed.
func (c *Conn) renew(ctx context.Context, lost string) error {
	gone := &Fault{Kind: SessionLost, Host: c.route.host()}
	fresh, err := c.route.renew(ctx, lost, func(hello []byte) (string, error) {
		c.o.Log.Note("the server forgot the session; goated begins a new one")
		return c.greetAgain(ctx, hello)
	})
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		gone.Err = err
		return gone
	case fresh:
		c.reportGap()
	}
	return nil
}

// renew runs greet, unless another request has already renewed the session. Requests that notice
// the loss in the meantime wait for it.
func (r *route) renew(ctx context.Context, lost string, greet func(hello []byte) (string, error)) (fresh bool, err error) {
	select {
	case r.renewing <- true:
		defer func() { <-r.renewing }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	if now := time.Now(); now.Sub(r.counted) > renewalTime {
		r.renewed, r.counted = 0, now
	}
	r.mu.Lock()
	hello, over, done := r.hello, r.renewed >= maxRenewals || r.hello == nil, r.session != lost
	r.mu.Unlock()
	switch {
	case done:
		return false, nil
	case over:
		return false, errors.New("the server loses its sessions")
	}
	id, err := greet(hello)
	if err != nil {
		return false, err
	}
	r.renewed++
	r.setSession(id)
	return true, nil
}

// greetAgain sends initialize, notifications/initialized and the subscriptions to resources. It
// returns the session id.
func (c *Conn) greetAgain(ctx context.Context, hello []byte) (string, error) {
	resp, err := c.post(ctx, hello, "")
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		fault, _, body := c.refusal(resp, resp.Request)
		c.o.Trace.Received(body, len(body), true)
		return "", fault
	}
	answer, err := c.answerTo(resp)
	if err != nil {
		return "", err
	}
	if v := answers.AgreedVersion(answer.Result); answer.Error != nil || v != c.requests.Version() {
		return "", errors.New("the server no longer speaks " + c.requests.Version())
	}
	session := resp.Header.Get(sessionHeader)
	done := []byte(`{"jsonrpc":"2.0","method":"notifications/initialized","params":{}}`)
	if accepted, err := c.post(ctx, done, session); err == nil {
		_ = accepted.Body.Close()
	}
	ctx, cancel := context.WithTimeout(ctx, pending.ProbeLimit) // a call waits for the session
	defer cancel()
	for _, data := range c.follows.all() {
		if resp, err := c.post(ctx, data, session); err == nil {
			_, _ = c.answerTo(resp) // the server may no longer have the resource
			_ = resp.Body.Close()
		}
	}
	return session, nil
}

// post sends one message of a session that is being started. session is empty if there is none yet.
func (c *Conn) post(ctx context.Context, data []byte, session string) (*http.Response, error) {
	msg, err := jsonrpc.DecodeMessage(data)
	if err != nil {
		return nil, err
	}
	r, _, err := c.request(ctx, http.MethodPost, msg.(*jsonrpc.Request), data)
	if err != nil {
		return nil, err
	}
	if session != "" {
		r.Header.Set(sessionHeader, session)
	}
	resp, err := c.http.Do(r)
	if err != nil {
		return nil, faultOf(err, r.URL.Host)
	}
	return resp, nil
}

// maxGreeting bounds the response to initialize, in bytes.
const maxGreeting = 1 << 20

// answerTo reads the single response in an HTTP response.
func (c *Conn) answerTo(resp *http.Response) (*jsonrpc.Response, error) {
	read := func(data []byte) (*jsonrpc.Response, error) {
		msg, _, err := jsonscan.Decode(data)
		if err != nil {
			return nil, err
		}
		answer, _ := msg.(*jsonrpc.Response)
		return answer, nil
	}
	if mediaType(resp.Header.Get("Content-Type")) != "text/event-stream" {
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxGreeting))
		if err != nil {
			return nil, err
		}
		answer, err := read(body)
		if answer == nil && err == nil {
			err = jsonscan.ErrNotMessage
		}
		return answer, err
	}
	for r := newEventReader(resp.Body, maxGreeting); ; {
		ev, err := r.next()
		if err != nil {
			return nil, errNoAnswer
		}
		if answer, err := read(ev.data); err == nil && answer != nil {
			return answer, nil
		}
	}
}

// suggest looks for an MCP server at the usual paths of the host, because the user's URL has none.
func (c *Conn) suggest(ctx context.Context, f *Fault) *Fault {
	c.route.mu.Lock()
	u := *c.route.url
	c.route.mu.Unlock()
	switch {
	case f.Kind == PlainHTTP:
		u.Scheme = "http"
		f.Suggest = RedactURL(u.String())
		return f
	case f.Kind == NeedsHTTPS:
		u.Scheme = "https"
		f.Suggest = RedactURL(u.String())
		return f
	case f.Kind != NotFound && f.Kind != NotMCP:
		return f
	}
	for _, path := range []string{"/mcp", "/sse", "/mcp/"} {
		try := u
		try.Path, try.RawPath, try.RawQuery = path, "", ""
		if try.Path != u.Path && c.respondsAt(ctx, &try) {
			f.Suggest = try.String()
			break
		}
	}
	return f
}

// respondsAt reports whether an MCP server responds at u. It sends none of the user's headers.
func (c *Conn) respondsAt(ctx context.Context, u *url.URL) bool {
	ctx, cancel := context.WithTimeout(ctx, pending.ProbeLimit)
	defer cancel()
	method, hello := http.MethodPost, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"goated","version":"probe"}}}`
	if u.Path == "/sse" {
		method, hello = http.MethodGet, ""
	}
	r, err := http.NewRequestWithContext(ctx, method, u.String(), strings.NewReader(hello))
	if err != nil {
		return false
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := c.http.Do(r)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusUnauthorized:
		return resp.Header.Get("WWW-Authenticate") != ""
	case http.StatusBadRequest:
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
		return errorOf(body) != nil
	default:
		return false
	}
	if method == http.MethodGet {
		ev, err := newEventReader(resp.Body, maxField).next()
		return err == nil && ev.name == "endpoint"
	}
	answer, err := c.answerTo(resp)
	return err == nil && answers.AgreedVersion(answer.Result) != ""
}

// serverGone reports whether nothing listens at the server's address any more. It cannot detect this
// through a proxy.
func (c *Conn) serverGone(ctx context.Context) bool {
	u, _ := c.route.target(http.MethodPost)
	if proxy := c.o.Transport.Proxy; proxy != nil {
		if via, err := proxy(&http.Request{URL: u}); via != nil || err != nil {
			return false
		}
	}
	port := u.Port()
	if port == "" {
		port = u.Scheme // the name of the scheme's port
	}
	ctx, cancel := context.WithTimeout(ctx, pending.ProbeLimit)
	defer cancel()
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", net.JoinHostPort(u.Hostname(), port))
	if err != nil {
		return neterr.KindOf(err) == neterr.Refused
	}
	_ = conn.Close()
	return false
}
