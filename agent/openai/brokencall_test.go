package openai

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"goated/agent"
	"goated/agent/modeltest"
)

// Groq checks the calls of a model, and answers with an error instead of a broken one. The session asks
// again, as for a broken call of any other service.
func TestACallThatTheServiceRefuses(t *testing.T) {
	const body = `{"error":{"message":"Failed to call a function.","type":"invalid_request_error","code":"tool_use_failed","failed_generation":"<function=x{}>"}}`
	whole := func(w http.ResponseWriter) {
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprint(w, body)
	}
	streamed := func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"I look.\"}}]}\n\nevent: error\ndata: %s\n\n", body)
	}
	for name, refuse := range map[string]func(http.ResponseWriter){"whole": whole, "streamed": streamed} {
		for times, kind := range map[int]agent.FailureKind{1: "", 9: agent.CallBroken} {
			asked := 0
			m := served(t, "groq", func(w http.ResponseWriter, _ *http.Request) {
				if asked++; asked <= times {
					refuse(w)
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
			})
			events, err := modeltest.Collect(t.Context(), sessionOf(m, box()), "go")
			if modeltest.KindOf(err) != kind || kind == "" && !strings.HasSuffix(modeltest.Said(events), "Done.") || asked > 3 {
				t.Errorf("%s, %d times: %v after %d requests", name, times, err, asked)
			}
		}
	}
}
