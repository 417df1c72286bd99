package httplink

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client/internal/answers"
	"goated/internal/ansi"
	"goated/internal/jsonscan"
	"goated/internal/truncate"
	"goated/internal/weborigin"
)

const (
	// maxTries bounds the requests for one message. Redirects, rejections and requested pauses each
	// cause another request.
	maxTries = 6
	// maxPause bounds the pause that a server requests. A longer one fails the call.
	maxPause = 10 * time.Second
	// maxErrorBody bounds how many bytes of an error response's body are read.
	maxErrorBody = 64 << 10
)

// request creates an HTTP request. The message's version comes from its own params, otherwise it is
// the version that both sides agreed on.
func (c *Conn) request(ctx context.Context, method string, req *jsonrpc.Request, data []byte) (r *http.Request, session string, err error) {
	u, session := c.route.target(method)
	var body io.Reader
	if data != nil {
		body = bytes.NewReader(data)
	}
	r, err = http.NewRequestWithContext(ctx, method, u.String(), body)
	if err != nil {
		return nil, "", errors.New("this address cannot be used")
	}
	r.Header = c.o.Header.Clone()
	version := c.requests.Version()
	if req != nil {
		if v := versionIn(req.Params); v != "" {
			version = v
		}
	}
	if version != "" && (req == nil || req.Method != "initialize") {
		r.Header.Set(versionHeader, version)
	}
	if session != "" && (req == nil || req.Method != "initialize") {
		r.Header.Set(sessionHeader, session)
	}
	if req != nil && version >= answers.Modern {
		c.mirror.set(r.Header, req)
	}
	switch method {
	case http.MethodPost:
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
	case http.MethodGet:
		r.Header.Set("Accept", "text/event-stream")
		r.Header.Set("Cache-Control", "no-store")
	}
	if c.o.Auth != nil {
		authorization, err := c.o.Auth.Authorization(ctx)
		if err != nil {
			return nil, "", err
		}
		if authorization != "" {
			r.Header.Set("Authorization", authorization)
		}
	}
	return r, session, nil
}

// exchange posts a message and returns a response with a success status. It follows redirects
// within the origin, lets [Options.Auth] handle rejections, renews a lost session, and waits while
// the server is busy. The error is a [*Fault], a [*jsonrpc.Error], or an error from Auth.
func (c *Conn) exchange(ctx context.Context, req *jsonrpc.Request, data []byte) (*http.Response, error) {
	for state := (exchangeState{try: 1}); ; state.try++ {
		r, session, err := c.request(ctx, http.MethodPost, req, data)
		if err != nil {
			return nil, err
		}
		resp, err := c.http.Do(r)
		if err != nil {
			fault := faultOf(err, r.URL.Host)
			if state.try == 1 && ctx.Err() == nil && !fault.unsent() && repeatable(req) {
				continue // the server closed an idle connection
			}
			return nil, fault
		}
		again, err := c.handleStatus(ctx, req, r, resp, session, &state)
		if err != nil || again {
			_ = resp.Body.Close()
		}
		switch {
		case err != nil:
			return nil, err
		case !again:
			return resp, nil
		}
	}
}

// An exchangeState is the state of the exchange of one message.
type exchangeState struct {
	try      int  // number of the request, starting at 1
	rejected bool // [Options.Auth] handled a rejection
	unasked  bool // no caller waits for the response, so a rejection must not ask the user
}

// repeatable reports whether a request changes nothing and may be sent twice.
func repeatable(req *jsonrpc.Request) bool {
	if req == nil {
		return false
	}
	switch req.Method {
	case "initialize", "server/discover", "ping", "tools/list", "prompts/list", "resources/list", "resources/templates/list",
		"resources/read", "prompts/get", "completion/complete", "subscriptions/listen", "notifications/initialized":
		return true
	}
	return false
}

