package openai

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"goated/agent"
	"goated/agent/modeltest"
	"goated/agent/turntest"
)

// A model that does not support tools answers without them, regardless of the service's error
// message. The user gets the reason.
func TestModelsWithoutToolsAnswer(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int
		body   string
	}{
		{"OpenRouter", 404, `{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.ai/docs/provider-routing","code":404}}`},
		{"llama.cpp", 500, `{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}`},
		{"Ollama", 400, `{"error":{"message":"registry.ollama.ai/library/gemma3:12b does not support tools","type":"api_error","param":null,"code":null}}`},
		{"vLLM", 400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","param":null,"code":400}`},
		{"within the stream", 200, `{"error":{"message":"This model does not support tools"}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked := 0
			m := served(t, "m", func(w http.ResponseWriter, r *http.Request) {
				asked++
				body, _ := io.ReadAll(r.Body)
				w.Header().Set("Content-Type", "application/json")
				if strings.Contains(string(body), `"tools"`) {
					w.WriteHeader(tt.status)
					fmt.Fprint(w, tt.body)
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, saidIn("content", "stop", "Hello."))
			})
			session := sessionOf(m, box())
			events, err := modeltest.Collect(t.Context(), session, "hi")
			told := turntest.Only[agent.ToolQuarantined](events)
			if err != nil || modeltest.Said(events) != "Hello." || asked != 2 || len(told) != 1 || told[0].Name != "" || told[0].Reason == "" {
				t.Errorf("%q, %v, %d requests, %+v", modeltest.Said(events), err, asked, told)
			}
			if _, err := modeltest.Collect(t.Context(), session, "again"); err != nil || asked != 3 {
				t.Errorf("the next turn: %v, %d requests", err, asked)
			}
		})
	}
}
