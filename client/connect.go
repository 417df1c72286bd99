package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/sandbox"
)

// errStopped is the cause of a context that ended since its server is to stop.
var errStopped = errors.New("disconnected")

// A server is one entry of the host's list, with what runs for it.
type server struct {
	host     *Host
	config   Config
	life     context.Context // ends when the server is to leave
	end      context.CancelFunc
	ctx      context.Context // of life; ends when the server is gone by itself, too
	cancel   context.CancelFunc
	done     chan struct{} // closed when nothing runs for the server any more
	asking   atomic.Int32  // questions that the user has not answered yet
	changing atomic.Int64  // when a change of the list went to listChanged, in ns; 0 when it has come
	listed   atomic.Bool   // its list of tools was asked for
	answered atomic.Int64  // when the user last answered one, in ns since 1970
	calls    calls         // that run

	// Guarded by host.mu.
	view    Server // without tools and stderr, which snapshot adds
	conn    *stdio
	session *mcp.ClientSession
	stale   int        // changes of the tool list since it was last fetched
	env     []string   // what its process was given
	run     invocation // what its process was started from
	next    *server    // what was put in its place
	refused []string   // what calls said that failed, the last lines

	connectLimit time.Duration // that counts for its start; only start's goroutine's
	crashes      crashes       // of it and of those that it follows; only supervise's goroutine's
}

// newServer is one that nothing runs for yet.
func newServer(h *Host, c Config) *server {
	s := &server{host: h, config: c, done: make(chan struct{})}
	s.life, s.end = context.WithCancel(context.Background())
	s.ctx, s.cancel = context.WithCancel(s.life)
	return s
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
	asking, answered := context.WithCancel(ctx)
	defer answered()
	defer context.AfterFunc(s.ctx, answered)()
	confined, err := s.confined(asking) // a person takes any time
	if err != nil {
		err = &Error{Kind: ErrStart, Subject: s.config.Path, Err: err}
	}
	var c invocation
	if err == nil {
		c, err = s.prepare(asking, l, confined) // and a compiler its own
	}
	ctx, cancel := context.WithTimeoutCause(asking, s.connectLimit, ErrConnectTimeout)
	defer cancel()
	var tools []*mcp.Tool
	if err == nil {
		tools, err = s.connect(ctx, c)
	}
	if err == nil {
		h.update(func() {
			h.reg.Set(s.view.ID, s.config.Bundled, tools)
			s.view.Status, s.view.Since = Connected, time.Now()
			s.view.RetryAt = time.Time{}
			if s.stale > 0 { // a change came behind the list that was just read
				s.refresh()
			}
		})
		go s.supervise()
		return nil
	}

	defer h.wg.Done()
	defer close(s.done) // whoever waits for it finds the list as it will be
	e := s.explain(ctx, err)
	s.stop()
	if e == nil {
		h.remove(s)
		return fmt.Errorf("connecting to %s: %w", s.config.Path, context.Canceled)
	}
	s.card(e)
	h.fail(s, e)
	h.log(ctx, "connecting", e, "path", s.config.Path, "server", s.view.ID)
	return e
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
	if c.Dir != "" {
		if l, err = l.in(c.Dir, c.Path); err != nil {
			return Launch{}, &Error{Kind: ErrStart, Subject: c.Path, Err: err}
		}
	}
	l.Args = append(slices.Clone(l.Args), c.Args...)
	return l, nil
}

// in is the launch of the script at path in another working directory.
func (l Launch) in(dir, path string) (Launch, error) {
	if l.Dir != "" {
		return l, errors.New("a .go script runs in its own folder, and in no other")
	}
	switch info, err := os.Stat(dir); {
	case err != nil:
		return l, fmt.Errorf("the working directory: %w", err)
	case !info.IsDir():
		return l, fmt.Errorf("the working directory %s is no folder", dir)
	}
	script, err := filepath.Abs(path) // from where goated is, not from there
	if err != nil {
		return l, err
	}
	l.Args = append(slices.Clone(l.Args[:len(l.Args)-1]), script)
	l.Dir = dir
	return l, nil
}

// prepare finds, or compiles, what the process is started from.
func (s *server) prepare(ctx context.Context, l Launch, confined bool) (invocation, error) {
	c, err := s.invocation(ctx, l, confined)
	var e *Error
	switch {
	case ctx.Err() != nil: // given up meanwhile, with or without an error
		return c, ctx.Err()
	case err != nil && !errors.As(err, &e):
		err = &Error{Kind: ErrStart, Subject: s.config.Path, Err: err}
	}
	return c, err
}

// connect starts the process, makes the session and lists the tools.
func (s *server) connect(ctx context.Context, c invocation) ([]*mcp.Tool, error) {
	s.host.update(func() { s.run = c })
	session, err := s.greet(ctx, c)
	if err != nil {
		return nil, err
	}
	s.host.update(func() { s.session = session })
	return s.listTools(ctx)
}

// greet opens a session in the way that the server is known to understand, and
// otherwise finds out.
func (s *server) greet(ctx context.Context, c invocation) (*mcp.ClientSession, error) {
	known := s.host.eras
	key := c.identity(s.config.Path, s.config.Env)
	era := known.get(key)
	session, err := s.open(ctx, c, era)
	switch {
	case err == nil || ctx.Err() != nil:
	case era == "" && s.conn != nil && s.conn.slowStart():
		// It knows server/discover, and was too slow: it refuses initialize now.
		s.stop()
		session, err = s.open(ctx, c, patient)
	case era == "" && s.conn != nil && died(err) && s.conn.blamed() == nil:
		// Some servers exit on a first request that they do not know, and
		// server/discover is new: go-sdk issue 1177. They get a second process
		// that is greeted the old way.
		s.stop()
		session, err = s.open(ctx, c, legacy)
	case era != "" && !errors.Is(err, ErrStart):
		// What was known may be of before an update of what the script imports.
		s.stop()
		session, err = s.open(ctx, c, "")
	}
	if err != nil {
		return nil, err
	}
	era = ""
	if session.InitializeResult().ProtocolVersion < "2026-07-28" {
		era = legacy
	}
	known.put(key, era)
	return session, nil
}

