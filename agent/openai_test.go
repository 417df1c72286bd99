package agent

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/internal/geminitest"
)

// A spoken is one answer of a model in the suite for all providers.
type spoken struct {
	thought, text string
	calls         []map[string]any // arguments of box__x; {"bad": true} makes a call that can't be read
	fault         string           // "", cut, silent, limit, key, empty, long
}

// A provider serves answers over its own protocol and returns a model for them.
type provider func(t *testing.T, answers ...spoken) (m Model, requests func() int)

// overGemini serves the answers as Gemini does.
func overGemini(t *testing.T, answers ...spoken) (Model, func() int) {
	s := geminitest.New(t)
	for _, a := range answers {
		var steps, calls []geminitest.Reply
		if a.thought != "" {
			steps = append(steps, geminitest.Thought(a.thought))
		}
		if a.text != "" {
			steps = append(steps, geminitest.Text(a.text[:1], a.text[1:]))
		}
		for _, args := range a.calls {
			if args["bad"] != nil {
				steps = append(steps, geminitest.Finish("MALFORMED_FUNCTION_CALL"))
				continue
			}
			calls = append(calls, geminitest.Call("box__x", args))
		}
		if len(calls) > 0 {
			steps = append(steps, geminitest.Calls(calls...))
		}
		switch a.fault {
		case "cut":
			steps = append(steps, geminitest.Unfinished())
		case "silent":
			steps = append(steps, geminitest.Hang())
		case "limit":
			steps = []geminitest.Reply{geminitest.MinuteQuota(time.Second)}
		case "key":
			steps = []geminitest.Reply{geminitest.BadKey()}
		case "long":
			steps = append(steps, geminitest.Finish("MAX_TOKENS"))
		}
		s.Script(geminitest.Turn(steps...))
	}
	return gemini(t, s), func() int { return len(s.Requests()) }
}

// An openAIServer is a strict local service with OpenAI's chat interface.
type openAIServer struct {
	t       *testing.T
	mu      sync.Mutex
	answers []spoken
	bodies  []string
	calls   int
	closed  chan struct{}
}

