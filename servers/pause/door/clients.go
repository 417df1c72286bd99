package door

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"goated/servers/pause/dialog"
	"goated/servers/pause/track"
)

// A client is a program that asks, across its connections.
type client struct {
	server *Server
	name   string
	caller dialog.Caller

	mu      sync.Mutex
	line    *line // nil while it is disconnected
	left    *time.Timer
	dialogs map[string]*open // by the id of the request
	calls   []time.Time      // within the last minute
}

// open is a dialog that has not reached its caller.
type open struct {
	id       json.RawMessage
	kind     dialog.Kind
	key      string // of the question, see [key]
	tracked  string // the id at the tracker
	original bool   // asked by a dialog_request
	cancel   context.CancelCauseFunc
	reply    *frame // the answer, from when it exists
}

// client returns the client with a name, which may have been here before.
func (s *Server) client(name string, caller dialog.Caller) *client {
	s.mu.Lock()
	defer s.mu.Unlock()
	c, ok := s.clients[name]
	if !ok {
		c = &client{server: s, name: name, caller: caller, dialogs: make(map[string]*open)}
		s.clients[name] = c
	}
	return c
}

// take makes a connection that of the client, and sends the answers that wait for it.
func (c *client) take(l *line) {
	c.mu.Lock()
	old := c.line
	c.line = l
	if c.left != nil {
		c.left.Stop()
		c.left = nil
	}
	var ready []*open
	for _, d := range c.dialogs {
		if d.reply != nil {
			ready = append(ready, d)
		}
	}
	c.mu.Unlock()
	if old != nil {
		old.close()
	}
	for _, d := range ready {
		c.deliver(d)
	}
}

// drop says that a connection has ended; nil is any. Its dialogs wait for the client
// to connect again.
func (c *client) drop(l *line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.line == nil || l != nil && c.line != l {
		return
	}
	if l == nil {
		c.line.close()
	}
	c.line = nil
	if c.server.ctx.Err() != nil {
		return // all dialogs end
	}
	c.left = time.AfterFunc(c.server.o.Grace, c.leave)
}

// leave ends the dialogs of a client that did not come back.
func (c *client) leave() {
	c.mu.Lock()
	if c.line != nil {
		c.mu.Unlock()
		return
	}
	c.abandon(ErrCallerLeft)
	c.mu.Unlock()
	c.server.mu.Lock()
	defer c.server.mu.Unlock()
	if c.server.clients[c.name] == c {
		delete(c.server.clients, c.name)
	}
}

// abandon ends all dialogs of the client. An answer that the caller did not receive
// stays for the next time. The caller holds mu.
func (c *client) abandon(cause error) {
	for id, d := range c.dialogs {
		d.cancel(cause) // an open dialog ends with it
		if d.reply != nil {
			_ = c.server.tracker.Do(d.tracked, track.Fail, cause)
			delete(c.dialogs, id)
		}
	}
}
