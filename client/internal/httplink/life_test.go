package httplink

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"goated/internal/waittest"
)

// A request that is written while the connection closes fails, or is waited for. The race detector
// saw its goroutine begin while Close waited.
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
