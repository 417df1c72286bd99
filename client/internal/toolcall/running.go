package toolcall

import (
	"context"
	"strconv"
	"sync"
	"time"
)

// maxHold bounds how long a connection waits for the user. Many HTTP clients time out after 30
// seconds. Before that, they get the refusal, which names the host.
const maxHold = 25 * time.Second

// Running holds the running calls of one server by their progress tokens. The zero value is ready
// to use. It is safe for concurrent use.
type Running struct {
	mu      sync.Mutex
	last    int
	byToken map[string]*Throttle
	burst   *burst // nil while no call runs
}

// A burst lasts from the beginning of a call until no call runs.
type burst struct {
	ended   chan struct{}   // closed at its end; nil until AskHost needs it
	refused map[string]bool // hosts that the user refused
}

// Begin creates a token for a call. It never reuses a token, so late progress does not reach
// another call.
func (c *Running) Begin(r *Throttle) (token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	token = string(strconv.AppendInt(append(make([]byte, 0, 32), "call-"...), int64(c.last), 10))
	if c.byToken == nil {
		c.byToken = make(map[string]*Throttle)
	}
	c.byToken[token] = r
	if c.burst == nil {
		c.burst = &burst{}
	}
	return token
}

// End removes a call.
func (c *Running) End(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.byToken, token)
	if len(c.byToken) == 0 && c.burst != nil {
		if c.burst.ended != nil {
			close(c.burst.ended)
		}
		c.burst = nil
	}
}

// ByToken returns the call with a token, or nil if the call has ended.
func (c *Running) ByToken(token any) *Throttle {
	name, _ := token.(string)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.byToken[name]
}

// Any reports whether a call runs.
func (c *Running) Any() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.byToken) > 0
}

// Single returns the running call, or nil if there is none or more than one.
func (c *Running) Single() *Throttle {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.byToken) != 1 {
		return nil
	}
	for _, r := range c.byToken {
		return r
	}
	return nil
}

// AskHost asks the user whether the server may reach a host, and returns the answer. Without a
// running call the answer is no. A no remains valid until no call runs. ask may block. Its context
// ends with the last call, or when a connection has waited too long.
func (c *Running) AskHost(ctx context.Context, host string, ask func(context.Context) bool) bool {
	c.mu.Lock()
	b := c.burst
	asks := b != nil && !b.refused[host]
	if asks && b.ended == nil {
		b.ended = make(chan struct{})
	}
	c.mu.Unlock()
	if !asks {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, maxHold)
	defer cancel()
	answered := make(chan struct{})
	defer close(answered)
	go func() { // ends with the answer
		select {
		case <-b.ended:
			cancel()
		case <-answered:
		}
	}()
	if ask(ctx) {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if b.refused == nil {
		b.refused = make(map[string]bool)
	}
	b.refused[host] = true
	return false
}
