package openai

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"goated/agent/modeltest"
)

// Comments restart the silence timer: OpenRouter sends them while a provider thinks, and other
// services while they process a long request.
func TestCommentsAreLife(t *testing.T) {
	for _, comment := range []string{": OPENROUTER PROCESSING\n\n", ": keep-alive\n", "\n"} {
		t.Run(comment, func(t *testing.T) {
			t.Parallel()
			m := served(t, "m", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				for range 12 {
					fmt.Fprint(w, comment)
					_ = http.NewResponseController(w).Flush()
					time.Sleep(250 * time.Millisecond)
				}
				fmt.Fprint(w, saidIn("content", "stop", "Hello."))
			})
			session := sessionOf(m, box())
			session.Idle = 2 * time.Second
			if events, err := modeltest.Collect(t.Context(), session, "go"); err != nil || modeltest.Said(events) != "Hello." {
				t.Errorf("%q, %v", modeltest.Said(events), err)
			}
		})
	}
}
