package client

import (
	"context"
	"errors"
	"maps"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/client/internal/answers"
	"goated/client/internal/asking"
	"goated/client/internal/protocols"
	"goated/client/internal/toolcall"
	"goated/internal/hostcall"
	"goated/internal/proc"
	"goated/internal/sandbox"
)

// initialize opens a session with the handshake that the server is known to understand. If none is
// known, it finds out.
func (s *server) initialize(ctx context.Context, c proc.Command) (*mcp.ClientSession, error) {
	cache := s.host.protocols
	key, place := s.config.identity(c), s.config.stableKey(c)
	greeting := cache.Get(key)
	asks := cache.Get(place) == protocols.Legacy
	if asks || greeting == "" && s.config.asksUser(c) {
		greeting = protocols.Legacy
	}
	session, err := s.open(ctx, c, greeting)
	again := func(greeting string) {
		s.link.traceEnd(time.Now(), explainEnd(s, err))
		s.stop()
		session, err = s.open(ctx, c, greeting)
	}
	switch {
	case err == nil || ctx.Err() != nil:
	case greeting == "" && s.link != nil && s.link.SlowStart():
		// The server knows server/discover, but started too slowly. It refuses
		// initialize now.
		again(protocols.NoProbeLimit)
	case answers.CommonVersion(err) != "": // it refused the version of the greeting, and names older ones
		again(answers.CommonVersion(err))
	case s.link != nil && streamEnded(err) && s.link.unread():
		// It has not read the greeting, so it exits at any other, too.
	case greeting != protocols.Legacy && s.link != nil && streamEnded(err) && s.link.Fault() == nil && !s.link.missedPermission():
		// Some servers exit on an unknown first request, and server/discover is new:
		// go-sdk issue 1177. A second process gets the older greeting.
		again(protocols.Legacy)
	case s.link != nil && remoteFault(s.link.Fault()) != nil: // no greeting reaches it
	case greeting != "" && !errors.Is(err, ErrStart):
		// The entry may be older than an update of a module of the script.
		again("")
	}
	if err != nil {
		if greeting == protocols.NoProbeLimit { // it may answer no server/discover any more
			cache.Put(key, "")
		}
		return nil, answers.Version(err)
	}
	greeting = protocols.NoProbeLimit
	if session.InitializeResult().ProtocolVersion < answers.Modern {
		greeting = protocols.Legacy
	}
	cache.Put(key, greeting)
	switch {
	case !asks:
	case greeting == protocols.Legacy:
		cache.Put(place, protocols.Legacy) // as long as it is in use
	default: // it speaks only the newer one now
		cache.Put(place, "")
	}
	return session, nil
}

// open opens a link and performs the handshake: with initialize if greeting is a version, otherwise
// with server/discover first. [protocols.NoProbeLimit] waits for that answer as long as for any other.
func (s *server) open(ctx context.Context, c proc.Command, greeting string) (*mcp.ClientSession, error) {
	var l *link
	var err error
	if s.config.URL != "" {
		l, err = openURL(s, greeting == protocols.NoProbeLimit)
	} else {
		l, err = s.openLink(ctx, c, greeting == protocols.NoProbeLimit)
	}
	if err != nil {
		return nil, err
	}
	if l.process == nil {
		s.host.list.update(func() { s.link = l })
		return greet(ctx, s, l, greeting)
	}
	s.host.list.update(func() {
		s.link, s.view.Sandbox, s.view.Policy = l, l.process.Sandbox(), sandbox.Policy{}
		if l.command.Policy != nil {
			s.view.Policy = *l.command.Policy
		}
	})
	l.process.WatchRefused(s.host.list.notifySoon)
	return greet(ctx, s, l, greeting)
}

// greet opens a session over a link.
func greet(ctx context.Context, s *server, l *link, greeting string) (*mcp.ClientSession, error) {
	var o *mcp.ClientSessionOptions
	if greeting != "" && greeting != protocols.NoProbeLimit {
		o = &mcp.ClientSessionOptions{ProtocolVersion: greeting}
	}
	var answers hostcall.Handler
	if s.config.Bundled {
		answers = s.config.Answers.While(s.calls.Any) // the user approved the call
	}
	return s.client(l).Connect(ctx, hostcall.Serve(l, answers), o)
}

// DialogExtension is the capability, and the key in the _meta of an elicitation, by which
// goated's own pause server shows its dialogs in the window (seed 004). The host offers it to
// bundled servers only, and removes the key from the questions of all others.
const DialogExtension = "dev.goated/dialog"

// capabilities returns what goated declares to this server.
func capabilities(s *server) *mcp.ClientCapabilities {
	c := &mcp.ClientCapabilities{}
	if s.host.o.Elicit != nil {
		if c.Elicitation = asking.Capabilities(); s.config.Bundled && s.host.o.Process.Dialogs {
			c.AddExtension(DialogExtension, nil)
		}
	}
	return c
}

// client creates an MCP client for this server alone, so that it is clear which server sent a
// request.
func (s *server) client(l *link) *mcp.Client {
	o := &mcp.ClientOptions{
		Logger: s.host.o.Logger.With("server", s.view.ID),
		// Not the SDK's defaults, which advertise roots. Roots and sampling are
		// deprecated by MCP 2026-07-28.
		Capabilities:           capabilities(s),
		ToolListChangedHandler: s.listChanged,
		// Without these the SDK does not ask for the changes. handleNotification handles them.
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) {},
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) {},
	}
	var visits asking.URLRequests
	if s.host.o.Elicit != nil {
		o.ElicitationHandler = func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			defer s.countQuestion(ctx)()
			r, err := asking.AskForm(ctx, req.Params, s.ask)
			return answers.Accepted(req.Params, r, err)
		}
		o.ElicitationCompleteHandler = visits.Complete
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "goated", Version: s.host.o.Version}, o)
	c.AddSendingMiddleware(toolcall.RetryBusy, uncached)
	if s.host.o.Elicit != nil {
		c.AddSendingMiddleware(visits.Retry(s.ask, s.countQuestion))
	}
	c.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if l.Version() >= answers.Modern && !strings.HasPrefix(method, "notifications/") && method != "elicitation/create" {
				// "Servers MUST NOT send requests" since 2026-07-28. Elicitation then
				// comes from within the SDK.
				l.log.Note("stdout: a request that MCP 2026-07-28 does not have: " + method)
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "MCP 2026-07-28 has no requests from servers"}
			}
			if method == "sampling/createMessage" {
				return nil, &jsonrpc.Error{Code: -1, Message: asking.NoSampling} // MCP's code for a user who refuses it; the SDK words others itself
			}
			return next(ctx, method, req)
		}
	})
	return c
}

// ask asks the user a question from the server. It waits only while the server waits for the answer,
// so that a server can end without the user.
func (s *server) ask(ctx context.Context, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	if _, ok := p.Meta[DialogExtension]; ok && !s.config.Bundled {
		own := *p
		own.Meta = maps.Clone(p.Meta)
		delete(own.Meta, DialogExtension)
		p = &own
	}
	var r *mcp.ElicitResult
	var err error
	answered := make(chan struct{})
	s.host.wg.Go(func() {
		defer close(answered)
		r, err = s.host.o.Elicit(ctx, askerOf(s), p)
	})
	select {
	case <-answered:
		return r, err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// askerOf describes the server to the user whom it asks.
func askerOf(s *server) Asker {
	a := Asker{ID: s.view.ID, Name: s.view.Name, Start: s.config.Start()}
	if s.config.Bundled {
		a.Start = "goated " + s.config.Name
	}
	return a
}
