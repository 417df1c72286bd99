package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// errStopped is the cause of a context that ended since its server is to stop.
var errStopped = errors.New("disconnected")

// A server is one entry of the host's list, with what runs for it.
type server struct {
	host     *Host
	config   Config
	ctx      context.Context // ends when the server is to be disconnected
	cancel   context.CancelFunc
	done     chan struct{} // closed when nothing runs for the server any more
	asking   atomic.Int32  // questions that the user has not answered yet
	answered atomic.Int64  // when the user last answered one, in ns since 1970
	calls    calls         // that run

	// Guarded by host.mu.
	view    Server // without tools and stderr, which snapshot adds
	conn    *stdio
	session *mcp.ClientSession
	stale   int      // changes of the tool list since it was last fetched
	env     []string // what its process was given

	connectLimit time.Duration // that counts for its start; only start's goroutine's
}

// Connect starts the server that c describes, and returns its id once its tools
// are in the registry. Every failure is an [*Error], unless ctx ended; a server
// that was started and failed stays in the list with the reason. The extension
// is tested before anything else, and existence before anything is started.
// What Connect started ends with [Host.Disconnect] or [Host.Close], not with ctx.
func (h *Host) Connect(ctx context.Context, c Config) (id string, err error) {
	launch, err := h.launch(c)
	if err != nil {
		h.log(ctx, "connecting", err, "path", c.Path)
		return "", err
	}
	s, err := h.add(c)
	if err != nil {
		return "", err
	}
	if err := s.start(ctx, launch); err != nil {
		return "", err
	}
	return s.view.ID, nil
}

// start runs the server up to its list of tools, and from then on has it
// supervised. A server that fails stays in the list with the reason.
func (s *server) start(ctx context.Context, l Launch) error {
	h := s.host
	s.connectLimit, _ = h.Timeouts()
	ctx, cancel := context.WithTimeoutCause(ctx, s.connectLimit, ErrConnectTimeout)
	defer cancel()
	defer context.AfterFunc(s.ctx, cancel)()
	tools, err := s.connect(ctx, l)
	if err == nil {
		h.update(func() {
			h.reg.Set(s.view.ID, s.config.Bundled, tools)
			s.view.Status, s.view.Since = Connected, time.Now()
			if s.stale > 0 { // a change came behind the list that was just read
				s.refresh()
			}
		})
		go s.supervise()
		return nil
	}

	defer h.wg.Done()
	defer close(s.done) // whoever waits for it finds the list as it will be
	err = s.explain(ctx, err)
	s.stop()
	var e *Error
	if errors.As(err, &e) {
		if s.conn != nil {
			e.Stderr = s.stderr()
		}
		h.fail(s, e)
		h.log(ctx, "connecting", e, "path", s.config.Path, "server", s.view.ID)
	} else {
		h.remove(s)
	}
	return err
}

// launch checks c without starting anything.
func (h *Host) launch(c Config) (Launch, error) {
	if c.Bundled {
		return Launch{Programs: []string{c.Path}, Args: c.Args}, nil
	}
	l, err := Command(c.Path)
	if err != nil {
		return Launch{}, err
	}
	switch info, err := os.Stat(c.Path); {
	case errors.Is(err, fs.ErrNotExist):
		return Launch{}, &Error{Kind: ErrNotFound, Subject: c.Path}
	case err != nil:
		return Launch{}, &Error{Kind: ErrStart, Subject: c.Path, Err: err}
	case info.IsDir():
		return Launch{}, &Error{Kind: ErrStart, Subject: c.Path, Err: fmt.Errorf("%s is a directory", c.Path)}
	}
	l.Args = append(slices.Clone(l.Args), c.Args...)
	return l, nil
}

