package client

import (
	"strconv"
	"sync"
	"time"

	"goated/client/internal/limits"
	"goated/client/internal/toolcall"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// calls are the calls that run on one server, by their progress tokens.
type calls struct {
	mu   sync.Mutex
	last int
	now  map[string]*toolcall.Throttle
}

// begin makes a token for a call. Tokens are not reused: late progress reaches no other
// call.
func (c *calls) begin(r *toolcall.Throttle) (token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	token = string(strconv.AppendInt([]byte("call-"), int64(c.last), 10))
	if c.now == nil {
		c.now = make(map[string]*toolcall.Throttle)
	}
	c.now[token] = r
	return token
}

// end forgets a call.
func (c *calls) end(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.now, token)
}

func (c *calls) of(token any) *toolcall.Throttle {
	name, _ := token.(string)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now[name]
}

// any reports whether a call runs.
func (c *calls) any() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.now) > 0
}

// only is the running call; nil if there is none or more than one.
func (c *calls) only() *toolcall.Throttle {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.now) != 1 {
		return nil
	}
	for _, r := range c.now {
		return r
	}
	return nil
}

// notified handles a notification, and says what becomes of it. The reading goroutine
// calls it: so progress arrives before the answer that follows it, and a flood fills no
// queue.
func (s *server) notified(req *jsonrpc.Request) verdict {
	switch req.Method {
	case "notifications/progress":
		p := toolcall.Progress(req.Params)
		if r := s.calls.of(p.ProgressToken); r != nil {
			r.Progress(&p)
			return limits.Used
		}
		return limits.Spare
	case "notifications/message":
		// A log line does not say which call it is of: it is known only while
		// one alone runs.
		if r := s.calls.only(); r != nil {
			r.Log(toolcall.LogLine(req.Params))
			return limits.Used
		}
		return limits.Spare
	case "notifications/resources/updated":
		if s.followers.Updated(req.Params) {
			return limits.Used
		}
		return limits.Unknown // goated subscribed to nothing of the kind
	case "notifications/tools/list_changed":
		// One on the way to listChanged is enough; but the SDK may lose it.
		now := time.Now().UnixNano()
		if was := s.changing.Load(); was != 0 && now-was < int64(time.Second) {
			return limits.Spare
		}
		s.changing.Store(now)
		return limits.Deliver
	case "notifications/subscriptions/acknowledged":
		// Only from now on are changes told: those of before, since the list was
		// asked for, are made up for. The SDK does nothing of its own here.
		if s.followers.Acknowledged(req.Params) {
			return limits.Used
		}
		if s.listed.Load() {
			req.Method, req.Params = "notifications/tools/list_changed", nil
		}
		return limits.Deliver
	case "notifications/cancelled", "notifications/elicitation/complete":
		return limits.Deliver
	}
	return limits.Unknown // and the SDK would throw it away, one by one
}
