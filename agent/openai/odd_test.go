package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/modeltest"
)

// Services differ in how they stream calls and errors. Each call arrives once with its own
// arguments, and each error has its kind and message.
func TestServicesThatDiffer(t *testing.T) {
	part := func(calls string) string {
		return `{"choices":[{"index":0,"delta":{"tool_calls":[` + calls + `]}}]}`
	}
	const end = `{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}`
	for _, tt := range []struct {
		name   string
		chunks []string
		calls  string
		kind   agent.FailureKind
		words  string
	}{
		{"whole calls with the index 0 and other ids", []string{part(`{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":1}"}}`), part(`{"index":0,"id":"b","function":{"name":"x","arguments":"{\"n\":2}"}}`), end}, `x{"n":1} x{"n":2} `, "", ""},
		{"pieces with the index 0 and other ids", []string{part(`{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\""}}`), part(`{"index":0,"function":{"arguments":":1}"}}`), part(`{"index":0,"id":"b","function":{"name":"y","arguments":"{\"n\""}}`), part(`{"index":0,"function":{"arguments":":2}"}}`), end}, `x{"n":1} y{"n":2} `, "", ""},
		{"whole calls with the index 0 and no ids", []string{part(`{"index":0,"function":{"name":"x","arguments":"{}"}}`), part(`{"index":0,"function":{"name":"x","arguments":"{\"n\":2}"}}`), end}, `x{} x{"n":2} `, "", ""},
		{"the name with each piece", []string{part(`{"index":0,"id":"a","function":{"name":"x","arguments":"{\"n\":"}}`), part(`{"index":0,"id":"a","function":{"name":"x","arguments":"1}"}}`), part(`{"index":0,"id":"a","function":{"name":"x","arguments":""}}`), end}, `x{"n":1} `, "", ""},
		{"the name in pieces", []string{part(`{"index":0,"id":"a","function":{"name":"long","arguments":""}}`), part(`{"index":0,"function":{"name":"_name"}}`), part(`{"index":0,"function":{"arguments":"{}"}}`), end}, `long_name{} `, "", ""},
		{"arguments as an object", []string{part(`{"index":0,"id":"a","function":{"name":"x","arguments":{"n":12345678901234567890}}}`), end}, `x{"n":12345678901234567890} `, "", ""},
		{"arguments as a text in a text", []string{part(`{"index":0,"id":"a","function":{"name":"x","arguments":"\"{\\\"n\\\":1}\""}}`), end}, `x{"n":1} `, "", ""},
		{"the end twice", []string{part(`{"index":0,"function":{"name":"x","arguments":"{}"}}`), end, `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`}, `x{} `, "", ""},
		{"an index far away", []string{part(`{"index":90000000,"id":"a","function":{"name":"x","arguments":"{}"}}`), end}, `x{} `, "", ""},
		{"a new id with each piece", []string{part(`{"index":0,"id":"1","function":{"name":"x","arguments":""}}`), part(`{"index":0,"id":"2","function":{"arguments":"{\"n\":"}}`), part(`{"index":0,"id":"3","function":{"arguments":"1}"}}`), part(`{"index":0,"id":"4","function":{"name":"y","arguments":"{}"}}`), end}, `x{"n":1} y{} `, "", ""},
		{"the index -1", []string{part(`{"index":-1,"id":"a","function":{"name":"x","arguments":"{\"n\":1}"}}`), part(`{"index":-1,"id":"b","function":{"name":"y","arguments":"{}"}}`), end}, `x{"n":1} y{} `, "", ""},
		{"no index", []string{part(`{"id":"a","function":{"name":"x","arguments":"{\"n\":"}}`), part(`{"function":{"arguments":"1}"}}`), part(`{"id":"b","function":{"name":"y","arguments":""}}`), end}, `x{"n":1} y{} `, "", ""},
		{"a message instead of a delta", []string{`{"choices":[{"index":0,"message":{"tool_calls":[{"id":"a","function":{"name":"x","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`}, `x{} `, "", ""},
		{"an error of vLLM", []string{`{"object":"error","message":"boom","type":"BadRequestError","code":400}`}, "", agent.RequestBad, "boom"},
		{"a code as a text", []string{`{"error":{"message":"too many","code":"429"}}`}, "", agent.RateLimited, "too many"},
		{"an error of OpenRouter", []string{`{"error":{"code":429,"message":"Rate limited upstream"}}`}, "", agent.RateLimited, "Rate limited upstream"},
		{"an error of OpenRouter after text", []string{`{"choices":[{"index":0,"delta":{"content":"Half"}}]}`, `{"error":{"code":502,"message":"Provider disconnected"},"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}]}`}, "", agent.Unavailable, "Provider disconnected"},
		{"an error of Ollama", []string{`{"error":"model requires more system memory"}`}, "", agent.Unavailable, "model requires more system memory"},
		{"an error without a code after text", []string{`{"choices":[{"index":0,"delta":{"content":"Half"}}]}`, `{"error":{"message":"boom"}}`}, "", agent.AnswerCut, "boom"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := served(t, "local", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				for _, c := range tt.chunks {
					fmt.Fprintf(w, "data: %s\n\n", c)
				}
				fmt.Fprint(w, "data: [DONE]\n\n")
			})
			calls := ""
			var failed error
			for resp, err := range m.Generate(t.Context(), []*genai.Content{genai.NewContentFromText("hi", genai.RoleUser)}, &genai.GenerateContentConfig{}) {
				if failed = err; err != nil {
					break
				}
				for _, c := range resp.Candidates {
					for _, p := range c.Content.Parts {
						if p.FunctionCall != nil {
							data, _ := json.Marshal(p.FunctionCall.Args)
							calls += p.FunctionCall.Name + string(data) + " "
						}
					}
				}
			}
			if calls != tt.calls || modeltest.KindOf(failed) != tt.kind {
				t.Errorf("calls %q, %v", calls, failed)
			}
			if f := (*agent.Failure)(nil); errors.As(failed, &f) && f.Message != tt.words {
				t.Errorf("the words are %q", f.Message)
			}
		})
	}
}

