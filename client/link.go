package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/diagnose"
	"goated/client/internal/limits"
	"goated/client/internal/stdio"
	"goated/client/internal/trace"
	"goated/internal/proc"
	"goated/internal/sandbox"
)

// A Noise counts the output of a server that is not a message. All of it is skipped.
type Noise = limits.Noise

// A verdict says how goated handles a notification.
type verdict = limits.Verdict

// A TraceEvent is one frame, one line of a server that is not a frame, or the end of a connection,
// without secrets; see [TraceOptions].
type TraceEvent = trace.Event

// Redact returns a function that masks secrets in a text as a trace does: these, and what
// looks like a key or a password.
func Redact(secrets []string) func(text string) string { return trace.Redact(secrets) }

// RecentTrace is [TraceOptions.Recent].
type RecentTrace = trace.Recent

// Directions of a [TraceEvent].
const (
	Sent     = trace.Sent
	Received = trace.Received
)

// Ends of the connection of a [TraceEvent].
const (
	Closed = trace.Closed
	Lost   = trace.Lost
)

// Faults for which goated ends a link; see [link.Fault].
var (
	errNoise        = limits.ErrNoise
	errFlood        = limits.ErrFlood
	errStdoutClosed = stdio.ErrStdoutClosed
	errStdinClosed  = stdio.ErrStdinClosed
	errUnread       = stdio.ErrUnread
)

// Quarantined reports whether err is the fault of a server whose output is not MCP,
// or of one that floods.
func Quarantined(err error) bool { return errors.Is(err, errNoise) || errors.Is(err, errFlood) }

// A transport carries messages to one server and counts them. Package stdio implements it for a
// process, and package httplink for a URL.
type transport interface {
	mcp.Transport
	Close() error           // ends the connection, and waits for the server's process
	Ended() <-chan struct{} // closed when no more messages can be exchanged
	Fault() error           // why goated ended the connection; nil if it did not
	StreamFault() error     // which stream a running server closed
	Noise() limits.Noise
	SkippedOutput(since time.Time) error // what the server wrote instead of an answer; nil: nothing
	ListedBytes() int64                  // of answers to tools/list
	SlowStart() bool                     // the answer to server/discover came too late
	Version() string                     // of the protocol
}

// A link is the connection to a server over any transport.
type link struct {
	transport
	began   time.Time
	log     *proc.LogRing // stderr, noise, and notes of goated
	process *proc.Process // nil for a server with a URL
	command proc.Command  // that started the process
	trace   *trace.Tracer
	traced  sync.Once // of the end
}

// openLink starts the server's process and connects to it. If noProbeLimit is set, it waits for the
// answer to server/discover as long as for any other answer.
func (s *server) openLink(ctx context.Context, c proc.Command, noProbeLimit bool) (*link, error) {
	p, c, err := s.startProcess(ctx, c)
	if err != nil {
		return nil, err
	}
	tracer := newTracer(s.host.o, s.view.ID, s.config)
	return &link{began: p.Began, log: p.Stderr, process: p, command: c, trace: tracer, transport: stdio.New(p, stdio.Options{
		MaxFrame: s.host.o.MaxFrame, NoProbeLimit: noProbeLimit, Notified: notificationHandler(s, p.Stderr), Changed: s.host.list.notifySoon, Trace: tracer,
	})}, nil
}

// startProcess starts the server's process. If bubblewrap has stopped working, it starts the process
// without it. It also returns the command that it started.
func (s *server) startProcess(ctx context.Context, c proc.Command) (*proc.Process, proc.Command, error) {
	p, err := proc.Start(ctx, c, new(proc.LogRing))
	if errors.Is(err, proc.ErrKeeper) && c.InBubble() { // a setting of the system may have changed
		if b := s.host.sandboxes.bubble(true); b.Wrap != sandbox.Wrapped {
			c = c.WithBubble(b)
			p, err = proc.Start(ctx, c, new(proc.LogRing))
		}
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, c, ctx.Err()
	case err != nil:
		return nil, c, &Error{Kind: ErrStart, Subject: s.config.subject(), Err: err}
	}
	return p, c, nil
}

// environment returns what the process was given; nil for a nil link.
func (l *link) environment() []string {
	if l == nil || l.process == nil {
		return nil
	}
	return slices.Concat(l.command.Env, l.process.AddedEnv())
}

// lines returns the last lines of the log; nil for a nil link.
func (l *link) lines() []string {
	if l == nil {
		return nil
	}
	return l.log.Tail()
}

// refused lists what the sandbox has refused to the server.
func (l *link) refused() []sandbox.Permission {
	if l == nil || l.process == nil {
		return nil
	}
	return l.process.Refused()
}

// unread reports whether the process exited before it read anything.
func (l *link) unread() bool {
	c, ok := l.transport.(*stdio.Conn)
	return ok && stdio.Unread(c)
}

// missedPermission reports whether the process exited because it lacked a permission, rather than
// because of its first request. Such a process could not install its packages, or spent some time
// trying to reach a host.
func (l *link) missedPermission() bool {
	lasted := l.process != nil && time.Since(l.process.Began) > hostWait
	return slices.ContainsFunc(l.refused(), func(p sandbox.Permission) bool {
		return p.Kind == sandbox.ToInstall || lasted && p.Kind == sandbox.ToHost
	})
}

