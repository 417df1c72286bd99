package client

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/internal/answers"
	"goated/client/internal/asking"
	"goated/client/internal/protocols"
	"goated/client/internal/toolcall"
	"goated/internal/proc"
	"goated/registry"
)

// The reasons of an [ErrUserNotAsked].
var (
	errNoUser      = errors.New("goated can't ask you here")
	errNotRepeated = errors.New("its server asks only in an older version of MCP. goated did not run the tool again. Its server uses that version now, so a new call can ask you")
	errNoRestart   = errors.New("its server asks only in an older version of MCP, and did not start with that")
)

// failedToAsk reports whether a call failed only because its tool wanted to ask the user. The tool may
// have done anything before that.
func failedToAsk(s *server, err error) bool {
	var e *Error
	if !errors.As(err, &e) || e.Kind != ErrTool {
		return false
	}
	return asking.FailedToAsk(e.Error(), s.link.Version() >= answers.Modern, s.host.o.Elicit != nil)
}

// callAgain repeats a call with the older protocol, in which the tool can ask the user its question.
// The tool may already have done part of its work, so the user must agree first.
func callAgain(ctx context.Context, s *server, approved registry.Entry, args map[string]any, report func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	h := s.host
	failed := func(why error) (*mcp.CallToolResult, error) {
		e := &Error{Kind: ErrUserNotAsked, Subject: approved.Name, Err: why}
		h.o.logError(ctx, "calling tool", e, "tool", approved.Name, "server", s.view.ID)
		return nil, e
	}
	rememberLegacy(s)
	if h.o.Elicit == nil {
		return failed(errNoUser)
	}
	if approved.Tool == nil {
		var err error
		if approved, err = h.Lookup(approved.Name); err != nil {
			return nil, err
		}
	}
	answered := s.times.Ask(ctx)
	again := h.o.Process.Repeat != nil && h.o.Process.Repeat(ctx, askerOf(s), approved, args)
	answered()
	switch {
	case !restartWithLegacy(ctx, h, s):
		return failed(errNoRestart)
	case !again:
		return failed(errNotRepeated)
	}
	return call(ctx, h, approved, args, report)
}

// rememberLegacy makes later starts of a server use the older protocol.
func rememberLegacy(s *server) {
	s.host.list.mu.Lock()
	run := s.run
	s.host.list.mu.Unlock()
	s.host.protocols.Put(s.config.identity(run), protocols.Legacy)
	s.host.protocols.Put(s.config.stableKey(run), protocols.Legacy)
}

// backChannelWait bounds the wait for the other calls of a server before it restarts.
const backChannelWait = 30 * time.Second

// restartWithLegacy restarts a server with the older protocol, in which it can ask the user. It
// returns false if the server does not run afterwards, or runs only with the newer protocol. The lock
// is per server, because a restart waits up to half a minute for other calls.
func restartWithLegacy(ctx context.Context, h *Host, s *server) bool {
	turn, _ := h.changing.LoadOrStore(s.view.ID, make(chan bool, 1))
	changing := turn.(chan bool)
	select {
	case changing <- true:
		defer func() { <-changing }()
	case <-ctx.Done():
		return false
	}
	now := h.list.find(s.view.ID)
	if now == nil {
		return false
	}
	if !speaksModern(now) {
		return true // another call of the same step has done it
	}
	select {
	case <-now.inFlight.None():
	case <-time.After(backChannelWait):
	case <-ctx.Done():
		return false
	}
	h.o.Logger.Info("a server asks in the way of an older protocol, so it restarts with that", "server", s.view.ID)
	if h.Restart(toolcall.WithoutUserTime(ctx), s.view.ID) != nil {
		return false
	}
	now = h.list.find(s.view.ID)
	return now != nil && !speaksModern(now)
}

// speaksModern reports whether a server uses the newer protocol, in which servers send no requests.
func speaksModern(s *server) bool {
	s.host.list.mu.Lock()
	defer s.host.list.mu.Unlock()
	return s.link != nil && s.link.Version() >= answers.Modern
}

// asksUser reports whether the script of a server asks the user in the style of the older protocol.
// The first start then uses that protocol, so that no call fails at a question. If the code that asks
// is in another file, goated notices at the first question.
func (c Config) asksUser(run proc.Command) bool {
	path, err := c.script(run.Program)
	return c.URL == "" && !c.Bundled && err == nil && asking.ScriptAsks(path)
}
