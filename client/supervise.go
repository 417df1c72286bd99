package client

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// drainTimeout bounds the decoding of a server's last answers. An answer of 64 MiB takes a second.
const drainTimeout = 10 * time.Second

// supervise waits for the end of the session. If the server exited unexpectedly, supervise
// removes its tools from the registry immediately, keeps the reason in the list (requirement
// 3.7), and restarts the server.
func (s *server) supervise() {
	h := s.host
	defer h.wg.Done()
	began := time.Now()
	ended := make(chan struct{})
	go func() { // ends when the connection is closed, below at the latest
		defer close(ended)
		_ = s.session.Wait() // the reason is the process's, see exit
	}()
	select { // the SDK reports the end only after cleanup
	case <-s.ctx.Done():
	case <-s.link.Ended():
	}
	noticed := time.Now()
	if s.ctx.Err() != nil {
		s.link.traceEnd(noticed, nil)
		h.list.update(func() {
			h.list.reg.Remove(s.view.ID)
			s.view.Status, s.view.Since = Disconnected, time.Now()
		})
		s.stop()
		<-ended
		s.close()
		return
	}
	// The tools go first: no call may start during cleanup.
	h.list.update(func() {
		h.list.reg.Remove(s.view.ID)
		s.view.Status, s.view.Since = Failed, time.Now()
	})
	e := linkEndError(s.link, s.config.redactedSubject())
	s.stop()
	<-ended
	// The SDK has ended the calls in flight. Calls that received an answer before are still
	// decoding it; cancelling them now would drop that answer.
	decoded := s.inFlight.None()
	select {
	case <-decoded:
	case <-time.After(drainTimeout):
	}
	s.cancel()
	<-decoded
	if e == nil {
		e = &Error{Kind: ErrExited, Subject: s.config.redactedSubject(), Err: s.link.exit()}
	}
	s.link.traceEnd(noticed, e)
	s.diagnose(e)
	now := time.Now()
	wait, again := s.crashes.Add(now, now.Sub(began))
	lost := h.o.Restart && restartable(e)
	again = again && lost
	switch {
	case again:
		h.list.update(func() { s.view.RetryAt = now.Add(wait) })
	case lost:
		e.Err = s.crashes.GiveUpError(now, e.Err)
	}
	h.list.setFailed(s, e)
	h.o.logError(context.Background(), "running", e, "server", s.view.ID)
	if again {
		s.restartAfterCrash(wait)
		return
	}
	s.close()
}

// restartable reports whether goated restarts a server: it exited, closed a stream, or does not read.
// A server whose output is not MCP would fail again.
func restartable(e *Error) bool {
	if f := remoteFault(e.Err); f != nil {
		return f.transient()
	}
	return e.Kind == ErrExited || errors.Is(e, errStdoutClosed) || errors.Is(e, errStdinClosed) || errors.Is(e, errUnread)
}

// linkEndError returns why a link ended although the process still runs, or why goated ended the link. It
// returns nil for a server that exited.
func linkEndError(l *link, subject string) *Error {
	fault := l.Fault()
	if fault == nil && !l.exitsWithin(graceExit) {
		fault = l.StreamFault()
	}
	switch {
	case fault == nil:
		return nil
	case remoteFault(fault) != nil:
		return &Error{Kind: ErrReach, Subject: subject, Err: fault}
	}
	return &Error{Kind: ErrProtocol, Subject: subject, Err: fault}
}

// restartAfterCrash restarts a server after an unexpected exit, and keeps trying until it has crashed too often.
func (s *server) restartAfterCrash(wait time.Duration) {
	h := s.host
	for {
		again := time.NewTimer(wait)
		select {
		case <-again.C:
		case <-s.life.Done():
			again.Stop()
			h.list.update(func() { s.view.RetryAt = time.Time{} })
			s.close()
			return
		}
		next := newServer(h, currentConfig(s))
		next.crashes = s.crashes
		placed := h.list.replace(s, next)
		s.close()
		if !placed {
			return
		}
		launch, err := next.config.launch()
		if err == nil {
			err = next.start(next.life, launch)
		} else {
			next.failStart(err)
		}
		var e *Error
		if err == nil || !errors.As(err, &e) || Quarantined(e) || wantsSignIn(e) {
			return
		}
		now := time.Now()
		var more bool
		if wait, more = pauseAfter(next, e, now); !more {
			gone := *e
			gone.Err = next.crashes.GiveUpError(now, e.Err)
			h.list.setFailed(next, &gone)
			return
		}
		h.list.update(func() { next.view.RetryAt = now.Add(wait) })
		s = next
	}
}

// pauseAfter returns the pause before the next try to restart a server, after one that failed with e. more is
// false if there must be none.
func pauseAfter(s *server, e *Error, now time.Time) (wait time.Duration, more bool) {
	if f := remoteFault(e); f != nil && f.unreached() {
		return s.crashes.AddUnreached(), true
	}
	return s.crashes.Add(now, 0)
}

// wantsSignIn reports whether a server refuses goated without another sign-in or key. Each start may ask the
// user for it.
func wantsSignIn(e *Error) bool {
	f := remoteFault(e)
	return f != nil && f.Refuses()
}

