// Package geminitest provides a local server of the Gemini API for tests. It answers with scripted
// turns. It refuses every request that the real service would refuse, with the same status and
// message.
//
// It owns its HTTP server and the record of requests and issued parts. It must not import goated's
// packages.
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

// DefaultKey is the API key of a server without the option [Key].
const DefaultKey = "test-key"

// Server is a Gemini API on a loopback address. It remembers the parts that it issued until it is
// closed, so another client can use a history that one client stored. It is safe for concurrent
// use.
type Server struct {
	// URL is the base URL, for genai.HTTPOptions.BaseURL.
	URL string

	key     string
	lenient bool

	t    testing.TB // nil for a server from Start
	http *http.Server
	work sync.WaitGroup // the goroutines of http
	done chan struct{}  // closed by Close, releases hanging replies

	mu        sync.Mutex
	closed    bool
	script    script
	log       requestLog
	issued    *ledger
	responses int
}

// A script is the source of a server's replies.
type script struct {
	queue  []Reply
	handle func(Request) Reply
}

// A requestLog records what a server received and refused.
type requestLog struct {
	requests   []Request
	refusals   []string
	unscripted []string
	expected   bool
}

// Option configures a [Server].
type Option func(*Server)

// Key sets the API key that the server accepts.
func Key(key string) Option { return func(s *Server) { s.key = key } }

// Lenient makes the server accept JSON Schema keywords that Gemini does not document. The service
// often ignores them.
func Lenient() Option { return func(s *Server) { s.lenient = true } }

// New starts a server that is closed at the end of the test. The test fails if the server refuses a
// request (see [Server.ExpectRefusals]) or has no reply for one.
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

// Start starts a server without a test, such as for an example program. The caller must close it.
func Start(key string, opts ...Option) (*Server, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen on loopback: %w", err)
	}
	s := &Server{
		URL:    "http://" + listener.Addr().String(),
		key:    key,
		done:   make(chan struct{}),
		issued: newLedger(),
	}
	for _, opt := range opts {
		opt(s)
	}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second, ConnState: s.countConnection}
	s.work.Go(func() {
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			s.unscript(fmt.Sprintf("serve: %v", err))
		}
	})
	return s, nil
}

// Close stops the server, ends hanging replies and cuts connections. No handler is running when it
// returns. It may be called more than once.
func (s *Server) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	close(s.done)
	s.mu.Unlock()

	_ = s.http.Close() // fails only if the listener is already closed
	s.work.Wait()
}

// countConnection lets Close wait for the goroutine of a connection, which runs its handlers.
func (s *Server) countConnection(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.work.Add(1)
	case http.StateHijacked, http.StateClosed:
		s.work.Done()
	}
}

func (s *Server) isClosed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}
