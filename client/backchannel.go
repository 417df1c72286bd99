package client

import (
	"context"
	"errors"
	"time"

	"goated/client/internal/answers"
	"goated/client/internal/protocols"
	"goated/internal/lazyregexp"
)

// noBackChannel matches the failure of a tool that asks the user by a request to the client.
// MCP 2026-07-28 has no such request, but the current Python SDK and FastMCP still use it.
var noBackChannel = lazyregexp.New(`(?i)no back-?channel|elicitation\S* is (?:unavailable|not available) on 2026|unavailable on 2026-07-28`)

// needsBackChannel reports whether a call failed only because its server asks the user with
// the older protocol, and a user can answer.
func needsBackChannel(h *Host, s *server, err error) bool {
	var e *Error
	return h.o.Elicit != nil && errors.As(err, &e) && e.Kind == ErrTool && s.link.Version() >= answers.Modern && noBackChannel.MatchString(e.Error())
}

// backChannelWait bounds the wait for the other calls of a server before it restarts.
const backChannelWait = 30 * time.Second

// restartWithLegacy restarts a server with the older protocol, in which it can ask the user,
// and remembers that. The call that failed is then made again: it ended at its
// question. It is false if the server does not run afterwards. Each server has its own turn: a change
// waits up to half a minute for other calls.
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
	h.list.mu.Lock()
	old, run := now.link != nil && now.link.Version() >= answers.Modern, now.run
	h.list.mu.Unlock()
	if !old {
		return true // another call of the same step has done it
	}
	h.protocols.Put(now.config.identity(run), protocols.Legacy)
	select {
	case <-now.inFlight.None():
	case <-time.After(backChannelWait):
	case <-ctx.Done():
		return false
	}
	h.o.Logger.Info("a server asks in the way of an older protocol, so it restarts with that", "server", s.view.ID)
	return h.Restart(ctx, s.view.ID) == nil
}