// hostWait separates two causes of an exit: a process that could not reach a host has tried for at
// least this long.
const hostWait = 5 * time.Second

// exitsWithin waits up to d for the process to exit, and reports whether it did. A server with
// a URL has none.
func (l *link) exitsWithin(d time.Duration) bool { return l.process != nil && l.process.EndsWithin(d) }

// exit describes how the process exited, with the line of output that gives the reason.
func (l *link) exit() error {
	if l.process == nil {
		return l.StreamFault()
	}
	e := l.process.Exit()
	why := diagnose.Reason(l.log.End()) // Go's stacks have more lines than a tail
	said, onStdout := strings.CutPrefix(why, "stdout: ")
	why, said = proc.Shorten(strings.TrimSpace(why)), proc.Shorten(strings.TrimSpace(said))
	switch ok := e == (proc.Exit{}); {
	case ok && why == "":
		return errors.New("it exited without output")
	case ok && onStdout:
		return fmt.Errorf("it exited without an error message; its stdout says: %s", said)
	case ok:
		return fmt.Errorf("it exited after it wrote: %s", why)
	case why == "":
		return errors.New(e.String())
	case onStdout:
		return fmt.Errorf("%v; its stdout says: %s", e, said)
	}
	return fmt.Errorf("%v: %s", e, why)
}

// traceEnd reports the end of the link to the trace, once. why is the server's fault; nil: goated
// closes the link.
func (l *link) traceEnd(at time.Time, why *Error) {
	if l == nil {
		return
	}
	l.traced.Do(func() {
		if why == nil {
			l.trace.Ended(trace.Closed, "", at)
		} else {
			l.trace.Ended(trace.Lost, why.Error(), at)
		}
	})
}

// streamEnded reports whether a session's error means that its stream ended. Reads and writes
// return different errors for that.
func streamEnded(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, os.ErrClosed) || errors.Is(err, proc.ErrPipe)
}

// newTracer returns a tracer for the frames of a server, or nil without a listener.
func newTracer(o Options, id string, c Config) *trace.Tracer {
	if o.Trace.Report == nil {
		return nil
	}
	return trace.New(id, secretsOf(o, c), o.Trace.Report).While(o.Trace.Listening).Keep(o.Trace.Recent)
}

// secretsOf returns the secrets of a server. All values of its own environment are secrets,
// unless TraceOptions.Secret says otherwise.
func secretsOf(o Options, c Config) []string {
	secrets := c.remoteSecrets()
	for i, kv := range slices.Concat(c.Env, o.Env) {
		name, value, _ := strings.Cut(kv, "=")
		if own := i < len(c.Env); o.Trace.Secret == nil && own || o.Trace.Secret != nil && o.Trace.Secret(name, value) {
			secrets = append(secrets, value)
		}
	}
	return secrets
}

// redacted masks the server's secrets in lines of its log, because the history stores the lines of a
// failed call.
func redacted(s *server, lines []string) []string {
	mask := Redact(secretsOf(s.host.o, s.config))
	for i, line := range lines {
		lines[i] = mask(line)
	}
	return lines
}

// explain turns a connection error into one of seed 003's table. It returns nil if ctx ended for a
// reason other than the time limit.
func (s *server) explain(ctx context.Context, err error) *Error {
	var e *Error
	var wire *jsonrpc.Error
	subject := s.config.redactedSubject()
	switch {
	case errors.As(err, &e):
		return e
	case s.link != nil && remoteFault(s.link.Fault()) != nil:
		return &Error{Kind: ErrReach, Subject: s.config.redactedSubject(), Err: s.link.Fault()}
	case s.link != nil && s.link.Fault() != nil:
		return &Error{Kind: ErrProtocol, Subject: subject, Err: s.link.Fault()}
	case errors.Is(context.Cause(ctx), ErrConnectTimeout):
		e := &Error{Kind: ErrConnectTimeout, Subject: subject, After: s.connectLimit}
		if s.link != nil {
			if why := s.link.SkippedOutput(time.Time{}); errors.Is(why, limits.ErrUnusable) {
				e.Err = why
			}
		}
		return e
	case ctx.Err() != nil:
		return nil
	case errors.As(err, &wire):
		return &Error{Kind: ErrProtocol, Subject: subject, Err: wire}
	case streamEnded(err) && s.link.exitsWithin(graceExit):
		<-s.link.process.Done() // stderr is read to its end
		return &Error{Kind: ErrStart, Subject: subject, Err: s.link.exit()}
	case streamEnded(err):
		return &Error{Kind: ErrProtocol, Subject: subject, Err: s.link.StreamFault()}
	}
	return &Error{Kind: ErrProtocol, Subject: subject, Err: err}
}

// explainEnd returns why the server ended a link during the handshake. It returns nil if the link did
// not end; goated then closes it.
func explainEnd(s *server, err error) *Error {
	if s.link == nil || s.link.trace == nil || !streamEnded(err) { // nothing needs the reason
		return nil
	}
	return s.explain(context.Background(), err)
}

// graceExit is how long a process may take to exit after its stdout has ended.
const graceExit = 500 * time.Millisecond