// handleStatus does what a response's status requires, such as a redirect, a sign-in or a pause. again means that
// the message has to be sent again. It reads the body unless the response is a success.
func (c *Conn) handleStatus(ctx context.Context, req *jsonrpc.Request, r *http.Request, resp *http.Response, session string, state *exchangeState) (again bool, err error) {
	status := resp.StatusCode
	if status >= 200 && status < 300 {
		c.route.accepted()
		return false, nil
	}
	fault, wire, body := c.refusal(resp, r)
	if req != nil && wire != nil && isAnswer(body, req.ID) {
		defer func() { c.o.Trace.Received(body, len(body), again) }() // this is the response, unless the request is sent again
	} else if len(body) > 0 {
		c.o.Trace.Received(body, len(body), true)
	}
	last := state.try >= maxTries
	switch {
	case status >= 300 && status < 400 && fault.Kind == Moved:
		to, ok := resolveRedirect(r.URL, resp.Header.Get("Location"))
		if ok && last {
			return false, &Fault{Kind: Failing, Host: fault.Host, Status: status, Text: "it redirects in a circle, to " + to.EscapedPath()}
		}
		if ok {
			c.route.move(r.Method, to)
			c.recordRedirect(r.URL, to)
			return true, nil
		}
	case last:
	case c.o.Auth != nil && state.unasked && status == http.StatusUnauthorized:
		if !state.rejected && c.o.Auth.RejectedInBackground(ctx, r.Header.Get("Authorization")) == nil {
			state.rejected = true
			return true, nil
		}
	case c.o.Auth != nil && (status == http.StatusUnauthorized || status == http.StatusForbidden && r.Method == http.MethodPost):
		if req != nil {
			c.requests.Unlimit(req.ID)
		}
		err := c.o.Auth.Rejected(ctx, r.Header.Get("Authorization"), status, resp.Header, state.rejected)
		if err == nil {
			state.rejected = true
			return true, nil
		}
		return false, &Fault{Kind: fault.Kind, Host: fault.Host, Status: status, Text: fault.Text, Header: fault.Header, Err: err}
	case session != "" && sessionGone(status, fault.Text, wire):
		return true, c.renew(ctx, session)
	case status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable:
		if pause := pauseOf(resp.Header); pause > 0 && pause <= maxPause {
			return true, sleep(ctx, pause)
		}
	}
	if wire != nil {
		return false, wire
	}
	return false, fault
}

// refusal reads a response that is not a success. wire is the JSON-RPC error in its body, if there
// is one.
func (c *Conn) refusal(resp *http.Response, r *http.Request) (fault *Fault, wire *jsonrpc.Error, body []byte) {
	u := r.URL
	body, _ = io.ReadAll(io.LimitReader(resp.Body, maxErrorBody))
	if _, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); len(token) > 3 {
		body = bytes.ReplaceAll(body, []byte(token), []byte("[secret]"))
	}
	fault = &Fault{Kind: Other, Host: u.Host, Status: resp.StatusCode, Text: c.o.Redact(describe(resp.Header.Get("Content-Type"), body))}
	if pause := pauseOf(resp.Header); pause > 0 && (resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500) {
		fault.Text = strings.TrimSpace(fmt.Sprintf("%s (it asks goated to wait %.0f seconds)", fault.Text, math.Ceil(pause.Seconds())))
	}
	fault.Err = errors.New(appendText(fmt.Sprintf("%s answers with HTTP %d", u.Host, resp.StatusCode), fault.Text))
	c.o.Log.Note(strings.TrimSpace("HTTP " + resp.Status + " " + fault.Text))
	if text := jsonscan.Repair(body, maxErrorBody); text != nil {
		if msg, _, err := jsonscan.Decode(text); err == nil {
			if answer, ok := msg.(*jsonrpc.Response); ok && answer.Error != nil {
				errors.As(answer.Error, &wire)
			}
		}
		if wire == nil {
			wire = errorOf(text)
		}
	}
	switch status := resp.StatusCode; {
	case status == http.StatusUnauthorized:
		fault.Kind, fault.Err, wire = Unauthorized, nil, nil
		if c.o.KeyHeader != "" && (http.CanonicalHeaderKey(c.o.KeyHeader) == "Authorization" || !offersSignIn(resp.Header)) {
			fault.Kind, fault.Header = KeyRefused, c.o.KeyHeader
		}
	case status == http.StatusForbidden, status == http.StatusProxyAuthRequired:
		fault.Kind, wire = Forbidden, nil
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed, status == http.StatusGone:
		fault.Kind = NotFound
	case status >= 300 && status < 400 && status != http.StatusNotModified:
		fault.Kind = Moved
		if to, err := u.Parse(resp.Header.Get("Location")); err == nil {
			fault.Suggest = RedactURL(to.String())
		}
	case status == http.StatusBadRequest && u.Scheme == "http" && strings.Contains(strings.ToLower(string(body)), "http request") && strings.Contains(strings.ToLower(string(body)), "https"):
		fault.Kind = NeedsHTTPS
	case status >= 500:
		fault.Kind = Failing
	}
	return fault, wire, body
}

