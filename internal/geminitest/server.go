// Package geminitest is a local server that speaks the wire protocol of the
// Gemini API as strictly as the real one: it answers with scripted turns, and
// refuses, with the real service's status and message, every request the real
// service would refuse.
package geminitest

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"
)

// DefaultKey is the API key a server accepts unless [Key] says otherwise.
const DefaultKey = "test-key"

// Server is a Gemini API on loopback. It remembers what it issued for as long
// as it lives, so a history stored by one client is valid for the next.
type Server struct {
	// URL is the base URL, for genai.HTTPOptions.BaseURL.
	URL string

	key     string
	lenient bool

	t        testing.TB // nil when made by Start
	http     *http.Server
	served   chan struct{} // closed when the accept loop has ended
	done     chan struct{} // closed by Close, releases hanging replies
	handlers sync.WaitGroup

	mu         sync.Mutex
	closed     bool
	queue      []Reply
	handle     func(Request) Reply
	requests   []Request
	refusals   []string
	unscripted []string
	expected   bool
	issued     *ledger
	responses  int
}

// Option configures a [Server].
type Option func(*Server)

// Key sets the API key the server accepts.
func Key(key string) Option { return func(s *Server) { s.key = key } }

// Lenient lets JSON Schema keywords pass that Gemini does not document, which
// the service tends to ignore rather than to refuse.
func Lenient() Option { return func(s *Server) { s.lenient = true } }

// New starts a server that ends with the test. The test fails if a request was
// refused (see [Server.ExpectRefusals]) or arrived without a reply scripted.
func New(t testing.TB, opts ...Option) *Server {
	t.Helper()
	s, err := Start(DefaultKey, opts...)
	if err != nil {
		t.Fatalf("geminitest: %v", err)
	}
	s.t = t
	t.Cleanup(func() {
		s.Close()
		s.report()
	})
	return s
}

// Start starts a server without a test, for a program under test that runs as
// a process of its own. The caller calls Close.
func Start(key string, opts ...Option) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	s := &Server{
		URL:    "http://" + listener.Addr().String(),
		key:    key,
		served: make(chan struct{}),
		done:   make(chan struct{}),
		issued: newLedger(),
	}
	for _, opt := range opts {
		opt(s)
	}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	go func() {
		defer close(s.served)
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.unscript(fmt.Sprintf("serve: %v", err))
		}
	}()
	return s, nil
}

// Close stops the server: hanging replies end, connections are cut, and no
// handler runs once it has returned. It may be called more than once.
func (s *Server) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	close(s.done)
	s.mu.Unlock()

	_ = s.http.Close() // reports only that the listener was closed already
	<-s.served
	s.handlers.Wait()
}

// enter counts a handler in, so that Close can wait for it. It must not race
// with that wait, hence the lock.
func (s *Server) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.handlers.Add(1)
	return true
}
