package httplink

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/internal/weborigin"
)

// endpointLimit bounds the wait for the URL for messages. The stream of a newer server that refused
// the POST never sends one.
const endpointLimit = 10 * time.Second

// mayBeSSE reports whether a server that refused initialize may use the oldest transport: "If it
// fails with an HTTP 4xx status code (e.g., 405 Method Not Allowed or 404 Not Found): Issue a GET
// request" (MCP 2025-03-26, Backwards Compatibility). It returns false if the server requires a
// sign-in or asks goated to wait.
func (c *Conn) mayBeSSE(err error) bool {
	var f *Fault
	if !errors.As(err, &f) || c.route.isSSE() {
		return false
	}
	switch f.Status {
	case http.StatusUnauthorized, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	}
	return f.Status >= 400 && f.Status < 500
}

// fallBack connects to a server that uses HTTP with SSE (MCP 2024-11-05), after the server refused
// a POST. The server's stream contains the URL for messages. fallBack returns refused if the server
// does not use HTTP with SSE.
func (c *Conn) fallBack(ctx context.Context, req *jsonrpc.Request, data []byte, refused error) (*http.Response, error) {
	open, cancel := context.WithCancel(c.ctx) // the stream outlives the call
	defer context.AfterFunc(ctx, cancel)()
	resp, err := c.get(open, "", false)
	if err != nil {
		cancel()
		return nil, refused
	}
	if mediaType(resp.Header.Get("Content-Type")) != "text/event-stream" {
		_ = resp.Body.Close()
		cancel()
		return nil, refused
	}
	events := newEventReader(resp.Body, c.o.MaxFrame)
	late := time.AfterFunc(endpointLimit, cancel)
	first, err := events.next()
	for err == nil && first.name != "endpoint" {
		first, err = events.next()
	}
	if !late.Stop() {
		err = errNoAnswer
	}
	var to *url.URL
	if err == nil {
		to, err = resp.Request.URL.Parse(strings.TrimSpace(string(first.data)))
	}
	if err != nil {
		_ = resp.Body.Close()
		cancel()
		return nil, refused
	}
	own := *resp.Request.URL
	if to.Port() == own.Port() && weborigin.IsLoopback(to.Hostname()) && weborigin.IsLoopback(own.Hostname()) {
		to.Host = own.Host // a server that calls itself "localhost"
	}
	if !weborigin.Same(to, &own) || to.User != nil {
		_ = resp.Body.Close()
		cancel()
		// The URL for messages does not accept connections. The stream has the same path on that
		// host.
		own.Scheme, own.Host = to.Scheme, to.Host
		return nil, &Fault{Kind: Moved, Host: resp.Request.URL.Host, Suggest: RedactURL(own.String())}
	}
	c.route.useSSE(to)
	if !c.start(func() { // ends with the connection, or with the server
		defer cancel()
		c.readSSE(events, resp.Body)
	}) {
		_ = resp.Body.Close()
		cancel()
		return nil, refused
	}
	return c.exchange(ctx, req, data)
}

// readSSE reads the stream of an HTTP+SSE server. When the stream ends, the connection ends.
func (c *Conn) readSSE(r *eventReader, body io.ReadCloser) {
	defer body.Close()
	for {
		ev, err := r.next()
		switch {
		case err != nil:
			c.end(&Fault{Kind: Gone, Host: c.route.host()})
			return
		case ev.name != "" && ev.name != "message" || len(ev.data) == 0:
		case ev.cut > 0:
			c.failOversized(ev, jsonrpc.ID{})
		default:
			if fault := c.take(ev.data, jsonrpc.ID{}); fault != nil {
				c.end(fault)
				return
			}
		}
	}
}
