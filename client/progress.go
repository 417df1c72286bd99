package client

import (
	"encoding/json"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// calls are the calls that run on one server, by their progress tokens.
type calls struct {
	mu   sync.Mutex
	last int
	now  map[string]*relay
}

// begin makes a token for a call. It is never used again, so that what comes
// late reaches no other call.
func (c *calls) begin(r *relay) (token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.last++
	token = "call-" + strconv.Itoa(c.last)
	if c.now == nil {
		c.now = make(map[string]*relay)
	}
	c.now[token] = r
	return token
}

// end lets what comes from now on go nowhere.
func (c *calls) end(token string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.now, token)
}

func (c *calls) of(token any) *relay {
	name, _ := token.(string)
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now[name]
}

// only is the one call that runs, or nil if there are none or several.
func (c *calls) only() *relay {
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

// notified takes what a server tells of its calls, and reports whether it was
// that. It is called where messages are read, so that what is told before an
// answer has come through before it, and a flood of it fills no queue.
func (s *server) notified(req *jsonrpc.Request) bool {
	switch req.Method {
	case "notifications/progress":
		var p mcp.ProgressNotificationParams
		if json.Unmarshal(req.Params, &p) != nil {
			return true
		}
		if r := s.calls.of(p.ProgressToken); r != nil {
			r.progress(&p)
		}
	case "notifications/message":
		// A log line does not say which call it is of: it is known only while
		// one alone runs.
		r := s.calls.only()
		if r == nil {
			return true
		}
		var p struct {
			Level string `json:"level"`
			Data  any    `json:"data"`
		}
		if json.Unmarshal(req.Params, &p) == nil {
			r.log(logLine(p.Level, p.Data))
		}
	case "notifications/tools/list_changed":
		// One on the way to listChanged is enough; but the SDK may lose it.
		now := time.Now().UnixNano()
		if was := s.changing.Load(); was != 0 && now-was < int64(time.Second) {
			return true
		}
		s.changing.Store(now)
		return false
	case "notifications/subscriptions/acknowledged":
		// Only from now on are changes told: those of before, since the list was
		// asked for, are made up for. The SDK does nothing of its own here.
		if s.listed.Load() {
			req.Method, req.Params = "notifications/tools/list_changed", nil
		}
		return false
	default:
		return false
	}
	return true
}

// logLine is a log message as a person reads it.
func logLine(level string, data any) string {
	line, ok := data.(string)
	if !ok {
		if text, err := json.Marshal(data); err == nil {
			line = string(text)
		}
	}
	switch level {
	case "", "debug", "info", "notice":
		return line
	}
	return level + ": " + line
}
