package client

import (
	"context"
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

// hearTime is how long an answer waits for what was told before it.
const hearTime = 50 * time.Millisecond

// hear waits until what the server told before its answer has come through: the
// SDK hands out answers at once, and notifications from a queue.
func (s *server) hear() {
	told := s.conn.told.Load()
	for began := time.Now(); s.conn.heard.Load() < told && time.Since(began) < hearTime; {
		time.Sleep(time.Millisecond)
	}
}

// tells reports whether a message is one of those that hear waits for.
func tells(msg jsonrpc.Message) bool {
	req, ok := msg.(*jsonrpc.Request)
	return ok && (req.Method == "notifications/progress" || req.Method == "notifications/message")
}

// progressed is called by the SDK in its one goroutine for notifications.
func (s *server) progressed(_ context.Context, req *mcp.ProgressNotificationClientRequest) {
	defer s.conn.heard.Add(1)
	if r := s.calls.of(req.Params.ProgressToken); r != nil {
		r.progress(req.Params)
	}
}

// logged is called there too. A log line does not say which call it is of: it is
// known only while one alone runs.
func (s *server) logged(_ context.Context, req *mcp.LoggingMessageRequest) {
	defer s.conn.heard.Add(1)
	if r := s.calls.only(); r != nil {
		r.log(logLine(string(req.Params.Level), req.Params.Data))
	}
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
