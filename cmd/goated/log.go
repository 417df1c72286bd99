package main

import (
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"gopkg.in/natefinch/lumberjack.v2"

	"goated/internal/lazyregexp"
	"goated/internal/safetext"
	"goated/internal/secretvalue"
)

// A logFile is the program's log: JSON lines that only the user can read. The file is rotated at 10
// MB, and goated keeps five old ones.
type logFile struct {
	*slog.Logger
	file *lumberjack.Logger

	mu      sync.RWMutex
	secrets []string
}

// shortSecret is the minimum length, in bytes, of a secret that the log hides. Hiding shorter ones
// would hide ordinary words.
const shortSecret = 4

// keep makes the log hide another secret, also in its JSON-escaped form.
func (l *logFile) keep(secret string) {
	if l == nil { // the command has no log
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	quoted := strconv.Quote(secret)
	for _, s := range []string{secret, quoted[1 : len(quoted)-1]} {
		if len(s) >= shortSecret && !slices.Contains(l.secrets, s) {
			l.secrets = append(l.secrets, s)
		}
	}
}

func (l *logFile) hide(text string) string {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return hide(text, l.secrets)
}

// keyLike matches texts that look like keys.
var keyLike = lazyregexp.New(`\b` + secretvalue.Pattern + `|(?i:bearer )[0-9A-Za-z._~+/-]{16,}`)

// openLog opens the log, which hides secrets. If the file cannot be written, openLog returns a
// warning, and the log drops its records.
func openLog(path string, verbose bool, secrets ...string) (l *logFile, warning error) {
	l = &logFile{secrets: secrets, file: &lumberjack.Logger{Filename: path, MaxSize: 10, MaxBackups: 5}}
	var handlers []slog.Handler
	if err := writable(path); err != nil {
		warning = fmt.Errorf("the log can't be written, so goated shows errors but does not store them: %w", err)
	} else {
		handlers = append(handlers, slog.NewJSONHandler(&redacted{l, l.file}, nil))
	}
	if verbose {
		handlers = append(handlers, slog.NewTextHandler(&redacted{l, os.Stderr}, nil))
	}
	l.Logger = slog.New(slog.NewMultiHandler(handlers...))
	// Libraries must not write to the terminal in the middle of an answer.
	log.SetOutput(&lines{l.Logger})
	log.SetFlags(0)
	return l, warning
}

// writable returns the reason why a file cannot be written, or nil.
func writable(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
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

// redacted writes records without secrets. It replaces them in messages and in values at any depth,
// and escapes hidden characters.
type redacted struct {
	log *logFile
	to  io.Writer
}

func (r *redacted) Write(record []byte) (int, error) {
	if _, err := io.WriteString(r.to, safetext.Escape(r.log.hide(string(record)))); err != nil {
		return 0, err
	}
	return len(record), nil
}

// lines writes the output of libraries to the log.
type lines struct{ log *slog.Logger }

func (l *lines) Write(p []byte) (int, error) {
	l.log.Info("library", "output", strings.TrimSpace(string(p)))
	return len(p), nil
}