// connect starts the process, makes the session and lists the tools.
func (s *server) connect(ctx context.Context, l Launch) ([]*mcp.Tool, error) {
	session, err := s.open(ctx, l, nil)
	if died(err) && ctx.Err() == nil {
		// Some servers exit on a first request that they do not know, and
		// server/discover is new: go-sdk issue 1177. They get a second process
		// that is greeted the old way.
		s.stop()
		session, err = s.open(ctx, l, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	}
	if err != nil {
		return nil, err
	}
	s.host.update(func() { s.session = session })
	return listTools(ctx, session)
}

func (s *server) open(ctx context.Context, l Launch, o *mcp.ClientSessionOptions) (*mcp.ClientSession, error) {
	name, err := program(l, s.config.Path)
	if err != nil {
		return nil, &Error{Kind: ErrStart, Subject: s.config.Path, Err: err}
	}
	confined, err := s.confined(ctx)
	if err != nil {
		return nil, &Error{Kind: ErrStart, Subject: s.config.Path, Err: err}
	}
	if confined && !s.config.Bundled && strings.HasSuffix(s.config.Path, ".go") {
		if name, l, err = s.compile(ctx, name, l); err != nil {
			return nil, err
		}
	}
	base := filepath.Base(name)
	env := Environ(s.host.o.Env, base[:len(base)-len(filepath.Ext(base))], s.config.Env)
	s.host.update(func() { s.env = env })
	start := (*exec.Cmd).Start
	if confined {
		if start, err = s.sandboxed(name, env); err != nil {
			return nil, &Error{Kind: ErrStart, Subject: s.config.Path, Err: err}
		}
	}
	p, err := spawn(name, l, env, start)
	if err != nil {
		return nil, &Error{Kind: ErrStart, Subject: s.config.Path, Err: err}
	}
	conn := newStdio(p)
	s.host.update(func() { s.conn = conn })
	return s.client().Connect(ctx, conn, o)
}

// client makes the MCP client of this server alone, so that what the server
// asks is known to be from it.
func (s *server) client() *mcp.Client {
	o := &mcp.ClientOptions{
		Logger: s.host.o.Logger.With("server", s.view.ID),
		// Nothing is advertised that goated does not do; roots and sampling are
		// deprecated by MCP 2026-07-28.
		Capabilities:                &mcp.ClientCapabilities{},
		ToolListChangedHandler:      s.listChanged,
		ProgressNotificationHandler: s.progressed,
		//lint:ignore SA1019 deprecated by MCP 2026-07-28, and still what servers do
		LoggingMessageHandler: s.logged,
	}
	if ask := s.host.o.Elicit; ask != nil {
		o.ElicitationHandler = func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			s.asking.Add(1)
			defer func() {
				s.answered.Store(time.Now().UnixNano())
				s.asking.Add(-1)
			}()
			return ask(ctx, s.view.Name, req.Params)
		}
	}
	return mcp.NewClient(&mcp.Implementation{Name: "goated", Version: s.host.o.Version}, o)
}

// explain turns what went wrong while connecting into the seed's words.
func (s *server) explain(ctx context.Context, err error) error {
	var e *Error
	var wire *jsonrpc.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.Is(context.Cause(ctx), ErrConnectTimeout):
		return &Error{Kind: ErrConnectTimeout, Subject: s.config.Path, After: s.connectLimit}
	case ctx.Err() != nil:
		return fmt.Errorf("connecting to %s: %w", s.config.Path, context.Canceled)
	case errors.As(err, &wire):
		return &Error{Kind: ErrProtocol, Subject: s.config.Path, Err: wire}
	case died(err) && s.conn.p.wait(graceDrain):
		return &Error{Kind: ErrStart, Subject: s.config.Path, Err: s.exit()}
	}
	return &Error{Kind: ErrProtocol, Subject: s.config.Path, Err: err}
}

// died reports whether a session's error is that the stream ended, which is
// seen in writing as well as in reading.
func died(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, os.ErrClosed) || errors.Is(err, errPipe)
}

// exit tells how the process ended, and what it said last: for an interpreter
// that is the reason.
func (s *server) exit() error {
	how := "it exited without a word"
	if err := s.conn.p.err; err != nil {
		how = err.Error()
	}
	if lines := s.stderr(); len(lines) > 0 {
		return fmt.Errorf("%s: %s", how, lines[len(lines)-1])
	}
	return errors.New(how)
}
