package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/modeltest"
	"goated/agent/turntest"
)

// served returns a model with the given name. serve answers its requests until the test ends.
func served(t *testing.T, model string, serve http.HandlerFunc) *Model {
	t.Helper()
	server, transport := httptest.NewServer(serve), &http.Transport{}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		server.Close()
	})
	m, err := New(Options{BaseURL: server.URL + "/v1", Model: model, HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// saying answers the requests with bodies, in order. It returns a session with a model of the given
// name, and a function that returns the bodies of the requests so far.
func saying(t *testing.T, model, kind string, bodies ...string) (*agent.Session, func() []string) {
	t.Helper()
	var mu sync.Mutex
	var asked []string
	m := served(t, model, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, string(body))
		if len(bodies) == 0 {
			http.Error(w, "no answer is left", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, bodies[0])
		bodies = bodies[1:]
	})
	return sessionOf(m, box()), func() []string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(asked)
	}
}

// saidIn returns a stream of deltas with pieces in the given field. It ends with the given reason.
func saidIn(field, reason string, pieces ...string) string {
	var s strings.Builder
	for _, p := range pieces {
		data, _ := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{field: p}}}})
		fmt.Fprintf(&s, "data: %s\n\n", data)
	}
	if reason != "" {
		fmt.Fprintf(&s, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", reason)
	}
	return s.String()
}

func thoughtsOf(events []agent.Event) string {
	said := ""
	for _, d := range turntest.Only[agent.ThoughtDelta](events) {
		said += d.Text
	}
	return said
}

// Services send the thoughts of a model in different fields. They are shown as thoughts, and do not
// go back to the model as its answer.
func TestThoughtsOfServices(t *testing.T) {
	const call = `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"box__x","arguments":"{}"}}]}}]}` + "\n\n"
	for _, tt := range []struct {
		name, model      string
		bodies           []string // bodies before the answer "Bye."
		thoughts, answer string
	}{
		{"tags", "qwen3:8b", []string{saidIn("content", "stop", "<think>\nSecret", " plan.\n</think>\n\nHello.")}, "Secret plan.", "Hello."},
		{"tags in pieces", "qwen3:8b", []string{saidIn("content", "stop", strings.Split("<think>\nSecret plan.\n</think>\n\nHello.", "")...)}, "Secret plan.", "Hello."},
		{"no opening tag", "deepseek-r1:7b", []string{saidIn("content", "stop", "Secret", " plan.\n</th", "ink>\n\nHello.")}, "Secret plan.", "Hello."},
		{"no opening tag, broken", "deepseek-r1:7b", []string{saidIn("content", "", "Secret", " plan."), saidIn("content", "stop", "</think>Hello.")}, "Secret plan.", "Hello."},
		{"no thoughts of a model that always thinks", "deepseek-r1:7b", []string{saidIn("content", "stop", "Hel", "lo.")}, "", "Hello."},
		{"before a call", "qwen3:8b", []string{saidIn("content", "", "<think>Secret plan.</think>\n\n") + call + saidIn("content", "tool_calls"), saidIn("content", "stop", "Hello.")}, "Secret plan.", "Hello."},
		{"reasoning", "m", []string{saidIn("reasoning", "", "Secret ", "plan.") + saidIn("content", "stop", "Hello.")}, "Secret plan.", "Hello."},
		{"reasoning_content", "m", []string{saidIn("reasoning_content", "", "Secret ", "plan.") + saidIn("content", "stop", "Hello.")}, "Secret plan.", "Hello."},
		{"a tag within the answer", "qwen3:8b", []string{saidIn("content", "stop", "Write ", "<think>", "x</think>.")}, "", "Write <think>x</think>."},
		{"a tag in code", "qwen3:8b", []string{saidIn("content", "stop", "```\n", "<think>\n", "x\n</think>\n```")}, "", "```\n<think>\nx\n</think>\n```"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			session, asked := saying(t, tt.model, "text/event-stream", append(tt.bodies, saidIn("content", "stop", "Bye."))...)
			events, err := modeltest.Collect(t.Context(), session, "hi")
			if err != nil || thoughtsOf(events) != tt.thoughts || modeltest.Said(events) != tt.answer {
				t.Fatalf("thoughts %q, answer %q, %v", thoughtsOf(events), modeltest.Said(events), err)
			}
			if _, err := modeltest.Collect(t.Context(), session, "bye"); err != nil {
				t.Fatal(err)
			}
			last := asked()[len(asked())-1]
			want, _ := json.Marshal(tt.answer)
			if strings.Contains(last, "Secret") || !strings.Contains(unescaped(last), unescaped(string(want))) {
				t.Errorf("the model gets back %s", last)
			}
		})
	}
}

