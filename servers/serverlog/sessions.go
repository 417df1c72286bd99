package serverlog

import (
	"context"
	"log/slog"
	"sync"
)

// These are the SDK's messages for the beginning and the end of a session, and for a normal end by
// a signal, which the SDK logs as an error.
const (
	runCancelled  = "server run cancelled"
	sessionBegins = "server session connected"
	sessionEnds   = "server session disconnected"
)

// Sessions returns a logger for the SDK. The SDK reports the beginning and the end of a session
// only to its logger, synchronously and before Run returns. So this logger calls stop when the last
// session ends, because the server's resources must be closed before Run returns. It also writes
// the SDK's warnings and errors.
func (l *Log) Sessions(stop func()) *slog.Logger {
	return slog.New(&sessions{log: l, stop: stop})
}

// sessions is a [slog.Handler] that counts sessions.
type sessions struct {
	log  *Log
	stop func()

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
		s.log.Printf(Info, "MCP Server started")
	case r.Message == sessionEnds:
		s.mu.Lock()
		s.open--
		last := s.open == 0
		s.mu.Unlock()
		if last {
			s.stop()
		}
		s.log.Printf(Info, "MCP Server stopped")
	case r.Level >= slog.LevelWarn && r.Message != runCancelled:
		level := Warn
		if r.Level >= slog.LevelError {
			level = Error
		}
		message := r.Message
		r.Attrs(func(a slog.Attr) bool {
			message += " " + a.String()
			return true
		})
		s.log.Printf(level, "%s", message)
	}
	return nil
}