// ConnectSaved is [Host.Connect] for a saved server. If its configuration cannot be launched, for
// example because its script is gone, the server stays in the list with the reason.
func ConnectSaved(ctx context.Context, h *Host, c Config) (id string, err error) {
	l, wrong := c.launch()
	if wrong != nil {
		s := newServer(h, c)
		if err := h.list.add(s); err != nil {
			return "", err
		}
		s.failStart(wrong)
		return "", wrong
	}
	return connect(ctx, h, c, l)
}

// Check reports why a configuration cannot be launched. It starts nothing.
func (c Config) Check() error {
	_, err := c.launch()
	return err
}

// failStart is start for a server whose configuration cannot be launched.
func (s *server) failStart(err error) {
	var e *Error
	if errors.As(err, &e) {
		s.diagnose(e)
		s.host.list.setFailed(s, e)
	}
	s.host.o.logError(s.life, "launching", err, "server", s.view.ID)
	s.close()
	s.host.wg.Done()
}

// close marks that nothing runs for the server any more. If the server must leave the list, close
// removes it first, because the caller of Disconnect may have stopped waiting.
func (s *server) close() {
	s.host.list.update(func() {
		if s.life.Err() != nil {
			s.host.list.drop(s)
		}
		select {
		case <-s.done:
		default:
			close(s.done)
		}
	})
}

// stop ends the process and then the session. The order matters: the SDK's Close waits
// for calls in flight, which end with the connection.
func (s *server) stop() {
	if s.link != nil {
		_ = s.link.Close()
	}
	if s.session != nil {
		_ = s.session.Close()
	}
}

// Disconnect ends a server and removes it and its tools. It returns when the process is gone. If ctx
// ends first, the server leaves the list later.
func (h *Host) Disconnect(ctx context.Context, id string) error {
	s := h.list.find(id)
	if s == nil {
		return fmt.Errorf("disconnecting: no server %q", id)
	}
	for s != nil { // again if it was being restarted
		s.end()
		select {
		case <-s.done:
		case <-ctx.Done():
			select {
			case <-s.done: // before it was to leave, maybe
			default:
				return fmt.Errorf("disconnecting %s: %w", id, ctx.Err())
			}
		}
		h.list.update(func() {
			h.list.drop(s)
			s = s.next
		})
	}
	return nil
}

// listChanged handles a change of the list of tools. The SDK calls it in its one
// goroutine for notifications, so another one fetches the list.
func (s *server) listChanged(context.Context, *mcp.ToolListChangedRequest) {
	s.changing.Store(0)
	s.host.list.mu.Lock()
	defer s.host.list.mu.Unlock()
	if s.ctx.Err() != nil {
		return
	}
	s.stale++
	if s.stale == 1 && s.view.Status == Connected {
		s.refresh()
	}
}

// refresh starts relist; the caller holds the list's mu.
func (s *server) refresh() {
	s.host.wg.Add(1)
	go s.relist() // ends when the list is current, or with the server; Close waits for it
}

// listTries bounds the attempts to fetch a changed list.
const listTries = 3

// relist fetches the tools until none changed during the fetch, at most once a second: a storm of
// changes must not cause a storm of requests.
func (s *server) relist() {
	defer s.host.wg.Done()
	for failed := 0; ; {
		s.host.list.mu.Lock()
		seen := s.stale
		s.host.list.mu.Unlock()
		_, limit := s.host.Timeouts()
		ctx, cancel := context.WithTimeout(s.ctx, limit)
		tools, err := s.listTools(ctx)
		cancel()
		if failed++; err == nil {
			failed = 0
		}
		again := false
		s.host.list.update(func() {
			if err == nil && s.view.Status == Connected && s.next == nil {
				s.host.list.reg.Set(s.view.ID, s.config.Bundled, s.origin, tools.tools, s.off...)
				s.host.list.reg.SetInputs(s.view.ID, tools.inputs)
			}
			if err == nil {
				s.fetched = seen
			}
			if again = (s.stale > seen || failed > 0 && failed < listTries) && s.ctx.Err() == nil; !again {
				s.stale, s.fetched = 0, 0
			}
		})
		if err == nil {
			keepTools(s, tools.tools)
		}
		if err != nil && s.ctx.Err() == nil && !streamEnded(err) { // supervise reports that
			s.host.o.logError(s.ctx, "listing tools", &Error{Kind: ErrProtocol, Subject: s.config.subject(), Err: err}, "server", s.view.ID)
		}
		if !again {
			return
		}
		select {
		case <-time.After(time.Second):
		case <-s.ctx.Done():
		}
	}
}

// logError logs an error with its kind, message and stack (seed 003, property 7). Each error is
// logged once, where goated first notices it.
func (o Options) logError(ctx context.Context, doing string, err error, attrs ...any) {
	attrs = append([]any{
		slog.String("kind", kind(err)),
		slog.String("message", err.Error()),
		slog.String("stack", string(debug.Stack())),
	}, attrs...)
	o.Logger.ErrorContext(ctx, doing, attrs...)
}
