package oauth

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"goated/internal/goroutines"
)

// signInLimit is how long the user has to sign in.
const signInLimit = 10 * time.Minute

// errLate means that the user did not sign in in time.
var errLate = fmt.Errorf("you did not sign in within %d minutes", int(signInLimit.Minutes()))

// A callbackServer serves the loopback address to which the browser returns (RFC 8252, section
// 7.3). It accepts one answer, which must have the right state and issuer.
type callbackServer struct {
	redirect string
	server   *http.Server
	work     sync.WaitGroup // the goroutines of server
	came     chan arrival   // holds the one answer

	mu     sync.Mutex
	state  string // empty: no answer is expected
	issuer string
	strict bool // the answer must name the issuer
}

// An arrival is the result of an answer from the authorization server.
type arrival struct {
	code string
	err  error
}

const callback = "/callback"

// listen opens a callbackServer. It uses the address that is already registered if its port is
// free.
func listen(registered string) (*callbackServer, error) {
	var l net.Listener
	var err error
	if u, bad := url.Parse(registered); bad == nil && u.Hostname() == "127.0.0.1" && u.Port() != "" {
		l, err = net.Listen("tcp", u.Host)
	}
	if l == nil || err != nil {
		if l, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			return nil, fmt.Errorf("opening a port for the browser: %w", err)
		}
	}
	s := &callbackServer{redirect: "http://" + l.Addr().String() + callback, came: make(chan arrival, 1)}
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10, ConnState: goroutines.Connections(&s.work)}
	s.work.Go(func() { _ = s.server.Serve(l) }) // ends with close
	return s, nil
}

// expect sets the state and issuer that the answer must have.
func (s *callbackServer) expect(state, issuer string, strict bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.state, s.issuer, s.strict = state, issuer, strict
}

// wait returns the authorization code of the answer.
func (s *callbackServer) wait(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, signInLimit, errLate)
	defer cancel()
	select {
	case a := <-s.came:
		return a.code, a.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

func (s *callbackServer) close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second) // the browser may still be reading the page
	defer cancel()
	if s.server.Shutdown(ctx) != nil {
		_ = s.server.Close()
	}
	s.work.Wait()
}

// ServeHTTP implements [http.Handler]. It ignores a request without the state, because any page in
// the browser can send one.
func (s *callbackServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	if r.Method != http.MethodGet || r.URL.Path != callback || "http://"+r.Host+callback != s.redirect {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	q := r.URL.Query()
	s.mu.Lock()
	expected := s.state != "" && subtle.ConstantTimeCompare([]byte(q.Get("state")), []byte(s.state)) == 1
	issuer, strict := s.issuer, s.strict
	if expected {
		s.state = "" // accept only one answer
	}
	s.mu.Unlock()
	if !expected {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, page("This is not the answer that goated waits for", "Begin again in goated."))
		return
	}
	a := judge(q, issuer, strict)
	if a.err != nil {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, page("Sign-in failed", "Go back to goated to see the reason."))
	} else {
		_, _ = io.WriteString(w, page("You are signed in", "Close this page, and go back to goated."))
	}
	s.came <- a
}

// judge checks an answer that has the right state.
func judge(q url.Values, issuer string, strict bool) arrival {
	for name, values := range q {
		if len(values) > 1 { // "parameters MUST NOT be included more than once"
			return arrival{err: fmt.Errorf("the answer of the sign-in page has %q twice", cut(name))}
		}
	}
	named := q.Has("iss")
	switch {
	case named && q.Get("iss") != issuer:
		return arrival{err: errors.New("the answer comes from another authorization server than the one that was asked")}
	case strict && !named:
		return arrival{err: errors.New("the answer does not name the authorization server that sent it")}
	case q.Get("error") == "access_denied":
		return arrival{err: errors.New("you did not allow it")}
	case q.Get("error") != "":
		return arrival{err: errors.New("the sign-in failed: " + cut(q.Get("error")+" "+q.Get("error_description")))}
	case q.Get("code") == "":
		return arrival{err: errors.New("the answer of the sign-in page has no code")}
	}
	return arrival{code: q.Get("code")}
}

// page returns the page that the browser shows at the end. It contains nothing from the request.
func page(title, text string) string {
	return strings.NewReplacer("{title}", title, "{text}", text).Replace(
		`<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title><body style="font:16px system-ui;margin:20vh auto;max-width:30em;text-align:center"><h1 style="font-size:22px">{title}</h1><p>{text}</p></body></html>`)
}
