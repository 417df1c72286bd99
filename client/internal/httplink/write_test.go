package httplink

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/internal/waittest"
)

// A server that does not accept a cancellation, or a response to its question, delays no call.
func TestUntakenNoticesDelayNothing(t *testing.T) {
	untaken, over := make(chan bool, 2), make(chan bool)
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		switch {
		case welcome(w, r):
		case r.mcp() == "notifications/cancelled", r.Method == http.MethodPost && r.mcp() == "":
			untaken <- true
			<-over
		case r.Method == http.MethodPost && r.id() == "2":
			<-r.Context().Done()
		case r.Method == http.MethodPost:
			result(w, r, `{}`)
		}
	})
	t.Cleanup(func() { close(over) })
	c := open(t, Options{URL: s.URL})
	initialized(t, c)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	number, _ := jsonrpc.MakeID(2.0)
	asked, _ := jsonrpc.MakeID("question")
	for _, m := range []jsonrpc.Message{
		&jsonrpc.Request{ID: number, Method: "tools/call", Params: json.RawMessage(`{}`)},
		&jsonrpc.Request{Method: "notifications/cancelled", Params: json.RawMessage(`{"requestId":2}`)},
		&jsonrpc.Response{ID: asked, Result: json.RawMessage(`{}`)},
	} {
		if err := c.Write(ctx, m); err != nil {
			t.Fatal(err)
		}
		if ctx.Err() != nil {
			t.Fatal("a message waited for one that the server did not take")
		}
	}
	waittest.Receive(t, "the server has the first notice", untaken)
	waittest.Receive(t, "the server has the second notice", untaken)
	if r := ask(t, c, 3, "tools/call", `{}`); r.Error != nil {
		t.Error(r.Error)
	}
}
