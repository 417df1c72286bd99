package client

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/proc"
	"goated/internal/sandbox"
)

// greet opens a session in the way that the server is known to understand, and
// otherwise finds out.
func (s *server) greet(ctx context.Context, c proc.Command) (*mcp.ClientSession, error) {
	known := s.host.eras
	key := identity(c, s.config.Path, s.config.Env)
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

// open starts a process and greets it: by initialize where era is legacy, else
// by server/discover first, which is waited for as long as need be where era is
// patient.
func (s *server) open(ctx context.Context, c proc.Command, era string) (*mcp.ClientSession, error) {
	p, err := proc.Start(ctx, c, new(proc.LogRing))
	if errors.Is(err, proc.ErrKeeper) && c.InBubble() {
		// What worked may not any more: a setting of the system's has changed, say.
		if b := s.host.findBubble(true); b.Wrap != sandbox.Wrapped {
			c = c.WithBubble(b)
			p, err = proc.Start(ctx, c, new(proc.LogRing))
		}
	}
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &Error{Kind: ErrStart, Subject: s.config.Path, Err: err}
	}
	conn := newStdio(p, s.host.o.MaxFrame, s.notified, s.host.changedSoon)
	conn.patient = era == patient
	s.host.update(func() {
		s.conn, s.view.Sandbox, s.view.Policy = conn, p.Sandbox(), sandbox.Policy{}
		s.env = slices.Concat(c.Env, p.AddedEnv())
		if c.Policy != nil {
			s.view.Policy = *c.Policy
		}
	})
	p.WatchRefused(s.host.changedSoon)
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
			return s.ask(ctx, req.Params)
		}
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "goated", Version: s.host.o.Version}, o)
	c.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if conn.modern() && !strings.HasPrefix(method, "notifications/") && method != "elicitation/create" {
				// "Servers MUST NOT send requests" since 2026-07-28. Elicitation
				// is let through: there it comes from within the SDK.
				conn.p.Stderr.Note("stdout: a request that MCP 2026-07-28 does not have: " + method)
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "MCP 2026-07-28 has no requests from servers"}
			}
			return next(ctx, method, req)
		}
	})
	return c
}

// ask has the user answer the server, and waits no longer than there is somebody
// to tell it: the end of a server must not wait for an answer to it.
func (s *server) ask(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	var r *mcp.ElicitResult
	var err error
	answered := make(chan struct{})
	s.host.wg.Go(func() {
		defer close(answered)
		r, err = s.host.o.Elicit(ctx, s.view.Name, p)
	})
	select {
	case <-answered:
		return r, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
