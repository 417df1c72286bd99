package dialogsocket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"goated/servers/pause/dialog"
	"goated/servers/pause/track"
)

// A client is a program that asks questions, across all its connections. The server's mu guards it.
type client struct {
	name    string // the same for all connections of a process
	caller  dialog.Caller
	line    *line // nil while it is disconnected
	left    *time.Timer
	dialogs map[string]*openRequest // by request id
}

// openRequest is a request whose answer has not reached its caller yet. The server's mu guards it.
type openRequest struct {
	client   *client
	id       json.RawMessage
	kind     dialog.Kind
	key      string // identifies the question; see [key]
	tracked  string // the request's id in the tracker
	original bool   // it came as a dialog_request
	prompt   *prompt
	reply    *frame // the answer, as soon as there is one
	kept     string // id of the stored answer in reply; empty: none
	ended    bool   // the request has a terminal state in the tracker
}

// A prompt is a dialog that the user sees. It can outlive its request, because the user can still
// answer after the caller has given up. The server's mu guards it.
type prompt struct {
	key    string
	client *client
	owner  *openRequest // the request that gets the answer; nil: the caller gave up
	shown  bool
	closes bool      // it accepts no further requests
	since  time.Time // when the caller gave up
	cancel context.CancelCauseFunc
	waits  chan bool // buffered: 1; the newest value, if the dialog has not read it yet
}

// closeWith closes the dialog with a cause.
func (p *prompt) closeWith(cause error) {
	p.closes = true
	p.cancel(cause)
}

// setWaiting tells the dialog whether its caller is waiting.
func (p *prompt) setWaiting(waits bool) {
	select {
	case <-p.waits:
	default:
	}
	p.waits <- waits
}

// name returns the id of the request, which is unique for its client.
func (d *openRequest) name() string { return requestName(d.id) }

// connect assigns a connection to the client with a name, which may have been connected before. It
// sends the client's pending answers.
func (s *Server) connect(name string, caller dialog.Caller, l *line) *client {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.clients[name]
	if !ok {
		c = &client{name: name, caller: caller, dialogs: make(map[string]*openRequest)}
		s.clients[name] = c
	}
	old := c.line
	c.line = l
	if c.left != nil {
		c.left.Stop()
		c.left = nil
	}
	if old != nil {
		old.close()
	}
	for _, d := range c.dialogs {
		s.deliver(d)
	}
	return c
}

// connectionEnded records that a connection has ended. Its dialogs wait for the client to connect again.
func (s *Server) connectionEnded(c *client, l *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.line != l {
		return
	}
	c.line = nil
	if s.ctx.Err() != nil {
		return // all dialogs end
	}
	c.left = time.AfterFunc(s.o.Grace, func() { s.endClient(c) })
}

// endClient ends the dialogs of a client that did not reconnect. Answers that it did not receive stay
// stored for the next time.
func (s *Server) endClient(c *client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.line != nil {
		return
	}
	for _, d := range c.dialogs {
		s.abandon(d, ErrCallerLeft)
	}
	for p := range s.prompts {
		if p.client == c {
			p.closeWith(ErrCallerLeft)
		}
	}
	if s.clients[c.name] == c {
		delete(s.clients, c.name)
	}
}

// abandon ends a request whose caller no longer waits. Its dialog stays open. The caller holds mu.
func (s *Server) abandon(d *openRequest, cause error) {
	if p := d.prompt; p != nil && p.owner == d {
		p.owner, p.since = nil, time.Now()
		p.setWaiting(false)
	}
	if d.reply != nil {
		s.end(d, track.Fail, cause) // the answer stays stored for the next time
		return
	}
	s.end(d, track.Cancel, cause)
}

// end ends a request in one terminal state, which later events do not change. The caller holds mu.
func (s *Server) end(d *openRequest, event track.Event, cause error) {
	if !d.ended {
		d.ended = true
		_ = s.tracker.Do(d.tracked, event, cause)
	}
	if d.client.dialogs[d.name()] == d {
		delete(d.client.dialogs, d.name())
	}
}

// checkLimits returns an error if a client may not open another dialog. The caller holds mu.
func (s *Server) checkLimits(c *client, l *line, now time.Time) error {
	mine, all := len(c.dialogs), 0
	for _, other := range s.clients {
		all += len(other.dialogs)
	}
	for p := range s.prompts {
		if p.owner == nil {
			all++
		}
	}
	switch {
	case !s.calls.allow(l.process, now):
		return fmt.Errorf("rate limit: at most %d dialogs a minute", callsAMinute)
	case mine >= maxDialogs || all >= maxAll:
		return errors.New("too many dialogs wait for the user")
	}
	return nil
}

// limitAbandoned closes the oldest abandoned dialogs of a client that has too many. Otherwise a
// program with short timeouts could cover the screen. The caller holds mu.
func (s *Server) limitAbandoned(c *client) {
	var mine []*prompt
	for p := range s.prompts {
		if p.client == c && p.owner == nil && !p.closes {
			mine = append(mine, p)
		}
	}
	slices.SortFunc(mine, func(a, b *prompt) int { return a.since.Compare(b.since) })
	for _, p := range mine[:max(len(mine)-maxGivenUp, 0)] {
		p.closeWith(ErrCallerMovedOn)
	}
}

// abandonedPrompt returns the open dialog for a question that a client asks again, or nil if there is none.
// If a program was restarted, it gets the dialog of its previous process. The caller holds mu.
func (s *Server) abandonedPrompt(c *client, key string) *prompt {
	for p := range s.prompts {
		same := p.client == c && p.owner == nil
		if p.key == key && !p.closes && (same || p.client != c && !p.client.connected()) {
			return p
		}
	}
	return nil
}

// attachRequest makes a request the owner of an open dialog, so that it gets the answer. The caller holds
// mu.
func (s *Server) attachRequest(p *prompt, d *openRequest) {
	if p.owner != nil {
		s.abandon(p.owner, ErrCallerLeft)
	}
	p.owner, p.client, d.prompt = d, d.client, p
	p.setWaiting(true)
	if p.shown {
		_ = s.tracker.Do(d.tracked, track.Display, nil)
	}
}

// connected reports whether a client has a connection and its process is running. A connection ends
// shortly after its process. The caller holds the server's mu.
func (c *client) connected() bool { return c.line != nil && !hasExited(c.line.process) }

// rates records the calls of each process in the last minute.
type rates map[string][]time.Time

// allow records a call and returns true, unless the process has reached the limit for the last
// minute.
func (r rates) allow(process string, now time.Time) bool {
	for name, calls := range r {
		calls = slices.DeleteFunc(calls, func(at time.Time) bool { return now.Sub(at) >= time.Minute })
		if r[name] = calls; len(calls) == 0 {
			delete(r, name)
		}
	}
	if len(r[process]) >= callsAMinute {
		return false
	}
	r[process] = append(r[process], now)
	return true
}
