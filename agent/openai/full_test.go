package openai

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"goated/agent"
	"goated/agent/modeltest"
)

// The refusal of a request that is larger than the model's context reveals its size. The session
// shortens the conversation, retries once, and respects the size from then on.
func TestContextIsLearnt(t *testing.T) {
	for _, tt := range []struct {
		name   string
		status int
		body   string
	}{
		{"llama.cpp", 400, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9000,"n_ctx":4096}}`},
		{"vLLM", 400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 9000 tokens in the messages.","type":"BadRequestError","code":400}`},
		{"OpenAI", 400, `{"error":{"message":"This model's maximum context length is 4096 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`},
		{"Ollama", 400, `{"error":{"message":"the input length exceeds the context length","type":"invalid_request_error"}}`},
		{"LM Studio", 400, `{"error":"Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough."}`},
		{"within the stream", 200, `{"error":{"code":400,"message":"the request exceeds the available context size","n_ctx":4096}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			refused := 0
			m := served(t, "m", func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				if len(body) > 4096*4 {
					refused++
					w.WriteHeader(tt.status)
					fmt.Fprint(w, tt.body)
					return
				}
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, saidIn("content", "stop", "Fine."))
			})
			session := sessionOf(m, box())
			for i := range 12 {
				events, err := modeltest.Collect(t.Context(), session, strings.Repeat("word ", 700))
				if err != nil || modeltest.Said(events) != "Fine." {
					t.Fatalf("turn %d: %q, %v", i, modeltest.Said(events), err)
				}
			}
			if refused != 1 || len(session.History()) != 24 {
				t.Errorf("%d requests were refused; the history has %d contents", refused, len(session.History()))
			}
		})
	}
}

// If the message alone is larger than the context, the turn fails after two requests, and the
// failure contains the size.
func TestMessageLargerThanTheContext(t *testing.T) {
	asked := 0
	m := served(t, "m", func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(400)
		fmt.Fprint(w, `{"error":{"message":"This model's maximum context length is 4096 tokens.","code":"context_length_exceeded"}}`)
	})
	_, err := modeltest.Collect(t.Context(), sessionOf(m, box()), strings.Repeat("word ", 7000))
	if f, ok := err.(*agent.Failure); !ok || f.Kind != agent.ContextFull || f.Window != 4096 || asked > 3 {
		t.Errorf("%v after %d requests", err, asked)
	}
}
