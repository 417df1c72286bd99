package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"goated/agent"
	"goated/client"
	"goated/internal/adding"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/linked"
	"goated/internal/shellword"
	"goated/internal/terminal"
	"goated/servers"
	"goated/ui/view"
)

// A pendingServer is a server that connect connects.
type pendingServer struct {
	config client.Config
	ended  chan struct{}  // closed when it runs or has failed
	launch *config.Launch // the saved server whose secrets are in the keyring; may be nil
	label  string         // its name in messages
	given  bool           // it comes from --server
	lost   error          // values that cannot be read, without which it starts anyway
	err    error          // the reason why it does not run
}

// connect connects the bundled servers, the servers in the settings and those of --server, in
// parallel. It prints failures to w. A failing server does not stop the others; the result counts
// the failures. The error concerns the flags or comes from ctx. p asks for missing values, and may
// be nil. f starts the servers of linked files.
func (a *app) connect(ctx context.Context, w io.Writer, p *terminal.Prompter, f *linked.Follower) (failed failures, err error) {
	list, err := a.begin(ctx, w, p, f)
	if err != nil {
		return failed, err
	}
	list.Wait()
	return list.print(w), ctx.Err()
}

// terminalLimit limits the time to wait for servers in a terminal, where Ctrl+C ends the wait. A Go
// server may have to be compiled, and npx may have to install packages first.
const terminalLimit = 5 * time.Minute

// connectSoon is like connect, but limits the wait, and prints for which servers it waits. The
// other servers continue to start until the caller calls stop, before a.close.
func (a *app) connectSoon(ctx context.Context, w io.Writer, p *terminal.Prompter) (failed failures, stop func(), err error) {
	starts, cancel := context.WithCancel(context.WithoutCancel(ctx))
	waiting := context.AfterFunc(ctx, cancel)
	defer waiting() // a later Ctrl+C stops a turn, but no server
	list, err := a.begin(starts, w, p, a.follower(w))
	if err != nil {
		cancel()
		return failed, func() {}, err
	}
	out := &terminal.Printer{Stderr: w}
	a.tools.Limit = terminalLimit
	slow := false
	for e := range a.tools.Await(ctx) {
		if m, ok := e.(agent.ServersMissing); ok {
			slow, m.Failed = len(m.Slow) > 0, nil // print reports why they failed
			e = m
		}
		_ = out.Print(e) // fails only with JSON
	}
	for i := 0; i < len(list.all) && !slow; i++ { // the host shows a failure before the start returns
		select {
		case <-list.all[i].ended:
		case <-starts.Done():
		}
	}
	return list.print(w), func() { cancel(); list.Wait() }, ctx.Err()
}

// pendingServers contains the servers that connect connects.
type pendingServers struct {
	sync.WaitGroup
	all []*pendingServer
}

// begin starts all servers in the background. f starts those of linked files.
func (a *app) begin(ctx context.Context, w io.Writer, p *terminal.Prompter, f *linked.Follower) (*pendingServers, error) {
	defer a.tools.Release()
	given, err := a.asked(ctx, w, p)
	if err != nil {
		return nil, err
	}
	list, err := a.bundledServers()
	if err != nil {
		return nil, err
	}
	for _, l := range a.settings.Launch {
		if a.only || l.Off || slices.ContainsFunc(given, func(s asked) bool { return s.saved && s.Launch.Same(l) }) {
			continue
		}
		list = append(list, &pendingServer{config: consent.ConfigOf(l), launch: &l, label: l.DisplayName()})
	}
	for _, s := range given {
		list = append(list, &pendingServer{config: s.config, launch: &s.Launch, label: s.DisplayName(), given: true})
	}
	out := &pendingServers{all: list}
	for _, s := range list {
		s.ended = make(chan struct{})
		start := a.tools.Announce(s.label, s.launch)
		out.Go(func() {
			defer func() {
				close(s.ended)
				a.tools.End(start, s.err)
			}()
			if s.launch != nil {
				s.config = a.withSecrets(s.config, *s.launch) // reads the keyring
				if a.live == nil {                            // there is no window
					s.config, s.lost = withoutMissing(s.config)
				}
			}
			installed := adding.Packages(w, s.label, client.InstallsPackages(a.host, s.config))
			_, s.err = client.ConnectSaved(ctx, a.host, s.config)
			installed(s.err)
		})
	}
	if len(a.settings.Linked) > 0 && !a.only {
		var marks []string
		for _, s := range given {
			marks = append(marks, s.linked)
		}
		out.Go(func() { f.Start(ctx, marks) })
	}
	return out, nil
}

// print reports which of the finished starts failed, and counts them.
func (l *pendingServers) print(w io.Writer) (failed failures) {
	var ended []*pendingServer
	for _, s := range l.all {
		select {
		case <-s.ended:
			ended = append(ended, s)
		default:
		}
	}
	for _, s := range ended {
		if s.lost != nil {
			fmt.Fprintf(w, "%s: %s\n", s.label, terminal.Sentence(s.lost))
		}
	}
	for _, s := range ended {
		if s.err == nil {
			continue
		}
		if !errors.Is(s.err, context.Canceled) { // if the user stopped goated, no reason is needed
			s.print(w)
		}
		if s.given {
			failed.given++
			failed.mistaken = failed.mistaken || errors.Is(s.err, client.ErrNotFound) || errors.Is(s.err, client.ErrExtension)
		} else {
			failed.saved++
		}
	}
	return failed
}

// failures counts the servers that do not run.
type failures struct {
	given, saved int
	mistaken     bool // the text of a given server is not a script
}

// status returns an error if a server does not run.
func (f failures) status() error {
	if f.given+f.saved > 0 {
		return terminal.ExitStatus(1)
	}
	return nil
}

// bundledServers returns the bundled servers to start.
func (a *app) bundledServers() ([]*pendingServer, error) {
	for _, name := range a.bundled.with {
		if !slices.Contains(servers.Names(), name) {
			return nil, fmt.Errorf("goated has no bundled server %q. Choose one of: %s", name, strings.Join(servers.Names(), ", "))
		}
	}
	var list []*pendingServer
	for _, s := range servers.All() {
		if !a.only && !a.bundled.none && a.settings.StartsBundled(own(s)) || slices.Contains(a.bundled.with, s.Name) {
			list = append(list, &pendingServer{label: s.Name, config: a.bundledConfig(s, a.settings.BundledWithSwitches(own(s)).On)})
		}
	}
	return list, nil
}

// print prints why a server does not run.
func (s *pendingServer) print(w io.Writer) {
	fmt.Fprintf(w, "%s: %s\n", s.label, terminal.Sentence(s.err))
	switch {
	case client.Unconfined(s.err) && s.given:
		fmt.Fprintln(w, "To run it anyway, write --no-sandbox after its --server.")
	case client.Unconfined(s.err):
		fmt.Fprintf(w, "goated asks for this in its window and in a terminal. Or use --server %s --no-sandbox.\n", shellword.Quote(s.label))
	}
	if flags := adding.Lacking(s.err); flags != "" && s.given {
		fmt.Fprintln(w, "Write it after its --server:"+flags)
	} else if flags != "" {
		fmt.Fprintf(w, "Pass it with --server %s%s\n", shellword.Quote(s.label), flags)
	}
	if fix := view.FixCommands(s.err); fix != "" {
		fmt.Fprintln(w, "  $ "+strings.ReplaceAll(fix, "\n", "\n  $ "))
	}
	var e *client.Error
	if errors.As(s.err, &e) {
		for _, line := range e.Stderr {
			fmt.Fprintln(w, "  | "+line)
		}
	}
}
