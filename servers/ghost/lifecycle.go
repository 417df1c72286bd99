package ghost

import (
	"context"
	"log/slog"
	"sync"
)

// lifecycle returns the logger for the SDK. The SDK reports the begin and the end of
// a session only to its logger, synchronously and before Run returns. So the logger
// stops the players: a process that exits after Run would leave them behind.
func (g *ghost) lifecycle() *slog.Logger {
	return slog.New(&sessions{log: g.log, stop: g.sounds.speaker.stop})
}

// The SDK's messages for the two events, and the one for the normal end by a signal,
// which the SDK logs as an error.
const (
	runCancelled  = "server run cancelled"
	sessionBegins = "server session connected"
	sessionEnds   = "server session disconnected"
)

// sessions is a [slog.Handler] that counts sessions and logs the SDK's warnings and
// errors.
type sessions struct {
	log  *logger
	stop func()

	mu   sync.Mutex
	open int
}

func (*sessions) Enabled(_ context.Context, lv slog.Level) bool { return lv >= slog.LevelInfo }
func (s *sessions) WithAttrs([]slog.Attr) slog.Handler          { return s }
func (s *sessions) WithGroup(string) slog.Handler               { return s }

func (s *sessions) Handle(_ context.Context, r slog.Record) error {
	switch {
	case r.Message == sessionBegins:
		s.mu.Lock()
		s.open++
		s.mu.Unlock()
		s.log.log(levelInfo, "MCP Server started")
	case r.Message == sessionEnds:
		s.mu.Lock()
		s.open--
		last := s.open == 0
		s.mu.Unlock()
		if last {
			s.stop()
		}
		s.log.log(levelInfo, "MCP Server stopped")
	case r.Level >= slog.LevelWarn && r.Message != runCancelled:
		lv := levelWarn
		if r.Level >= slog.LevelError {
			lv = levelError
		}
		msg := r.Message
		r.Attrs(func(a slog.Attr) bool {
			msg += " " + a.String()
			return true
		})
		s.log.log(lv, "%s", msg)
	}
	return nil
}
