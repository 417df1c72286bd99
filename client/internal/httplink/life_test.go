package httplink

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/internal/waittest"
)

// If a request is written while the connection closes, it fails or Close waits for it. The race
// detector reported a goroutine that started while Close waited.
func TestRequestsDuringTheClose(t *testing.T) {
	s := newWeb(t, func(w http.ResponseWriter, _ seen) { w.WriteHeader(http.StatusForbidden) })
	for range 50 {
		c := open(t, Options{URL: s.URL})
		var writes sync.WaitGroup
		for n := range 4 {
			writes.Go(func() {
				id, err := jsonrpc.MakeID(float64(n + 1))
				if err != nil {
					t.Error(err)
				}
				for c.Write(t.Context(), &jsonrpc.Request{ID: id, Method: "ping", Params: json.RawMessage("{}")}) == nil {
				}
			})
		}
		_ = c.Close()
		waittest.Return(t, "the writes fail after the close", writes.Wait)
		if c.start(func() {}) {
			t.Fatal("a goroutine began after the end")
		}
	}
}

// A command that ended during a call closed its connection before it sent the cancellation, so the
// server continued the work.
func TestTheCancellationArrivesBeforeTheClose(t *testing.T) {
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		if r.mcp() == "tools/call" {
			<-r.Context().Done()
		}
		w.WriteHeader(http.StatusAccepted)
	})
	id, err := jsonrpc.MakeID(1.0)
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		c := open(t, Options{URL: s.URL})
		for _, m := range []*jsonrpc.Request{
			{ID: id, Method: "tools/call", Params: json.RawMessage("{}")},
			{Method: "notifications/cancelled", Params: json.RawMessage(`{"requestId":1}`)},
		} {
			if err := c.Write(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		_ = c.Close()
	}
	if n := strings.Count(strings.Join(s.requests(), "\n"), "notifications/cancelled"); n != 20 {
		t.Errorf("%d of 20 cancellations arrived", n)
	}
}
