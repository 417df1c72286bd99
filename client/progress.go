package client

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// reportTime is the least time between two reports of one call, however fast
	// its server tells.
	reportTime = time.Second / 30
	// maxLines and maxLine bound what waits to be reported: the lines that came
	// last, and the beginning of each.
	maxLines = 100
	maxLine  = 1000
)

// A relay takes what a server tells of one call from the SDK's goroutine for
// notifications, which must never wait, to whoever wants to know. Of progress
// that comes faster than it is reported, only the last is.
type relay struct {
	report func(*mcp.ProgressNotificationParams)
	told   chan struct{} // holds a token while there is something to report
	end    chan struct{} // closed when the call is over
	done   chan struct{} // closed when nothing will be reported any more

	mu    sync.Mutex
	now   mcp.ProgressNotificationParams // without its message
	lines []string
	moved time.Time // of the last progress
}

func newRelay(report func(*mcp.ProgressNotificationParams)) *relay {
	r := &relay{report: report, told: make(chan struct{}, 1), end: make(chan struct{}), done: make(chan struct{}), moved: time.Now()}
	if report == nil {
		close(r.done)
	} else {
		go r.run()
	}
	return r
}

// run reports until the call is over, and then once more what is left.
func (r *relay) run() {
	defer close(r.done)
	pause := time.NewTimer(0)
	defer pause.Stop()
	for {
		select {
		case <-r.told:
		case <-r.end:
			select {
			case <-r.told:
				r.report(r.take())
			default:
			}
			return
		}
		r.report(r.take())
		pause.Reset(reportTime)
		select {
		case <-pause.C:
		case <-r.end:
		}
	}
}

// close ends the relay and waits until nobody is told anything any more.
func (r *relay) close() {
	close(r.end)
	<-r.done
}

func (r *relay) take() *mcp.ProgressNotificationParams {
	r.mu.Lock()
	defer r.mu.Unlock()
	p := r.now
	p.Message, r.lines = strings.Join(r.lines, "\n"), nil
	return &p
}

// progress and log never block.

func (r *relay) progress(p *mcp.ProgressNotificationParams) {
	r.mu.Lock()
	r.moved = time.Now()
	r.now.Progress, r.now.Total = p.Progress, p.Total
	r.add(p.Message)
	r.mu.Unlock()
	r.tell()
}

func (r *relay) log(line string) {
	r.mu.Lock()
	r.add(line)
	r.mu.Unlock()
	r.tell()
}

func (r *relay) tell() {
	select {
	case r.told <- struct{}{}:
	default:
	}
}

// add keeps text, line by line; the caller holds mu.
func (r *relay) add(text string) {
	if r.report == nil {
		return
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); line == "" {
			continue
		}
		if len(line) > maxLine {
			line = strings.ToValidUTF8(line[:maxLine], "") + "…"
		}
		r.lines = append(r.lines, line)
	}
	if n := len(r.lines); n > maxLines {
		r.lines = slices.Clone(r.lines[n-maxLines:])
	}
}

// idle is how long the call has been silent.
func (r *relay) idle() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return time.Since(r.moved)
}

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
