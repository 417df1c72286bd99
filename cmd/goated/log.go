package main

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"
)

// A logFile is the program's one log: JSON lines, readable by the user alone,
// rotated at 10 MB with five kept.
type logFile struct {
	*slog.Logger
	file *lumberjack.Logger

	mu      sync.RWMutex
	secrets []string
}

// keep has a secret that comes later kept out of the log as well.
func (l *logFile) keep(secret string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.secrets = append(l.secrets, secret)
}

func (l *logFile) hide(text string) string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return hide(text, l.secrets)
}

// keyLike are texts that look like keys, known or not.
var keyLike = regexp.MustCompile(`AIza[0-9A-Za-z_-]{16,}|sk-[0-9A-Za-z_-]{16,}|gh[pousr]_[0-9A-Za-z]{20,}|(?i:bearer )[0-9A-Za-z._~+/-]{16,}`)

// openLog opens the log. No secret is ever written to it.
func openLog(path string, verbose bool, secrets ...string) (*logFile, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("making the folder for the log: %w", err)
	}
	l := &logFile{secrets: secrets, file: &lumberjack.Logger{Filename: path, MaxSize: 10, MaxBackups: 5}}
	redact := &slog.HandlerOptions{
		Level: slog.LevelInfo,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			switch v := a.Value.Any().(type) {
			case string:
				a.Value = slog.StringValue(l.hide(v))
			case error:
				a.Value = slog.StringValue(l.hide(v.Error()))
			}
			return a
		},
	}
	handlers := []slog.Handler{slog.NewJSONHandler(l.file, redact)}
	if verbose {
		handlers = append(handlers, slog.NewTextHandler(os.Stderr, redact))
	}
	l.Logger = slog.New(slog.NewMultiHandler(handlers...))
	// Libraries that write to the standard logger are not to write to the
	// terminal in the middle of an answer.
	log.SetOutput(&lines{l.Logger})
	log.SetFlags(0)
	return l, nil
}

func (l *logFile) close() {
	log.SetOutput(io.Discard)
	_ = l.file.Close()
}

func hide(text string, secrets []string) string {
	for _, s := range secrets {
		if s != "" {
			text = strings.ReplaceAll(text, s, "[secret]")
		}
	}
	return keyLike.ReplaceAllString(text, "[secret]")
}

// lines logs what is written to it.
type lines struct{ log *slog.Logger }

func (l *lines) Write(p []byte) (int, error) {
	l.log.Info("library", "said", strings.TrimSpace(string(p)))
	return len(p), nil
}
