package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"goated/internal/launch"
)

// The kinds of failure: one for each row of seed 003's error table, then those that it lacks.
// errors.Is finds the kind of an [*Error].
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
	ErrExited         = errors.New("server exited") // by itself, during no call
	ErrReach          = errors.New("server not reached")
	ErrChanged        = errors.New("tool changed")    // between its approval and its call
	ErrOff            = errors.New("tool turned off") // by the user
	ErrUncallable     = errors.New("tool uncallable") // see [registry.Uncallable]
	ErrUserNotAsked   = errors.New("user not asked")  // by a tool, which stopped there
)

// An Error is a failure to connect a server or to call a tool. Its text is a sentence for the
// user and the model. If seed 003's error table has the kind, the sentence is the table's.
type Error struct {
	Kind          error         // one of the sentinels
	Subject       string        // the path or the tool's name
	Dir           string        // of ErrNotFound: the folder in which a relative Subject was looked for
	After         time.Duration // the limit that was exceeded
	Err           error         // the cause; nil if there is none
	Near          []string      // of ErrToolNotFound: tools with similar names
	Stderr        []string      // the last lines that the server wrote to stderr
	HasServerText bool          // Err contains text from the server
	Broken        bool          // Err describes how the server's answer violates MCP
	Denied        bool          // the server refused this user or this request with an HTTP status

	Report *FailureReport // why a server does not run; nil for a call that its server survived
}

// Logged returns the last lines that the server wrote, such as a stack trace. The model does not
// get them.
func (e *Error) Logged() []string { return e.Stderr }

// Worded marks the text of an Error as final: the window and the terminal show it as it is.
func (e *Error) Worded() {}

// Error is the only place that makes these sentences.
func (e *Error) Error() string {
	switch e.Kind {
	case ErrExtension:
		return launch.ExtensionSentence
	case ErrNotFound:
		return "Server script not found: " + e.Subject
	case ErrStart:
		return "Failed to start server: " + cause(e.Err)
	case ErrConnectTimeout:
		return "Connection timeout after " + seconds(e.After)
	case ErrProtocol:
		return "MCP protocol error: " + cause(e.Err)
	case ErrToolNotFound:
		text := fmt.Sprintf("Tool '%s' not found in any connected server", e.Subject)
		if len(e.Near) > 0 {
			text += ". Similar names: " + strings.Join(e.Near, ", ")
		}
		return text
	case ErrDisconnected:
		text := "Server disconnected during execution"
		if e.Err != nil {
			text += ": " + e.Err.Error()
		}
		return text
	case ErrCallTimeout:
		text := "Tool execution timeout after " + seconds(e.After)
		if e.Err != nil {
			text += ": " + e.Err.Error()
		}
		return text
	case ErrTool:
		return "Tool execution failed: " + cause(e.Err)
	case ErrChanged:
		return fmt.Sprintf("Tool '%s' changed after it was approved, so goated did not run it. Call it again to see and approve what it does now", e.Subject)
	case ErrOff:
		return fmt.Sprintf("Tool '%s' is turned off. The user can turn it on again on the Tools page", e.Subject)
	case ErrUncallable:
		return fmt.Sprintf("Tool '%s' can't be called. %s", e.Subject, cause(e.Err))
	case ErrUserNotAsked:
		return fmt.Sprintf("Tool '%s' stopped when it asked you a question, and may already have done a part of its work: %s", e.Subject, cause(e.Err))
	case ErrExited:
		return "Server exited: " + cause(e.Err)
	case ErrReach:
		return "Cannot connect to the server: " + cause(e.Err)
	}
	return cause(e.Err)
}

// Unwrap returns the kind, and the cause if there is one.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// output returns the last lines of stderr and the text of the cause.
func (e *Error) output() string {
	return strings.Join(append(slices.Clone(e.Stderr), cause(e.Err)), "\n")
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

// kind returns an error's name for the log.
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