func overOpenAI(t *testing.T, answers ...spoken) (Model, func() int) {
	s := &openAIServer{t: t, answers: answers, closed: make(chan struct{})}
	server := httptest.NewServer(s)
	transport := &http.Transport{}
	t.Cleanup(func() {
		close(s.closed)
		transport.CloseIdleConnections()
		server.Close()
	})
	m, err := NewOpenAI(OpenAIOptions{BaseURL: server.URL + "/v1", Key: "test-key", Model: "local", HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		t.Fatal(err)
	}
	return m, func() int {
		s.mu.Lock()
		defer s.mu.Unlock()
		return len(s.bodies)
	}
}

// check returns what OpenAI would refuse: "An assistant message with 'tool_calls' must be
// followed by tool messages responding to each 'tool_call_id'."
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
		if f.Type != "function" || otherLetter.MatchString(f.Function.Name) || len(f.Function.Name) > 64 || f.Function.Parameters["type"] != "object" {
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
	var a spoken
	if len(s.answers) > 0 {
		a, s.answers = s.answers[0], s.answers[1:]
	}
	s.mu.Unlock()
	if err := s.check(raw); err != nil || r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer test-key" {
		s.t.Errorf("%s: OpenAI would refuse the request: %v", r.URL.Path, err)
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	switch a.fault {
	case "limit":
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(http.StatusTooManyRequests)
		fmt.Fprint(w, `{"error":{"message":"Rate limit reached","type":"requests","code":"rate_limit_exceeded"}}`)
		return
	case "key":
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprint(w, `{"error":{"message":"Incorrect API key provided: test-key","code":"invalid_api_key"}}`)
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
	if a.thought != "" {
		delta(map[string]any{"reasoning_content": a.thought})
	}
	for _, r := range a.text {
		delta(map[string]any{"content": string(r)})
	}
	for i, args := range a.calls {
		s.mu.Lock()
		s.calls++
		id := fmt.Sprint("local-", s.calls)
		s.mu.Unlock()
		data, _ := json.Marshal(args)
		if args["bad"] != nil {
			data = []byte(`{"n": `)
		}
		delta(map[string]any{"tool_calls": []any{map[string]any{"index": i, "id": id, "type": "function", "function": map[string]any{"name": "box__x", "arguments": ""}}}})
		for _, piece := range []string{string(data[:len(data)/2]), string(data[len(data)/2:])} {
			delta(map[string]any{"tool_calls": []any{map[string]any{"index": i, "function": map[string]any{"arguments": piece}}}})
		}
	}
	switch a.fault {
	case "silent":
		select {
		case <-r.Context().Done():
		case <-s.closed:
		}
		return
	case "cut":
		return
	}
	reason := "stop"
	if len(a.calls) > 0 {
		reason = "tool_calls"
	}
	if a.fault == "long" {
		reason = "length"
	}
	send(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": reason}}})
	send(map[string]any{"choices": []any{}, "usage": map[string]any{"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}})
	fmt.Fprint(w, "data: [DONE]\n\n")
}

// The suite that every provider passes: the same answers give the same turn.
func TestProviders(t *testing.T) {
	one, big := map[string]any{"n": 1}, map[string]any{"n": json.Number("12345678901234567890")}
	for _, tt := range []struct {
		name    string
		answers []spoken
		says    string
		ran     int
		kind    FailureKind
		reason  Reason
	}{
		{"text", []spoken{{thought: "Hm.", text: "Hello."}}, "Hello.", 0, "", Done},
		{"a call", []spoken{{text: "I look.", calls: []map[string]any{one}}, {text: "Done."}}, "I look.Done.", 1, "", Done},
		{"parallel calls", []spoken{{calls: []map[string]any{one, {}, big}}, {text: "Done."}}, "Done.", 3, "", Done},
		{"steps", []spoken{{calls: []map[string]any{one}}, {calls: []map[string]any{one, one}}, {text: "Done."}}, "Done.", 3, "", Done},
		{"broken call, then a good one", []spoken{{calls: []map[string]any{{"bad": true}}}, {calls: []map[string]any{one}}, {text: "Done."}}, "Done.", 1, "", Done},
		{"empty, then an answer", []spoken{{}, {text: "Done."}}, "Done.", 0, "", Done},
		{"only thoughts", []spoken{{thought: "Hm."}, {thought: "Hm."}, {thought: "Hm."}}, "", 0, OnlyThoughts, ""},
		{"cut", []spoken{{text: "Half", fault: "cut"}}, "Half", 0, AnswerCut, ""},
		{"cut after a call", []spoken{{calls: []map[string]any{one}, fault: "cut"}, {text: "Done."}}, "Done.", 0, "", Done},
		{"silent", []spoken{{text: "Half", fault: "silent"}}, "Half", 0, Silent, ""},
		{"output limit", []spoken{{text: "Half", fault: "long"}}, "Half", 0, "", Truncated},
		{"rate limit", []spoken{{fault: "limit"}, {text: "Done."}}, "Done.", 0, "", Done},
		{"wrong key", []spoken{{fault: "key"}}, "", 0, KeyRefused, ""},
	} {
		for name, over := range map[string]provider{"gemini": overGemini, "openai": overOpenAI} {
			t.Run(tt.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				model, requests := over(t, tt.answers...)
				box := tools(echo, "x")
				session := &Session{Model: model, Tools: box, Approve: each(allowAll), System: "Be brief.", Idle: 10 * time.Second}
				if tt.kind == Silent {
					session.Idle = 100 * time.Millisecond
				}
				events, err := collect(t.Context(), session, "go")
				if kindOfFailure(err) != tt.kind || (err == nil) != (tt.kind == "") {
					t.Fatalf("the error is %v, want the kind %q", err, tt.kind)
				}
				if err != nil && strings.Contains(err.Error(), "test-key") {
					t.Errorf("the error holds the key: %v", err)
				}
				if answerOf(events) != tt.says || len(box.calls) != tt.ran || requests() != len(tt.answers) {
					t.Errorf("it says %q, ran %d calls, made %d requests", answerOf(events), len(box.calls), requests())
				}
				if ends := only[TurnEnded](events); err == nil && (len(ends) != 1 || ends[0].Reason != tt.reason || ends[0].Usage.Prompt == 0) {
					t.Errorf("it ends with %+v", ends)
				}
				for _, c := range only[ToolCalled](events) {
					if n := fmt.Sprint(c.Args["n"]); len(n) > 10 && n != "12345678901234567890" {
						t.Errorf("the number is %s", n)
					}
				}
				if err := checkHistory(session.History()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// A conversation goes on with a model of the other provider, in both directions.
func TestChangeOfProvider(t *testing.T) {
	local, _ := overOpenAI(t, spoken{calls: []map[string]any{{"n": 1}}}, spoken{text: "One."}, spoken{text: "Three."})
	s := geminitest.New(t)
	s.Script(geminitest.Turn(geminitest.Text("I call."), geminitest.Call("box__x", nil)), geminitest.Text("Two."))
	session := &Session{Tools: tools(echo, "x"), Approve: each(allowAll)}
	for i, m := range []Model{local, gemini(t, s), local} {
		session.Model = m
		if _, err := collect(t.Context(), session, "go on"); err != nil {
			t.Fatalf("turn %d: %v", i, err)
		}
	}
}

// Images go to the service as data; names of tools get letters that it takes.
func TestOpenAIRequest(t *testing.T) {
	config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{
		{Name: "a.b", ParametersJsonSchema: map[string]any{"type": "object"}}, {Name: "a:b", ParametersJsonSchema: map[string]any{"type": "object"}},
	}}}}
	params, names := openAIParams([]*genai.Content{{Role: genai.RoleUser, Parts: []*genai.Part{
		genai.NewPartFromText("look"), genai.NewPartFromBytes(tinyPicture(), "image/png"), genai.NewPartFromBytes([]byte{1}, "application/pdf"),
	}}}, config)
	data, _ := json.Marshal(params)
	if len(names) != 2 || !strings.Contains(string(data), "data:image/png;base64,") || !strings.Contains(string(data), "application/pdf, which this model can't read") {
		t.Errorf("%v, %s", names, data)
	}
	for name, ours := range names {
		if otherLetter.MatchString(name) || !strings.Contains("a.b a:b", ours) {
			t.Errorf("%q stands for %q", name, ours)
		}
	}
}

func TestWrongEndpointsAreRefused(t *testing.T) {
	for _, o := range []OpenAIOptions{{BaseURL: "localhost", Model: "m"}, {BaseURL: "http://localhost"}} {
		if _, err := NewOpenAI(o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
}
