package oauth

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	host "goated/client"
	"goated/internal/servertest"
)

// A host connects to a server that requires a sign-in, in both eras, and calls a tool that needs
// another scope. Neither the trace nor an error contains a token.
func TestHostSignsIn(t *testing.T) {
	for _, stateless := range []bool{false, true} {
		s := newStrict(t)
		server := mcp.NewServer(&mcp.Implementation{Name: "shop"}, nil)
		mcp.AddTool(server, &mcp.Tool{Name: "buy"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{}, nil, nil
		})
		servertest.CloseSessions(t, server)
		s.mcp = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: stateless})
		u := &user{t: t, strict: s}
		a := New(Options{Open: u.open})
		var traced strings.Builder
		events := make(chan host.TraceEvent, 1000)
		h := host.New(host.Options{
			Authorizer: func(c host.Config) host.Authorizer { return a.For(c.URL, "", c.Name, Registration{}) },
			Trace:      host.TraceOptions{Report: func(e host.TraceEvent) { events <- e }},
		})
		id, err := h.Connect(t.Context(), host.Config{URL: s.URL + "/mcp", Name: "shop"})
		if err != nil {
			t.Fatal(err)
		}
		s.mu.Lock()
		s.needed = "write"
		s.mu.Unlock()
		if _, err := h.Call(t.Context(), id+"__buy", nil, nil); err != nil {
			t.Error(err)
		}
		h.Close()
		close(events)
		for e := range events {
			traced.Write(e.Data)
		}
		g := a.For(s.URL+"/mcp", "", "", Registration{}).current()
		if len(u.asked) != 2 || strings.Contains(traced.String(), g.Access) {
			t.Errorf("%d questions; the trace is\n%s", len(u.asked), &traced)
		}
		for session := range server.Sessions() {
			_ = session.Close()
		}
	}
}

// If the user cancels the sign-in, the server's diagnosis reports that as the cause.
func TestHostReportsARefusedSignIn(t *testing.T) {
	s := newStrict(t)
	a := New(Options{Open: func(context.Context, Request) error { return errors.New("you cancelled") }})
	h := host.New(host.Options{Authorizer: func(c host.Config) host.Authorizer { return a.For(c.URL, "", c.Name, Registration{}) }})
	defer h.Close()
	_, err := h.Connect(t.Context(), host.Config{URL: s.URL + "/mcp"})
	var e *host.Error
	if !errors.As(err, &e) || e.Report.Cause != "sign-in needed" || !strings.HasSuffix(err.Error(), "wants you to sign in: you did not sign in: you cancelled") {
		t.Errorf("the error is %v", err)
	}
}

// After a sign-out, the next connection asks the user again.
func TestHostSignsOut(t *testing.T) {
	s := newStrict(t)
	server := mcp.NewServer(&mcp.Implementation{Name: "shop"}, nil)
	s.mcp = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true})
	u := &user{t: t, strict: s}
	ring, values := memory()
	a := New(Options{Open: u.open, Keyring: ring})
	h := host.New(host.Options{Authorizer: func(c host.Config) host.Authorizer { return a.For(c.URL, "", c.Name, Registration{}) }})
	defer h.Close()
	for range 2 {
		id, err := h.Connect(t.Context(), host.Config{URL: s.URL + "/mcp", Name: "shop"})
		if err != nil {
			t.Fatal(err)
		}
		if !host.SignedIn(h, id) || len(values) != 1 {
			t.Errorf("connected without a sign-in: %d values", len(values))
		}
		if err := host.SignOut(t.Context(), h, id); err != nil || host.SignedIn(h, id) || len(values) > 0 || len(h.Snapshot().Servers) > 0 {
			t.Errorf("signed out: %v, %d values, %v", err, len(values), h.Snapshot().Servers)
		}
	}
	if len(u.asked) != 2 {
		t.Errorf("the user was asked %d times", len(u.asked))
	}
	if host.SignedIn(h, "nobody") || host.SignOut(t.Context(), h, "nobody") != nil {
		t.Error("a server that is not there has a sign-in")
	}
}
