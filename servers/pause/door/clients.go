package door

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

// A client is a program that asks, across its connections. The server's mu guards it.
type client struct {
	name    string // of all connections of one process
	caller  dialog.Caller
	line    *line // nil while it is disconnected
	left    *time.Timer
	dialogs map[string]*open // by the id of the request
}

// open is a request whose answer has not reached its caller. The server's mu guards it.
type open struct {
	client   *client
	id       json.RawMessage
	kind     dialog.Kind
	key      string // of the question, see [key]
	tracked  string // the id at the tracker
	original bool   // asked by a dialog_request
	prompt   *prompt
	reply    *frame // the answer, from when it exists
	kept     string // names the saved answer that reply has; empty: none
	ended    bool   // the tracker has its terminal state
}

// A prompt is a dialog in front of the user. It outlives its request: after the caller has
// given up, the user can still answer. The server's mu guards it.
type prompt struct {
	key    string
	client *client
	owner  *open // the request that gets the answer; nil: the caller gave up
	shown  bool
	closes bool      // it takes no further request
	since  time.Time // when the caller gave up
	cancel context.CancelCauseFunc
	waits  chan bool // buffered: 1; the newest value that the dialog has not read
}

// shut closes the dialog, and says why.
func (p *prompt) shut(cause error) {
	p.closes = true
	p.cancel(cause)
}

// say tells the dialog whether its caller waits.
func (p *prompt) say(waits bool) {
	select {
	case <-p.waits:
	default:
	}
	p.waits <- waits
}

// name returns the id of the request, which is unique for its client.
func (d *open) name() string { return requestName(d.id) }

// connect assigns a connection to the client with a name, which may have been connected before.
// It sends the answers that wait for the client.
func (s *Server) connect(name string, caller dialog.Caller, l *line) *client {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.clients[name]
	if !ok {
		c = &client{name: name, caller: caller, dialogs: make(map[string]*open)}
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

// drop says that a connection has ended. Its dialogs wait for the client to connect again.
func (s *Server) drop(c *client, l *line) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.line != l {
		return
	}
	c.line = nil
	if s.ctx.Err() != nil {
		return // all dialogs end
	}
	c.left = time.AfterFunc(s.o.Grace, func() { s.leave(c) })
}

// leave ends the dialogs of a client that did not come back. An answer that it did not
// receive stays for the next time.
func (s *Server) leave(c *client) {
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
			p.shut(ErrCallerLeft)
		}
	}
	if s.clients[c.name] == c {
		delete(s.clients, c.name)
	}
}

// abandon ends a request whose caller does not wait. Its dialog stays. The caller holds mu.
func (s *Server) abandon(d *open, cause error) {
	if p := d.prompt; p != nil && p.owner == d {
		p.owner, p.since = nil, time.Now()
		p.say(false)
	}
	if d.reply != nil {
		s.end(d, track.Fail, cause) // the answer stays for the next time
		return
	}
	s.end(d, track.Cancel, cause)
}

// end ends a request: in one terminal state, whatever comes later. The caller holds mu.
func (s *Server) end(d *open, event track.Event, cause error) {
	if !d.ended {
		d.ended = true
		_ = s.tracker.Do(d.tracked, event, cause)
	}
	if d.client.dialogs[d.name()] == d {
		delete(d.client.dialogs, d.name())
	}
}

// admit reports why a client may not open another dialog. The caller holds mu.
func (s *Server) admit(c *client, l *line, now time.Time) error {
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

// limitGivenUp closes the oldest dialogs of a client that gave up too many. Otherwise a
// program with short timeouts covers the screen. The caller holds mu.
func (s *Server) limitGivenUp(c *client) {
	var mine []*prompt
	for p := range s.prompts {
		if p.client == c && p.owner == nil && !p.closes {
			mine = append(mine, p)
		}
	}
	slices.SortFunc(mine, func(a, b *prompt) int { return a.since.Compare(b.since) })
	for _, p := range mine[:max(len(mine)-maxGivenUp, 0)] {
		p.shut(ErrCallerMovedOn)
	}
}

// givenUp returns the open dialog with a question that a client asks again; nil if there is
// none. A program that was started again gets the dialog of the one before. The caller
// holds mu.
func (s *Server) givenUp(c *client, key string) *prompt {
	for p := range s.prompts {
		same := p.client == c && p.owner == nil
		if p.key == key && !p.closes && (same || p.client != c && !p.client.connected()) {
			return p
		}
	}
	return nil
}

// adopt makes a request the one that gets the answer of an open dialog. The caller holds mu.
func (s *Server) adopt(p *prompt, d *open) {
	if p.owner != nil {
		s.abandon(p.owner, ErrCallerLeft)
	}
	p.owner, p.client, d.prompt = d, d.client, p
	p.say(true)
	if p.shown {
		_ = s.tracker.Do(d.tracked, track.Display, nil)
	}
}

// connected reports whether a client has a connection and its process runs. A connection ends a
// little after its process. The caller holds the server's mu.
func (c *client) connected() bool { return c.line != nil && !ended(c.line.process) }

// rates counts the calls of each process within the last minute.
type rates map[string][]time.Time

// allow counts a call, unless there were as many in the last minute as the limit allows.
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
