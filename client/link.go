package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/internal/limits"
	"goated/client/internal/stdio"
	"goated/client/internal/streamhttp"
	"goated/client/internal/trace"
	"goated/internal/proc"
	"goated/internal/sandbox"
)

// A Noise counts what a server wrote besides its messages. All of it is skipped.
type Noise = limits.Noise

// A verdict says what becomes of a notification.
type verdict = limits.Verdict

// A TraceEvent is one frame, or one line of a server that is not a frame, without
// secrets; see [Options.Trace].
type TraceEvent = trace.Event

// Directions of a [TraceEvent], and the bound of its data in bytes.
const (
	Sent         = trace.Sent
	Received     = trace.Received
	MaxTraceData = trace.MaxData
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
func Quarantined(err error) bool { return errors.Is(err, errNoise) || Flooded(err) }

// Flooded reports whether err is the fault of a server that sent more useless data
// than a connection allows.
func Flooded(err error) bool { return errors.Is(err, errFlood) }

// A transport carries messages to one server and counts them. Package stdio has one
// for a process, package streamhttp one for a URL.
type transport interface {
	mcp.Transport
	Close() error           // ends the connection, and waits for the server's process
	Ended() <-chan struct{} // closed when no more messages can be exchanged
	Fault() error           // why goated ended the connection; nil if it did not
	StreamFault() error     // which stream a running server closed
	Noise() limits.Noise
	ListedBytes() int64 // of answers to tools/list
	SlowStart() bool    // the answer to server/discover came too late
	Version() string    // of the protocol
}

// A link is the connection to a server, by whatever transport.
type link struct {
	transport
	log     *proc.LogRing // stderr, noise, and notes of goated
	process *proc.Process // nil: the server is not a process of goated's
}

// openLink starts the server's process, or prepares the connection to its URL.
// patient waits for the answer to server/discover as long as for any other.
func (s *server) openLink(ctx context.Context, c proc.Command, patient bool) (*link, error) {
	tracer := s.tracer()
	if s.config.URL != "" {
		l := &link{log: new(proc.LogRing)}
		l.transport = streamhttp.New(s.config.URL, streamhttp.Options{
			MaxFrame: s.host.o.MaxFrame, Log: l.log, Notified: s.notified, Changed: s.host.changedSoon, Trace: tracer,
		})
		return l, nil
	}
	p, err := s.startProcess(ctx, c)
	if err != nil {
		return nil, err
	}
	return &link{log: p.Stderr, process: p, transport: stdio.New(p, stdio.Options{
		MaxFrame: s.host.o.MaxFrame, Patient: patient, Notified: s.notified, Changed: s.host.changedSoon, Trace: tracer,
	})}, nil
}

// startProcess starts the server's process. If bubblewrap fails that used to work,
// it starts without it.
func (s *server) startProcess(ctx context.Context, c proc.Command) (*proc.Process, error) {
	p, err := proc.Start(ctx, c, new(proc.LogRing))
	if errors.Is(err, proc.ErrKeeper) && c.InBubble() { // a setting of the system may have changed
		if b := s.host.findBubble(true); b.Wrap != sandbox.Wrapped {
			p, err = proc.Start(ctx, c.WithBubble(b), new(proc.LogRing))
		}
	}
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, &Error{Kind: ErrStart, Subject: s.config.subject(), Err: err}
	}
	return p, nil
}

// lines are the last lines of the log; nil for a nil link.
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

// exits waits up to d for the server's process to exit, and reports whether it did.
func (l *link) exits(d time.Duration) bool { return l.process != nil && l.process.EndsWithin(d) }

// exit describes how the process exited, with its last line: an interpreter writes
// the reason there.
func (l *link) exit() error {
	if l.process == nil {
		return errConnectionLost
	}
	how := "it exited without a message"
	if e := l.process.Exit(); e != (proc.Exit{}) {
		how = e.String()
	}
	if lines := l.lines(); len(lines) > 0 {
		return fmt.Errorf("%s: %s", how, lines[len(lines)-1])
	}
	return errors.New(how)
}

// errConnectionLost is the end of a connection to a URL.
var errConnectionLost = errors.New("the connection was lost")

// streamEnded reports whether the error of a session means that its stream ended.
// Reads and writes report that differently.
func streamEnded(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, os.ErrClosed) || errors.Is(err, proc.ErrPipe)
}

// tracer reports the frames of this server; nil if nobody listens. By default every
// value of the server's own environment is a secret.
func (s *server) tracer() *trace.Tracer {
	if s.host.o.Trace == nil {
		return nil
	}
	var secrets []string
	for _, v := range variables(slices.Concat(s.host.o.Env, s.config.Env), s.config.Env) {
		if s.secret(v) {
			secrets = append(secrets, v.Value)
		}
	}
	return trace.New(s.view.ID, secrets, s.host.o.Trace)
}

var _ = jsonrpc.CodeParseError
