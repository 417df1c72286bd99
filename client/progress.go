package client

import (
	"bytes"
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"goated/client/internal/jsonscan"
	"goated/client/internal/limits"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// calls are the calls that run on one server, by their progress tokens.
type calls struct {
	mu   sync.Mutex
	last int
	now  map[string]*throttle
}

// begin makes a token for a call. Tokens are not reused: late progress reaches no other
// call.
func (c *calls) begin(r *throttle) (token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	token = "call-" + strconv.Itoa(c.last)
	if c.now == nil {
		c.now = make(map[string]*throttle)
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

func (c *calls) of(token any) *throttle {
	name, _ := token.(string)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now[name]
}

// only is the running call; nil if there is none or more than one.
func (c *calls) only() *throttle {
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
		p := progressOf(req.Params)
		if r := s.calls.of(p.ProgressToken); r != nil {
			r.progress(&p)
			return limits.Used
		}
		return limits.Spare
	case "notifications/message":
		// A log line does not say which call it is of: it is known only while
		// one alone runs.
		if r := s.calls.only(); r != nil {
			r.log(logLine(req.Params))
			return limits.Used
		}
		return limits.Spare
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
		if s.listed.Load() {
			req.Method, req.Params = "notifications/tools/list_changed", nil
		}
		return limits.Deliver
	case "notifications/cancelled", "notifications/elicitation/complete":
		return limits.Deliver
	}
	return limits.Unknown // and the SDK would throw it away, one by one
}

// progressOf decodes a progress notification. It compares names exactly.
func progressOf(params []byte) (p mcp.ProgressNotificationParams) {
	number := func(value []byte) (n float64) {
		if len(value) <= jsonscan.MaxName {
			_ = json.Unmarshal(value, &n)
		}
		return n
	}
	jsonscan.Members(params, func(key, value []byte) {
		switch string(key) {
		case "progressToken":
			if len(value) <= jsonscan.MaxName {
				p.ProgressToken = jsonscan.Unquote(value)
			}
		case "progress":
			p.Progress = number(value)
		case "total":
			p.Total = number(value)
		case "message":
			p.Message = jsonscan.Unquote(value)
		}
	})
	return p
}

// logLine is the text of a log message.
func logLine(params []byte) string {
	var level, line string
	jsonscan.Members(params, func(key, value []byte) {
		switch string(key) {
		case "level":
			level = jsonscan.Unquote(value)
		case "data":
			line = jsonscan.Unquote(value)
			if value[0] != '"' {
				line = compact(value)
			}
		}
	})
	switch level {
	case "", "debug", "info", "notice":
		return line
	}
	return level + ": " + line
}

// compact is a JSON value on one line, cut to MaxText.
func compact(value []byte) string {
	if len(value) > jsonscan.MaxText {
		return string(value[:jsonscan.MaxText]) + "…"
	}
	var b bytes.Buffer
	_ = json.Compact(&b, value)
	return b.String()
}
