package httplink

import (
	"net/http"
	"sync/atomic"
	"testing"
)

// A server that sets a time for the next connection may close the stream as often as it likes
// before it responds.
func TestPolledStreams(t *testing.T) {
	var polls atomic.Int32
	s := newWeb(t, func(w http.ResponseWriter, r seen) {
		switch {
		case welcome(w, r):
		case r.Method == http.MethodGet && r.Header.Get(eventHeader) == "e1":
			if polls.Add(1) <= 2*maxResumes {
				stream(w, "retry: 5\n\n")
				return
			}
			stream(w, "id: e2\ndata: {\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"n\":3}}\n\n")
		case r.Method == http.MethodGet:
			w.WriteHeader(http.StatusMethodNotAllowed)
		default:
			stream(w, "id: e1\nretry: 5\ndata:\n\n")
		}
	})
	c := open(t, Options{URL: s.URL})
	initialized(t, c)
	if r := ask(t, c, 2, "tools/call", `{"name":"x"}`); r.Error != nil || string(r.Result) != `{"n":3}` {
		t.Errorf("after %d polls: %s, %v", polls.Load(), r.Result, r.Error)
	}
}