// offersSignIn reports whether a rejection says where the user can sign in, by RFC 9728. The server then may not even
// know the header that the user took for its key.
func offersSignIn(h http.Header) bool {
	return slices.ContainsFunc(h.Values("WWW-Authenticate"), func(v string) bool { return strings.Contains(strings.ToLower(v), "resource_metadata=") })
}

// isAnswer reports whether a body is the JSON-RPC answer to the request with an id.
func isAnswer(body []byte, id jsonrpc.ID) bool {
	msg, _, err := jsonscan.Decode(body)
	answer, ok := msg.(*jsonrpc.Response)
	return err == nil && ok && answer.ID == id
}

// errorOf returns the error of a JSON-RPC response whose id is null or missing because the server
// could not read the request's id. It still responds to that request.
func errorOf(body []byte) *jsonrpc.Error {
	var m struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}
	if json.Unmarshal(body, &m) != nil || m.Version != "2.0" || m.Error == nil || m.Error.Message == "" && m.Error.Code == 0 {
		return nil
	}
	return m.Error
}

// sessionGone reports whether a response means that the session no longer exists: a 404, or the 400
// of servers that deviate from the specification.
func sessionGone(status int, text string, wire *jsonrpc.Error) bool {
	switch status {
	case http.StatusNotFound:
		return wire == nil || wire.Code != jsonrpc.CodeMethodNotFound
	case http.StatusBadRequest:
		return strings.Contains(strings.ToLower(text), "session") && (wire == nil || wire.Code >= -32099 && wire.Code <= -32000)
	}
	return false
}

// resolveRedirect resolves a redirect, and reports whether it stays within the origin. A change from http to
// https on the same host counts as the same origin.
func resolveRedirect(from *url.URL, location string) (*url.URL, bool) {
	to, err := from.Parse(location)
	if location == "" || err != nil || to.User != nil {
		return nil, false
	}
	to.Fragment = ""
	if to.RawQuery == "" {
		to.RawQuery = from.RawQuery
	}
	return to, weborigin.Upgraded(from, to) || weborigin.Same(from, to)
}

func (c *Conn) recordRedirect(from, to *url.URL) {
	c.o.Log.Note("the server moved from " + from.EscapedPath() + " to " + to.EscapedPath())
}

// pauseOf returns the pause that a busy server requests, or 0 if it requests none.
func pauseOf(h http.Header) time.Duration {
	after := h.Get("Retry-After")
	if s, err := strconv.ParseUint(after, 10, 31); err == nil {
		return max(time.Duration(s)*time.Second, time.Millisecond)
	}
	if at, err := http.ParseTime(after); err == nil {
		return max(time.Until(at), time.Millisecond)
	}
	return 0
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// mediaType returns a content type without its parameters.
func mediaType(header string) string {
	if t, _, err := mime.ParseMediaType(header); err == nil {
		return t
	}
	t, _, _ := strings.Cut(header, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

// maxShown bounds the text of a response in a fault, in bytes.
const maxShown = 300

// describe describes a body for people: by its beginning, or by the kind of document.
func describe(contentType string, body []byte) string {
	text := strings.TrimSpace(ansi.Strip(strings.ToValidUTF8(string(body), "")))
	lower := strings.ToLower(text)
	if mediaType(contentType) == "text/html" || strings.HasPrefix(lower, "<!doctype html") || strings.HasPrefix(lower, "<html") {
		if _, rest, ok := strings.Cut(lower, "<title>"); ok {
			at := len(text) - len(rest)
			if title, _, ok := strings.Cut(text[min(at, len(text)):], "<"); ok && len(lower) == len(text) && strings.TrimSpace(title) != "" {
				return "a web page, \"" + truncate.Bytes(strings.Join(strings.Fields(title), " "), 80) + "\""
			}
		}
		return "a web page"
	}
	var said struct {
		Error       any    `json:"error"`
		Description string `json:"error_description"`
		Message     string `json:"message"`
		Detail      any    `json:"detail"`
	}
	if json.Unmarshal(body, &said) == nil {
		var inner struct {
			Error struct {
				Message string `json:"message"`
			} `json:"error"`
		}
		_ = json.Unmarshal(body, &inner)
		for _, v := range []any{inner.Error.Message, said.Description, said.Message, said.Detail, said.Error} {
			if s, ok := v.(string); ok && s != "" {
				return truncate.Bytes(strings.Join(strings.Fields(s), " "), maxShown)
			}
		}
	}
	return truncate.Bytes(strings.Join(strings.Fields(text), " "), maxShown)
}
