package client

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/internal/crashloop"
	"goated/client/internal/environ"
	"goated/client/internal/httplink"
	"goated/client/internal/sources"
	"goated/client/internal/subscribers"
	"goated/client/internal/toolcall"
	"goated/internal/codedigest"
	"goated/internal/launch"
	"goated/internal/proc"
	"goated/registry"
)

// errStopped is the cause of a context that is cancelled because its server must stop.
var errStopped = errors.New("disconnected")

// errStartCancelled is the reason of a server whose restart was cancelled.
var errStartCancelled = errors.New("its start was cancelled")

// A server is one entry of the host's list, with what runs for it.
type server struct {
	host   *Host
	config Config
	lifetime
	questions
	toolList
	calls    toolcall.Running
	inFlight toolcall.InFlight // they begin under the list's mu, while Connected

	connectLimit time.Duration     // of its start; used by start's goroutine
	crashes      crashloop.Crashes // of it and its predecessors; used by supervise's goroutine

	// The list's mu guards all below.
	view    Server // without tools and stderr, which a snapshot adds
	link    *link
	session *mcp.ClientSession
	run     proc.Command // that starts its process
	failed  failedCalls
	succession
}

// A lifetime holds how long a server and its goroutines live.
type lifetime struct {
	life   context.Context // ends when the server must leave
	end    context.CancelFunc
	ctx    context.Context // derived from life; also ends when the server exits
	cancel context.CancelFunc
	done   chan struct{} // closed when nothing runs for the server any more
}

// A toolList is the state of a server's list of tools, and the subscribers of its resources.
type toolList struct {
	changing    atomic.Int64     // when a change went to listChanged, in ns; 0 once it has arrived
	listed      atomic.Bool      // tools/list was sent, and the server tells changes
	stale       int              // changes since the last list; guarded by the list's mu
	fetched     int              // how many of these changes the registry has
	origin      registry.Origin  // of the tools; guarded by the list's mu
	off         []string         // the tools that the user turned off; guarded by the list's mu
	key         string           // of the tools that are kept for the next start
	offered     atomic.Int64     // changes of the prompts and resources
	outputs     toolcall.Outputs // checks the results
	subscribers subscribers.Set  // of its resources
}

// A succession links a server with its predecessors and its successor in the same place of the list.
type succession struct {
	follows bool    // it replaced another
	next    *server // that replaced it
	earlier []run   // of the servers before, the oldest first
}

// newServer returns a server for which nothing runs yet.
func newServer(h *Host, c Config) *server {
	s := &server{host: h, config: c, toolList: toolList{off: c.Off, key: c.Key()}}
	s.done = make(chan struct{})
	s.life, s.end = context.WithCancel(context.Background())
	s.ctx, s.cancel = context.WithCancel(s.life)
	return s
}

// Connect starts a server, and returns its id once its tools are in the registry. Each
// failure is an [*Error], unless ctx ended. A server that was started and failed stays
// in the list with the reason. Connect checks the extension first, then that the script
// exists, and only then starts the process, which ends with [Host.Disconnect] or
// [Host.Close], not with ctx.
func (h *Host) Connect(ctx context.Context, c Config) (id string, err error) {
	launch, err := c.launch()
	if err != nil {
		h.o.logError(ctx, "connecting", err, "path", c.redactedSubject())
		return "", err
	}
	return connect(ctx, h, c, launch)
}

func connect(ctx context.Context, h *Host, c Config, l Launch) (id string, err error) {
	s := newServer(h, c)
	if err := h.list.add(s); err != nil {
		return "", err
	}
	if err := repaired(ctx, s, s.start(ctx, l)); err != nil {
		return "", err
	}
	return s.view.ID, nil
}

