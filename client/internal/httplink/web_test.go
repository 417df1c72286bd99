package httplink

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"go.uber.org/goleak"

	"goated/client/internal/limits"
	"goated/internal/proc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A seen is a request that the server received.
type seen struct {
	*http.Request
	body string
}

// A web is a server whose responses a test sets, by HTTP and MCP method.
type web struct {
	*httptest.Server
	mu   sync.Mutex
	seen []seen
}

func newWeb(t *testing.T, answer func(w http.ResponseWriter, r seen)) *web {
	t.Helper()
	s := &web{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.mu.Lock()
		s.seen = append(s.seen, seen{r, string(body)})
		s.mu.Unlock()
		answer(w, seen{r, string(body)})
	}))
	t.Cleanup(s.Close)
	return s
}

// requests returns the requests so far, each as "METHOD method-or-path".
func (s *web) requests() (list []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.seen {
		list = append(list, r.Method+" "+r.mcp())
	}
	return list
}

// mcp returns the MCP method of the message.
func (r seen) mcp() string {
	var m struct{ Method string }
	_ = json.Unmarshal([]byte(r.body), &m)
	return m.Method
}

// id returns the JSON id of the message.
func (r seen) id() string {
	var m struct{ ID json.RawMessage }
	_ = json.Unmarshal([]byte(r.body), &m)
	return string(m.ID)
}

func open(t *testing.T, o Options) *Conn {
	t.Helper()
	if o.MaxFrame == 0 {
		o.MaxFrame = 1 << 20
	}
	o.Log, o.Changed = new(proc.LogRing), func() {}
	if o.Notified == nil {
		o.Notified = func(*jsonrpc.Request) limits.Verdict { return limits.Deliver }
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// ask sends a request and returns the next response.
func ask(t *testing.T, c *Conn, id int, method, params string) *jsonrpc.Response {
	t.Helper()
	number, _ := jsonrpc.MakeID(float64(id))
	if err := c.Write(t.Context(), &jsonrpc.Request{ID: number, Method: method, Params: json.RawMessage(params)}); err != nil {
		t.Fatal(err)
	}
	return answer(t, c)
}

func answer(t *testing.T, c *Conn) *jsonrpc.Response {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		msg, err := c.Read(ctx)
		if err != nil {
			t.Fatalf("%v; the fault is %v", err, c.Fault())
		}
		if r, ok := msg.(*jsonrpc.Response); ok {
			return r
		}
	}
}

const hello = `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`

// welcome responds to initialize and its notification like a server with sessions.
func welcome(w http.ResponseWriter, r seen) bool {
	switch {
	case r.Method == http.MethodDelete:
	case r.mcp() == "initialize":
		w.Header().Set(sessionHeader, "session-1")
		result(w, r, `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"web","version":"1"}}`)
	case r.mcp() == "notifications/initialized":
		w.WriteHeader(http.StatusAccepted)
	default:
		return false
	}
	return true
}

func result(w http.ResponseWriter, r seen, text string) {
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, r.id(), text)
}

func stream(w http.ResponseWriter, events string) {
	w.Header().Set("Content-Type", "text/event-stream")
	_, _ = io.WriteString(w, events)
	w.(http.Flusher).Flush()
}

func initialized(t *testing.T, c *Conn) {
	t.Helper()
	if r := ask(t, c, 1, "initialize", hello); r.Error != nil {
		t.Fatal(r.Error)
	}
	if err := c.Write(t.Context(), &jsonrpc.Request{Method: "notifications/initialized"}); err != nil {
		t.Fatal(err)
	}
}
