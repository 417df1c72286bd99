package openai_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/agent"
	"goated/agent/modeltest"
	"goated/agent/openai"
	"goated/internal/geminitest"
)

// Every provider passes the same tests.
func TestProviders(t *testing.T) {
	for name, serve := range map[string]modeltest.Serve{"gemini": overGemini, "openai": overOpenAI} {
		t.Run(name, func(t *testing.T) { modeltest.Run(t, serve) })
	}
}

// A conversation can continue with a model of the other provider, in both directions.
func TestChangeOfProvider(t *testing.T) {
	modeltest.Change(t, overOpenAI, overGemini)
}

// refusedLetter matches the characters that OpenAI's interface refuses in function names.
var refusedLetter = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// overGemini serves the answers as Gemini does.
func overGemini(t *testing.T, answers ...modeltest.Answer) (agent.Model, func() int) {
	s := geminitest.New(t)
	for _, a := range answers {
		var steps, calls []geminitest.Reply
		if a.Thought != "" {
			steps = append(steps, geminitest.Thought(a.Thought))
		}
		if a.Text != "" {
			steps = append(steps, geminitest.Text(a.Text[:1], a.Text[1:]))
		}
		for _, args := range a.Calls {
			if modeltest.Broken(args) {
				steps = append(steps, geminitest.Finish("MALFORMED_FUNCTION_CALL"))
				continue
			}
			calls = append(calls, geminitest.Call(modeltest.Tool, args))
		}
		if len(calls) > 0 {
			steps = append(steps, geminitest.Calls(calls...))
		}
		switch a.Fault {
		case modeltest.Cut:
			steps = append(steps, geminitest.Unfinished())
		case modeltest.Silent:
			steps = append(steps, geminitest.Hang())
		case modeltest.RateLimit:
			steps = []geminitest.Reply{geminitest.MinuteQuota(time.Second)}
		case modeltest.WrongKey:
			steps = []geminitest.Reply{geminitest.BadKey()}
		case modeltest.OutputLimit:
			steps = append(steps, geminitest.Finish("MAX_TOKENS"))
		}
		s.Script(geminitest.Turn(steps...))
	}
	m, err := agent.NewGemini(t.Context(), agent.GeminiOptions{Key: modeltest.Key, BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	return m, func() int { return len(s.Requests()) }
}

// An openAIServer is a strict local service with OpenAI's chat interface.
type openAIServer struct {
	t       *testing.T
	mu      sync.Mutex
	answers []modeltest.Answer
	bodies  []string
	calls   int
	closed  chan struct{}
}

func overOpenAI(t *testing.T, answers ...modeltest.Answer) (agent.Model, func() int) {
	s := &openAIServer{t: t, answers: answers, closed: make(chan struct{})}
	server := httptest.NewServer(s)
	transport := &http.Transport{}
	t.Cleanup(func() {
		close(s.closed)
		transport.CloseIdleConnections()
		server.Close()
	})
	m, err := openai.New(openai.Options{BaseURL: server.URL + "/v1", Key: modeltest.Key, Model: "local", HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	return m, func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.bodies)
	}
}

// check returns an error if OpenAI would refuse the request: "An assistant message with
// 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
func (s *openAIServer) check(body []byte) error {
	var request struct {
		Model    string
		Stream   bool
		Messages []struct {
			Role       string
			Content    any
			ToolCallID string `json:"tool_call_id"`
			ToolCalls  []struct {
				ID, Type string
				Function struct{ Name, Arguments string }
			} `json:"tool_calls"`
		}
		Tools []struct {
			Type     string
			Function struct {
				Name       string
				Parameters map[string]any
			}
		}
	}
	if err := json.Unmarshal(body, &request); err != nil {
		return err
	}
	if request.Model == "" || !request.Stream || len(request.Messages) == 0 {
		return fmt.Errorf("the request is %s", body)
	}
	for _, f := range request.Tools {
		if f.Type != "function" || refusedLetter.MatchString(f.Function.Name) || len(f.Function.Name) > 64 || f.Function.Parameters["type"] != "object" {
			return fmt.Errorf("the tool is %+v", f)
		}
	}
	var open []string
	for i, m := range request.Messages {
		if m.Role == "tool" {
			if len(open) == 0 || open[0] != m.ToolCallID {
				return fmt.Errorf("message %d answers %q, open are %q", i, m.ToolCallID, open)
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			return fmt.Errorf("message %d comes before the answers to %q", i, open)
		}
		for _, c := range m.ToolCalls {
			if c.ID == "" || c.Type != "function" || !json.Valid([]byte(c.Function.Arguments)) {
				return fmt.Errorf("message %d has the call %+v", i, c)
			}
			open = append(open, c.ID)
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("no answers to %q", open)
	}
	return nil
}

func (s *openAIServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/v1/models" {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"object":"list","data":[{"id":"zeta"},{"id":"alpha"}]}`)
		return
	}
	body := new(strings.Builder)
	decoder := json.NewDecoder(r.Body)
	var raw json.RawMessage
	_ = decoder.Decode(&raw)
	body.Write(raw)
	s.mu.Lock()
	s.bodies = append(s.bodies, body.String())
	var a modeltest.Answer
	if len(s.answers) > 0 {
		a, s.answers = s.answers[0], s.answers[1:]
	}
	s.mu.Unlock()
	if err := s.check(raw); err != nil || r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+modeltest.Key {
		s.t.Errorf("%s: OpenAI would refuse the request: %v", r.URL.Path, err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	switch a.Fault {
	case modeltest.RateLimit:
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}`)
		return
	case modeltest.WrongKey:
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":{"message":"Incorrect API key provided: `+modeltest.Key+`","code":"invalid_api_key"}}`)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	send := func(v map[string]any) {
		v["model"], v["object"] = "local", "chat.completion.chunk"
		data, _ := json.Marshal(v)
		fmt.Fprintf(w, "data: %s\n\n", data)
		_ = http.NewResponseController(w).Flush()
	}
	delta := func(d map[string]any) {
		send(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": d}}})
	}
	if a.Thought != "" {
		delta(map[string]any{"reasoning_content": a.Thought})
	}
	for _, r := range a.Text {
		delta(map[string]any{"content": string(r)})
	}
	for i, args := range a.Calls {
		s.mu.Lock()
		s.calls++
		id := fmt.Sprint("local-", s.calls)
		s.mu.Unlock()
		data, _ := json.Marshal(args)
		if modeltest.Broken(args) {
			data = []byte(`{"n": `)
		}
		delta(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": id, "type": "function", "function": map[string]any{"name": modeltest.Tool, "arguments": ""}}}})
		for _, piece := range []string{string(data[:len(data)/2]), string(data[len(data)/2:])} {
			delta(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": piece}}}})
		}
	}
	switch a.Fault {
	case modeltest.Silent:
		select {
		case <-r.Context().Done():
		case <-s.closed:
		}
		return
	case modeltest.Cut:
		return
	}
	reason := "stop"
	if len(a.Calls) > 0 {
		reason = "tool_calls"
	}
	if a.Fault == modeltest.OutputLimit {
		reason = "length"
	}
	send(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reason}}})
	send(map[string]any{"choices": []any{}, "usage": map[string]any{"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}})
	fmt.Fprint(w, "data: [DONE]\n\n")
}