// start connects the server up to its list of tools, and starts supervise. A server that
// fails stays in the list with the reason. A cancelled start stays too if it replaced another
// server.
func (s *server) start(ctx context.Context, l Launch) error {
	h := s.host
	limit, _ := h.Timeouts()
	s.connectLimit = h.packages.startLimit(s.config, limit)
	asking, answered := context.WithCancel(ctx)
	defer answered()
	defer context.AfterFunc(s.ctx, answered)()
	var c proc.Command
	var err error
	if s.config.URL == "" {
		c, err = ready(asking, s, l)
	}
	next := sync.OnceFunc(waitToStart(asking, s))
	defer next()
	ctx, cancel := s.limitStart(asking, s.connectLimit)
	defer cancel()
	var tools listing
	var code *codedigest.Start
	if err == nil {
		code = s.config.code(c)
		tools, err = s.connect(ctx, c)
	}
	next()
	if err == nil {
		h.packages.connected(s.config)
		origin := originOf(s, code)
		h.list.update(func() {
			s.origin = origin
			if s.next == nil { // else the id is another's, which has no session yet
				h.list.reg.Set(s.view.ID, s.config.Bundled, s.origin, tools.tools, s.off...)
				h.list.reg.SetInputs(s.view.ID, tools.inputs)
			}
			s.view.Status, s.view.Since = Connected, time.Now()
			s.view.RetryAt = time.Time{}
			if s.stale > 0 { // a change came after the list that was just read
				s.refresh()
			}
		})
		keepTools(s, tools.tools)
		go s.supervise()
		return nil
	}
	defer h.wg.Done()
	defer s.close() // a waiting caller finds the final list
	noticed := time.Now()
	e := s.explain(ctx, err)
	s.link.traceEnd(noticed, e)
	s.stop()
	if e == nil {
		if s.follows && s.life.Err() == nil {
			e = &Error{Kind: ErrStart, Subject: s.config.subject(), Err: errStartCancelled}
			s.diagnose(e)
			h.list.setFailed(s, e)
		} else {
			h.list.update(func() { h.list.drop(s) })
		}
		return fmt.Errorf("connecting to %s: %w", s.config.redactedSubject(), context.Canceled)
	}
	observeReads(asking, s, e)
	s.diagnose(e)
	h.list.setFailed(s, e)
	h.o.logError(ctx, "connecting", e, "path", s.config.redactedSubject(), "server", s.view.ID)
	return e
}

// ready asks the user the questions that come before a server's process starts, and finds or compiles
// its program. There is no time limit for the user and the compiler.
func ready(ctx context.Context, s *server, l Launch) (proc.Command, error) {
	confined, err := s.confined(ctx)
	if err != nil {
		return proc.Command{}, &Error{Kind: ErrStart, Subject: s.config.subject(), Err: err}
	}
	return s.prepare(ctx, l, confined)
}

