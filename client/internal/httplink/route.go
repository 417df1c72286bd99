package httplink

import (
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// A route determines to which URL, and in which session, messages are sent. It is safe for
// concurrent use.
type route struct {
	mu       sync.Mutex
	url      *url.URL // of the server; replaced but never modified
	messages *url.URL // the URL to which an HTTP+SSE server wants messages; nil for others
	session  string
	hello    []byte // the initialize request
	reached  bool   // the server accepted a request

	renewing chan bool // holds one value while a lost session is replaced
	renewed  int       // number of sessions that replaced a lost one since counted; guarded by renewing, like counted
	counted  time.Time
}

func newRoute(u *url.URL) *route { return &route{url: u, renewing: make(chan bool, 1)} }

func (r *route) host() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.url.Host
}

// target returns the URL for a request with an HTTP method, and the session id.
func (r *route) target(method string) (u *url.URL, session string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.messages == nil:
		return r.url, r.session
	case method == http.MethodPost:
		return r.messages, ""
	}
	return r.url, ""
}

func (r *route) sessionID() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.session
}

// takeSession returns the session id and removes it.
func (r *route) takeSession() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	s := r.session
	r.session = ""
	return s
}

// setSession stores the session id from a response to initialize, if it is valid: "it MUST only contain
// visible ASCII characters".
func (r *route) setSession(id string) {
	if len(id) > maxField || slices.ContainsFunc([]byte(id), func(b byte) bool { return b < 0x21 || b > 0x7e }) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.session = id
}

// move replaces the URL that target returns for the method, after a redirect. Requests that were
// sent at the same time may each move it; the last one wins.
func (r *route) move(method string, to *url.URL) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.messages != nil && method == http.MethodPost {
		r.messages = to
	} else {
		r.url = to
	}
}

// useSSE makes target return the URL to which an HTTP+SSE server wants messages.
func (r *route) useSSE(to *url.URL) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.messages = to
}

func (r *route) isSSE() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.messages != nil
}

// setGreeting stores the initialize request, which renews a lost session.
func (r *route) setGreeting(data []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hello = data
}

// known reports whether the server ever accepted a request.
func (r *route) known() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reached
}

func (r *route) accepted() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reached = true
}
