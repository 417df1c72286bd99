package desktop

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Lifecycle adds the methods of seed 002 that MCP no longer has to a transport: shutdown is
// answered, and every later request refused; exit ends the connection.
func Lifecycle(t mcp.Transport) mcp.Transport { return transport{t} }

type transport struct{ mcp.Transport }

// Connect implements [mcp.Transport].
func (t transport) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := t.Transport.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{Connection: c}, nil
}

type connection struct {
	mcp.Connection
	down bool // set and read by Read, which has one caller
}

// Read implements [mcp.Connection].
func (c *connection) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		m, err := c.Connection.Read(ctx)
		r, ok := m.(*jsonrpc.Request)
		switch {
		case err != nil || !ok:
			return m, err
		case r.Method == "exit":
			return nil, io.EOF
		case r.Method == "shutdown" && r.IsCall():
			c.down = true
			if err := c.Write(ctx, &jsonrpc.Response{ID: r.ID, Result: json.RawMessage("{}")}); err != nil {
				return nil, err
			}
		case c.down && r.IsCall():
			if err := c.Write(ctx, &jsonrpc.Response{ID: r.ID, Error: &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the server shuts down. Send exit"}}); err != nil {
				return nil, err
			}
		default:
			return m, nil
		}
	}
}

// logger writes "[2025-12-04T10:30:15Z] [INFO] message" lines. It is safe for concurrent
// use.
type logger struct {
	now func() time.Time

	mu sync.Mutex
	w  io.Writer
}

// line writes one line. It never holds typed text or pictures, only names of tools.
func (l *logger) line(level, format string, args ...any) {
	text := strings.NewReplacer("\n", "\\n", "\r", "\\r", "\x1b", "\\x1b").Replace(fmt.Sprintf(format, args...))
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = fmt.Fprintf(l.w, "[%s] [%s] %s\n", l.now().UTC().Format("2006-01-02T15:04:05Z"), level, text) // there is no other place for the error
}

func clip(s string) string {
	if len(s) <= 300 {
		return s
	}
	return strings.ToValidUTF8(s[:300], "") + "…"
}

// The SDK reports the begin and the end of a session only to its logger, synchronously and
// before Run returns.
const (
	runCancelled  = "server run cancelled"
	sessionBegins = "server session connected"
	sessionEnds   = "server session disconnected"
)

// lifecycle returns the logger for the SDK, which stops the server with its last session.
func (s *server) lifecycle() *slog.Logger { return slog.New(&sessions{server: s}) }

// sessions is a [slog.Handler] that counts sessions and logs the SDK's warnings and errors.
type sessions struct {
	server *server

	mu   sync.Mutex
	open int
}

// Enabled implements [slog.Handler].
func (*sessions) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

// WithAttrs implements [slog.Handler].
func (s *sessions) WithAttrs([]slog.Attr) slog.Handler { return s }

// WithGroup implements [slog.Handler].
func (s *sessions) WithGroup(string) slog.Handler { return s }

// Handle implements [slog.Handler].
func (s *sessions) Handle(_ context.Context, r slog.Record) error {
	switch {
	case r.Message == sessionBegins:
		s.mu.Lock()
		s.open++
		s.mu.Unlock()
	case r.Message == sessionEnds:
		s.mu.Lock()
		s.open--
		last := s.open == 0
		s.mu.Unlock()
		if last {
			s.server.stop()
		}
	case r.Level >= slog.LevelWarn && r.Message != runCancelled:
		msg := r.Message
		r.Attrs(func(a slog.Attr) bool {
			msg += " " + a.String()
			return true
		})
		s.server.log.line(r.Level.String(), "%s", msg)
	}
	return nil
}