// limitStart bounds a start by the limit. The time that the user needs to sign in does not count.
func (q *questions) limitStart(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	started := make(chan struct{})
	var timer *time.Timer
	timer = time.AfterFunc(limit, func() {
		<-started
		if since := time.Since(time.Unix(0, q.answered.Load())); q.asking.Load() > 0 || since < limit {
			timer.Reset(max(limit-since, time.Second))
			return
		}
		cancel(ErrConnectTimeout)
	})
	close(started)
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

// launch checks a configuration, without starting anything.
func (c Config) launch() (Launch, error) {
	fail := func(err error) (Launch, error) {
		return Launch{}, &Error{Kind: ErrStart, Subject: c.subject(), Err: err}
	}
	if err := c.checkMissing(); err != nil {
		return fail(err)
	}
	given := slices.DeleteFunc([]string{c.Path, c.Command, c.URL}, func(s string) bool { return s == "" })
	switch {
	case len(given) > 1:
		return fail(errors.New("a server is either a script, a command or a URL"))
	case c.URL != "":
		if _, err := httplink.New(httplink.Options{URL: launch.FilledURL(c.URL, c.Env)}); err != nil {
			return fail(err)
		}
		return Launch{}, nil
	case c.Bundled:
		return Launch{Programs: []string{c.Path}, Args: c.Args}, nil
	case c.Command != "":
		l, err := c.commandLaunch()
		if err != nil {
			return fail(err)
		}
		return l, nil
	}
	l, err := Command(c.Path)
	if err != nil {
		return Launch{}, err
	}
	switch info, err := os.Stat(c.Path); {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		e := &Error{Kind: ErrNotFound, Subject: c.Path}
		if !filepath.IsAbs(c.Path) {
			e.Dir, _ = os.Getwd()
		}
		return Launch{}, e
	case err != nil:
		return fail(err)
	case info.IsDir():
		return fail(fmt.Errorf("%s is a directory", c.Path))
	}
	if c.Dir != "" {
		if l, err = l.in(c.Dir, c.Path); err != nil {
			return fail(err)
		}
	}
	l.Args = append(slices.Clone(l.Args), c.Args...)
	if compiles(l) {
		l.Args[1] = sources.Package(c.Path)
	}
	return l, nil
}

// commandLaunch returns the launch of a command. A relative path of a program is
// relative to goated's working directory, not to Dir.
func (c Config) commandLaunch() (l Launch, err error) {
	program := c.Command
	if filepath.Base(program) != program {
		if program, err = filepath.Abs(program); err != nil {
			return l, err
		}
	}
	if c.Dir != "" {
		if err := checkDir(c.Dir); err != nil {
			return Launch{}, err
		}
	}
	return Launch{Programs: []string{program}, Args: c.Args, Dir: c.Dir}, nil
}

// checkDir reports why dir cannot be a working directory.
func checkDir(dir string) error {
	switch info, err := os.Stat(dir); {
	case err != nil:
		return fmt.Errorf("the working directory: %w", err)
	case !info.IsDir():
		return fmt.Errorf("the working directory %s is not a folder", dir)
	}
	return nil
}

// in returns the launch of the script at path in another working directory.
func (l Launch) in(dir, path string) (Launch, error) {
	if l.Dir != "" {
		return l, errors.New("a .go script can run only in its own folder")
	}
	if err := checkDir(dir); err != nil {
		return l, err
	}
	script, err := filepath.Abs(path) // relative to goated's working directory
	if err != nil {
		return l, err
	}
	l.Args = append(slices.Clone(l.Args[:len(l.Args)-1]), script)
	l.Dir = dir
	return l, nil
}

// prepare finds or compiles the program of the process.
func (s *server) prepare(ctx context.Context, l Launch, confined bool) (proc.Command, error) {
	c, err := s.invocation(ctx, l, confined)
	var e *Error
	switch {
	case ctx.Err() != nil: // given up meanwhile, with or without an error
		return c, ctx.Err()
	case err != nil && !errors.As(err, &e):
		err = &Error{Kind: ErrStart, Subject: s.config.subject(), Err: err}
	}
	return c, err
}

// connect starts the process, makes the session and lists the tools.
func (s *server) connect(ctx context.Context, c proc.Command) (listing, error) {
	s.host.list.update(func() { s.run = c })
	session, err := s.initialize(ctx, c)
	if err != nil {
		return listing{}, err
	}
	s.host.list.update(func() {
		s.session = session
		setServerInfo(s, session.InitializeResult())
	})
	return s.listTools(ctx)
}

// invocation makes the command that runs the server, with its environment.
func (s *server) invocation(ctx context.Context, l Launch, confined bool) (proc.Command, error) {
	path := s.host.programs.All(ctx)
	args, own := launch.Filled(l.Args, s.config.Env)
	l.Args = args
	name, err := program(l, s.config, path)
	if err != nil {
		return proc.Command{}, err
	}
	var typed []string
	if compiles(l) && confined && !s.config.Bundled {
		typed = append([]string{name}, l.Args...)
		if name, l, err = s.compile(ctx, name, path, l); err != nil {
			return proc.Command{}, err
		}
	}
	base := filepath.Base(name)
	env := environ.Inherited(s.host.o.Env, base[:len(base)-len(filepath.Ext(base))], nil)
	if confined && !s.config.Bundled {
		folder, err := s.host.folders.Of(s.config.folder())
		if err != nil {
			return proc.Command{}, err
		}
		env = append(env, s.host.packages.environment(ctx, folder, s.config.Grant.Install)...)
	}
	env = append(env, own...)
	env = environ.WithPath(env, s.host.programs.Inherited(), path)
	c := proc.Command{Program: name, Args: l.Args, Dir: l.Dir, Env: env, Keeper: s.host.o.Process.Keeper, Shown: typed}
	if s.config.Alone {
		c.Keeper = nil
	}
	if confined {
		if c.Policy, err = s.policy(name, env); err != nil {
			return proc.Command{}, err
		}
		if c.Dir == "" && s.host.o.Process.OwnFolder && s.config.Origin().Registry() != "" {
			c.Dir = c.Policy.State // the user chose no folder, and the server may write this one
		}
		if len(c.Keeper) > 0 && proc.HasKeepers && !s.host.o.Process.NoBubble {
			c = c.WithBubble(s.host.sandboxes.bubble(false))
		}
		c.Groups = s.host.sandboxes.groups()
	}
	return c, nil
}