// Retry-After contains seconds or a date.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for header, want := range map[string]time.Duration{
		"": 0, "2": 2 * time.Second, "1.5": 1500 * time.Millisecond, "-3": 0, "1e300": 0, "soon": 0,
		"Fri, 02 Jan 2026 03:04:35 GMT": 30 * time.Second, "Fri, 02 Jan 2026 03:04:00 GMT": 0,
	} {
		if got := retryAfter(header, now); got != want {
			t.Errorf("%q: %s, want %s", header, got, want)
		}
	}
}

// The text of an answer may be in fields other than content.
func TestFieldsOfText(t *testing.T) {
	for name, body := range map[string]string{
		"message":         `data: {"choices":[{"index":0,"message":{"content":"Hel"}}]}` + "\n\n" + `data: {"choices":[{"index":0,"message":{"content":"lo."},"finish_reason":"stop"}]}` + "\n\n",
		"message beside":  `data: {"choices":[{"index":0,"delta":{"content":"Hello."},"message":{"content":"Hello."},"finish_reason":"stop"}]}` + "\n\n",
		"null message":    `data: {"choices":[{"index":0,"delta":{"content":"Hello."},"message":null,"finish_reason":"stop"}]}` + "\n\n",
		"refusal":         `data: {"choices":[{"index":0,"delta":{"content":null,"refusal":"Hello."},"finish_reason":"stop"}]}` + "\n\n",
		"list of content": `data: {"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"Hello."}]},"finish_reason":"stop"}]}` + "\n\n",
	} {
		session, _ := saying(t, "m", "text/event-stream", body)
		if events, err := modeltest.Collect(t.Context(), session, "hi"); err != nil || modeltest.Said(events) != "Hello." {
			t.Errorf("%s: %q, %v", name, modeltest.Said(events), err)
		}
	}
	session, _ := saying(t, "m", "text/event-stream", "event: error\ndata: {\"message\":\"boom\"}\n\n")
	var events []agent.Event
	for e := range session.Send(t.Context(), genai.NewPartFromText("hi")) {
		if wait, ok := e.(agent.RetryScheduled); ok && wait.Kind == agent.Unavailable {
			return
		}
		events = append(events, e)
	}
	t.Errorf("an event of the type error: %+v", events)
}
