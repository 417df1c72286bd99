package client

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The kinds of failure, a row of seed 003's error table each. An [*Error] is
// one of them by errors.Is.
var (
	ErrExtension      = errors.New("invalid script type")
	ErrNotFound       = errors.New("script not found")
	ErrStart          = errors.New("start failed")
	ErrConnectTimeout = errors.New("connection timeout")
	ErrProtocol       = errors.New("protocol error")
	ErrToolNotFound   = errors.New("tool not found")
	ErrDisconnected   = errors.New("server disconnected")
	ErrCallTimeout    = errors.New("execution timeout")
	ErrTool           = errors.New("tool error")
	ErrExited         = errors.New("server exited") // by itself, with no call under way
)

// An Error is a failure to connect a server or to call a tool. Its text is the
// sentence for the user, in the words of seed 003's error table.
type Error struct {
	Kind    error         // one of the sentinels
	Subject string        // the path or the tool's name
	After   time.Duration // the limit that was exceeded
	Err     error         // the cause, where there is one
	Stderr  []string      // what the server last wrote to stderr

	Diagnosis *Diagnosis // why a server does not run; nil for what is about calls
}

// Error is the one place where these sentences are made.
func (e *Error) Error() string {
	switch e.Kind {
	case ErrExtension:
		return "Invalid server script type. Must be .py or .js"
	case ErrNotFound:
		return "Server script not found: " + e.Subject
	case ErrStart:
		return "Failed to start server: " + cause(e.Err)
	case ErrConnectTimeout:
		return "Connection timeout after " + seconds(e.After)
	case ErrProtocol:
		return "MCP protocol error: " + cause(e.Err)
	case ErrToolNotFound:
		return fmt.Sprintf("Tool '%s' not found in any connected server", e.Subject)
	case ErrDisconnected:
		return "Server disconnected during execution"
	case ErrCallTimeout:
		return "Tool execution timeout after " + seconds(e.After)
	case ErrTool:
		return "Tool execution failed: " + cause(e.Err)
	case ErrExited:
		return "Server exited: " + cause(e.Err)
	}
	return cause(e.Err)
}

// Unwrap gives both the kind and the cause to errors.Is and errors.As.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// said is what a cause is read off.
func (e *Error) said() string {
	return strings.Join(append(slices.Clone(e.Stderr), cause(e.Err)), "\n")
}

// Advice says what a person can do about err: the recovery column of the seed's
// table. It is empty for errors that are not of this package.
func Advice(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return ""
	}
	if e.Diagnosis != nil && e.Diagnosis.Remedy != "" {
		return e.Diagnosis.Remedy
	}
	switch e.Kind {
	case ErrExtension:
		return "Choose a script that ends in .py or .js, or a Go source that ends in .go. Capital letters count."
	case ErrNotFound:
		if dir, err := os.Getwd(); err == nil && !filepath.IsAbs(e.Subject) {
			return "Check the path and try again. It is looked for in " + dir + ", where goated was started; a full path, or one that begins with ~, means the same from anywhere."
		}
		return "Check the path and try again."
	case ErrStart, ErrExited: // of one that has not been to the card yet
		d := &Diagnosis{Remedy: "Run the script in a terminal to see what it says."}
		circumstances{err: e, said: e.said()}.interpreter(d)
		return d.Remedy
	case ErrConnectTimeout:
		return "Try again. If it happens again, run the script in a terminal and see whether it waits for something."
	case ErrProtocol:
		return "Check that the script is an MCP server that speaks over stdio, and that it prints nothing else to stdout."
	case ErrToolNotFound:
		return "Connect the server that has this tool."
	case ErrDisconnected:
		return "Connect the server again."
	case ErrCallTimeout:
		return "Try again, or raise the time limit for tool calls."
	case ErrTool:
		return "The server's answer says what was wrong."
	}
	return ""
}

func cause(err error) string {
	if err == nil {
		return "no reason given"
	}
	return err.Error()
}

func seconds(d time.Duration) string {
	if d == time.Second {
		return "1 second"
	}
	return fmt.Sprintf("%g seconds", d.Seconds())
}

// kind names an error for the log.
func kind(err error) string {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Kind.Error()
	case errors.Is(err, context.Canceled):
		return "cancelled"
	}
	return fmt.Sprintf("%T", err)
}
