package httplink

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/client/internal/trace"
	"goated/internal/waittest"
)

// The trace reports that goated gave up a request. Since 2026-07-28 no message cancels a request,
// and the message of older versions does not mention goated's timeout.
func TestTheTraceSaysWhatIsGivenUp(t *testing.T) {
	for _, version := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(version, func(t *testing.T) {
			s := newWeb(t, func(w http.ResponseWriter, r seen) {
				switch {
				case r.mcp() == "server/discover":
					result(w, r, `{"supportedVersions":["2026-07-28"],"capabilities":{}}`)
				case welcome(w, r):
				case r.mcp() == "tools/call":
					<-r.Context().Done()
				}
			})
			var told ends
			c := open(t, Options{URL: s.URL, Trace: trace.New("web", nil, told.add)})
			if version == "2026-07-28" {
				ask(t, c, 1, "server/discover", `{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}`)
			} else {
				initialized(t, c)
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			number, _ := jsonrpc.MakeID(2.0)
			if err := c.Write(ctx, &jsonrpc.Request{ID: number, Method: "tools/call", Params: json.RawMessage(`{}`)}); err != nil {
				t.Fatal(err)
			}
			cancel(errors.New("execution timeout"))
			_ = c.Write(t.Context(), &jsonrpc.Request{Method: "notifications/cancelled", Params: json.RawMessage(`{"requestId":2}`)})
			waittest.Until(t, "the trace says its end", func() bool { return told.of(2) == "given up: execution timeout" })
		})
	}
}

// ends collects from the trace how requests ended.
type ends struct {
	mu     sync.Mutex
	events []trace.Event
}

func (e *ends) add(ev trace.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.events = append(e.events, ev)
}

// of returns how a request ended: its response, or the reason why it has none. It is empty while
// the request waits.
func (e *ends) of(id int) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, ev := range e.events {
		var answer struct{ ID *int }
		switch {
		case ev.Unanswered == fmt.Sprint(id) && ev.Direction == trace.Sent:
			return "given up: " + string(ev.Data)
		case ev.Unanswered == fmt.Sprint(id):
			return string(ev.Data)
		case ev.Direction == trace.Received && !ev.Noise && ev.Size > len(ev.Data) && bytes.Contains(ev.Data, fmt.Appendf(nil, `"id":%d,`, id)):
			return "cut"
		case ev.Direction == trace.Received && !ev.Noise && json.Unmarshal(ev.Data, &answer) == nil && answer.ID != nil && *answer.ID == id:
			return string(ev.Data)
		}
	}
	return ""
}