// unescaped makes the JSON of two encoders comparable.
func unescaped(text string) string {
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(text)
}

// If a model leaves out the opening tag although its name does not suggest that, its first thoughts
// are shown as text. They do not go back to the model, and its next thoughts are recognized.
func TestThoughtsWithoutATagAreLearnt(t *testing.T) {
	session, asked := saying(t, "mine", "text/event-stream", saidIn("content", "stop", "Secret plan.\n</think>\n\nHello."), saidIn("content", "stop", "Another.\n", "</think>\n\nBye."))
	if _, err := modeltest.Collect(t.Context(), session, "hi"); err != nil {
		t.Fatal(err)
	}
	events, err := modeltest.Collect(t.Context(), session, "bye")
	if err != nil || thoughtsOf(events) != "Another." || modeltest.Said(events) != "Bye." {
		t.Errorf("thoughts %q, answer %q, %v", thoughtsOf(events), modeltest.Said(events), err)
	}
	if last := asked()[1]; strings.Contains(last, "Secret") || !strings.Contains(last, `"Hello."`) {
		t.Errorf("the model gets back %s", last)
	}
}

// Text that is held back does not count as silence: each piece yields a response.
func TestHeldTextIsNotSilence(t *testing.T) {
	session, _ := saying(t, "deepseek-r1", "text/event-stream", saidIn("content", "stop", "a", "b", "c", "</think>d"))
	n := 0
	for _, err := range session.Model.Generate(t.Context(), []*genai.Content{genai.NewContentFromText("hi", genai.RoleUser)}, &genai.GenerateContentConfig{}) {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if n != 5 {
		t.Errorf("5 chunks gave %d responses", n)
	}
}

// Some services send "error": null in each chunk, events without data, or the whole answer in one
// piece. None of these is an error.
func TestFormsOfAnswers(t *testing.T) {
	const whole = `{"id":"1","object":"chat.completion","model":"m","error":null,"choices":[{"index":0,"message":{"role":"assistant","content":%s,"reasoning_content":"Hm.","tool_calls":%s},"finish_reason":%s}],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}`
	for _, tt := range []struct {
		name, kind string
		bodies     []string
		calls      string
		thoughts   string
	}{
		{"error null", "text/event-stream", []string{`data: {"choices":[{"index":0,"delta":{"content":"Hello."}}],"error":null}` + "\n\n" + `data: {"error": null, "choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"}, "", ""},
		{"comments", "text/event-stream", []string{": PROCESSING\n\n" + saidIn("content", "", "Hello.") + ": PROCESSING\n\n" + saidIn("content", "stop")}, "", ""},
		{"one piece", "application/json", []string{fmt.Sprintf(whole, `"Hello."`, "null", `"stop"`)}, "", "Hm."},
		{"one piece without a reason", "application/json; charset=utf-8", []string{"\n" + fmt.Sprintf(whole, `"<think>\nYes.</think>Hello."`, "[]", "null")}, "", "Hm.Yes."},
		{"calls in one piece", "application/json", []string{
			fmt.Sprintf(whole, "null", `[{"id":"a","type":"function","function":{"name":"box__x","arguments":"{\"n\":12345678901234567890}"}},{"type":"function","function":{"name":"box__x","arguments":""}}]`, `"tool_calls"`),
			fmt.Sprintf(whole, `"Hello."`, "null", `"stop"`),
		}, `{"n":12345678901234567890}{}`, "Hm.Hm."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			session, asked := saying(t, "m", tt.kind, tt.bodies...)
			events, err := modeltest.Collect(t.Context(), session, "hi")
			calls := ""
			for _, c := range turntest.Only[agent.ToolCalled](events) {
				data, _ := json.Marshal(c.Args)
				calls += string(data)
			}
			if err != nil || modeltest.Said(events) != "Hello." || thoughtsOf(events) != tt.thoughts || calls != tt.calls || len(asked()) != len(tt.bodies) {
				t.Errorf("thoughts %q, answer %q, calls %s, %d requests, %v", thoughtsOf(events), modeltest.Said(events), calls, len(asked()), err)
			}
		})
	}
}

// The message of an error in one piece is kept, even if the HTTP status is a success.
func TestErrorInOnePiece(t *testing.T) {
	session, _ := saying(t, "m", "application/json", `{"error":{"message":"insufficient credits","code":402}}`)
	_, err := modeltest.Collect(t.Context(), session, "hi")
	if modeltest.KindOf(err) != agent.NoCredit || !strings.Contains(err.Error(), "insufficient credits") {
		t.Errorf("the error is %v", err)
	}
}
