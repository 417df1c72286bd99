package openai

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"goated/agent/modeltest"
)

// A complete answer counts, regardless of what its stream does after finish_reason.
func TestWholeAnswersAreKept(t *testing.T) {
	for name, after := range map[string]func(r *http.Request){
		"hangs":  func(r *http.Request) { <-r.Context().Done() },
		"breaks": func(*http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := served(t, "m", func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"Hello."},"finish_reason":"stop"}]}`+"\n\n")
				_ = http.NewResponseController(w).Flush()
				after(r)
			})
			session := sessionOf(m, box())
			session.Idle = time.Second
			if events, err := modeltest.Collect(t.Context(), session, "hi"); err != nil || modeltest.Said(events) != "Hello." {
				t.Errorf("%q, %v", modeltest.Said(events), err)
			}
		})
	}
}