// invocation is what runs the server, in its environment.
func (s *server) invocation(ctx context.Context, l Launch, confined bool) (invocation, error) {
	path := s.host.path(ctx)
	name, err := program(l, s.config.Path, path)
	if err != nil {
		return invocation{}, err
	}
	var typed []string
	if confined && !s.config.Bundled && strings.HasSuffix(s.config.Path, ".go") {
		typed = append([]string{name}, l.Args...)
		if name, l, err = s.compile(ctx, name, path, l); err != nil {
			return invocation{}, err
		}
	}
	base := filepath.Base(name)
	env := Environ(s.host.o.Env, base[:len(base)-len(filepath.Ext(base))], s.config.Env)
	env = withPath(env, s.host.ownPath(), path)
	c := invocation{program: name, args: l.Args, dir: l.Dir, env: env, keeper: s.host.o.Keeper, typed: typed}
	if s.config.Alone {
		c.keeper = nil
	}
	if confined {
		if c.policy, err = s.policy(name, env); err != nil {
			return invocation{}, err
		}
		if len(c.keeper) > 0 && keepers && !s.host.o.NoBubble {
			c = c.in(s.host.findBubble(false))
		}
	}
	return c, nil
}

// open starts a process and greets it: by initialize where era is legacy, else
// by server/discover first, which is waited for as long as need be where era is
// patient.
func (s *server) open(ctx context.Context, c invocation, era string) (*mcp.ClientSession, error) {
	p, err := spawn(c, new(tail))
	if errors.Is(err, errKeeper) && c.enclosed() {
		// What worked may not any more: a setting of the system's has changed, say.
		if b := s.host.findBubble(true); b.Wrap != sandbox.Wrapped {
			c = c.in(b)
			p, err = spawn(c, new(tail))
		}
	}
	if err != nil {
		return nil, &Error{Kind: ErrStart, Subject: s.config.Path, Err: err}
	}
	conn := newStdio(p, s.host.o.MaxFrame, s.notified, s.host.changedSoon)
	conn.patient = era == patient
	s.host.update(func() {
		s.conn, s.view.Sandbox, s.view.Policy = conn, p.tree.sandbox, sandbox.Policy{}
		s.env = slices.Concat(c.env, p.tree.env)
		if c.policy != nil {
			s.view.Policy = *c.policy
		}
	})
	p.tree.refused.watch(s.host.changedSoon)
	var o *mcp.ClientSessionOptions
	if era == legacy {
		o = &mcp.ClientSessionOptions{ProtocolVersion: era}
	}
	return s.client(conn).Connect(ctx, conn, o)
}

// client makes the MCP client of this server alone, so that what the server
// asks is known to be from it.
func (s *server) client(conn *stdio) *mcp.Client {
	o := &mcp.ClientOptions{
		Logger: s.host.o.Logger.With("server", s.view.ID),
		// Nothing is advertised that goated does not do; roots and sampling are
		// deprecated by MCP 2026-07-28.
		Capabilities:           &mcp.ClientCapabilities{},
		ToolListChangedHandler: s.listChanged,
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
	c := mcp.NewClient(&mcp.Implementation{Name: "goated", Version: s.host.o.Version}, o)
	c.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if conn.modern() && !strings.HasPrefix(method, "notifications/") && method != "elicitation/create" {
				// "Servers MUST NOT send requests" since 2026-07-28. Elicitation
				// is let through: there it comes from within the SDK.
				conn.p.stderr.Note("stdout: a request that MCP 2026-07-28 does not have: " + method)
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "MCP 2026-07-28 has no requests from servers"}
			}
			return next(ctx, method, req)
		}
	})
	return c
}

// explain turns what went wrong while connecting into the seed's words.
func (s *server) explain(ctx context.Context, err error) *Error {
	var e *Error
	var wire *jsonrpc.Error
	path := s.config.Path
	switch {
	case errors.As(err, &e):
		return e
	case s.conn != nil && s.conn.blamed() != nil:
		return &Error{Kind: ErrProtocol, Subject: path, Err: s.conn.blamed()}
	case errors.Is(context.Cause(ctx), ErrConnectTimeout):
		return &Error{Kind: ErrConnectTimeout, Subject: path, After: s.connectLimit}
	case ctx.Err() != nil:
		return nil
	case errors.As(err, &wire):
		return &Error{Kind: ErrProtocol, Subject: path, Err: wire}
	case died(err) && s.conn.p.died(graceExit):
		<-s.conn.p.exited // and stderr is read to its end
		return &Error{Kind: ErrStart, Subject: path, Err: s.exit()}
	case died(err):
		return &Error{Kind: ErrProtocol, Subject: path, Err: s.conn.gone()}
	}
	return &Error{Kind: ErrProtocol, Subject: path, Err: err}
}

// graceExit is how long a process may take to be gone when its stdout is.
const graceExit = 500 * time.Millisecond

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
	if e := s.conn.p.exit; e != (exit{}) {
		how = e.String()
	}
	if lines := s.stderr(); len(lines) > 0 {
		return fmt.Errorf("%s: %s", how, lines[len(lines)-1])
	}
	return errors.New(how)
}
