package geminitest_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/internal/geminitest"
)

func TestStreamText(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Turn(
		geminitest.Thought("let me see"),
		geminitest.Text("hello ", "world"),
		geminitest.Usage(7, 2, 3),
		geminitest.Finish(genai.FinishReasonMaxTokens),
	))
	c := converse(t, s)
	chunks, err := c.send(t.Context(), say("hi"))
	if err != nil {
		t.Fatal(err)
	}
	if len(chunks) != 4 {
		t.Fatalf("%d chunks, want a thought, two texts and the end", len(chunks))
	}
	if p := chunks[0].Candidates[0].Content.Parts[0]; !p.Thought || p.Text != "let me see" {
		t.Errorf("first part = %+v", p)
	}
	if got := chunks[1].Text() + chunks[2].Text(); got != "hello world" {
		t.Errorf("text = %q", got)
	}
	last := chunks[3]
	if last.Candidates[0].FinishReason != genai.FinishReasonMaxTokens {
		t.Errorf("finish reason = %q", last.Candidates[0].FinishReason)
	}
	if u := last.UsageMetadata; u.PromptTokenCount != 7 || u.CandidatesTokenCount != 2 || u.ThoughtsTokenCount != 3 || u.TotalTokenCount != 12 {
		t.Errorf("usage = %+v", u)
	}
	if last.ModelVersion != modelID || last.ResponseID != "response-1" {
		t.Errorf("model %q, response %q", last.ModelVersion, last.ResponseID)
	}
	s.Done()

	requests := s.Requests()
	if len(requests) != 1 {
		t.Fatalf("%d requests", len(requests))
	}
	r := requests[0]
	if r.Method != "streamGenerateContent" || r.Model != modelID || r.Contents[0].Parts[0].Text != "hi" || r.Refusal != "" {
		t.Errorf("request = %+v", r)
	}
	if r.Header.Get("X-Goog-Api-Key") != geminitest.DefaultKey || !bytes.Contains(r.Body, []byte(`"hi"`)) {
		t.Errorf("header %v, body %s", r.Header, r.Body)
	}
}

func TestStreamFraming(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Turn(geminitest.Text("a"), geminitest.Delay(time.Millisecond), geminitest.Call("f", nil).Unsigned()))
	res := post(t, s, "/v1beta/models/"+modelID+":streamGenerateContent?alt=sse", `{"contents":[{"parts":[{"text":"hi"}]}]}`)
	if res.header.Get("Content-Type") != "text/event-stream" {
		t.Errorf("content type = %q", res.header.Get("Content-Type"))
	}
	events := strings.Split(res.body, "\r\n\r\n")
	if len(events) != 4 || events[3] != "" {
		t.Fatalf("body = %q", res.body)
	}
	for _, event := range events[:3] {
		if !strings.HasPrefix(event, "data: {") || strings.Contains(event, "\n") {
			t.Errorf("event = %q", event)
		}
	}
	if want := `{"functionCall":{"id":"call-1","name":"f","args":{}}}`; !strings.Contains(events[1], want) {
		t.Errorf("event = %s, want %s in it", events[1], want)
	}
}

func TestUnary(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Turn(
		geminitest.Thought("hm"), geminitest.Text("hello ", "world"), geminitest.Call("look", nil),
	))
	res, err := newClient(t, s, geminitest.DefaultKey).Models.GenerateContent(t.Context(), modelID, []*genai.Content{say("hi")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	parts := res.Candidates[0].Content.Parts
	if len(parts) != 3 || !parts[0].Thought || parts[1].Text != "hello world" || parts[2].FunctionCall.Name != "look" {
		t.Errorf("parts = %+v", parts)
	}
	if res.Candidates[0].FinishReason != genai.FinishReasonStop {
		t.Errorf("finish reason = %q", res.Candidates[0].FinishReason)
	}
}

func TestHandle(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Text("from the queue"))
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		return geminitest.Text("echo " + r.Contents[len(r.Contents)-1].Parts[0].Text)
	})
	c := converse(t, s)
	for _, want := range []string{"from the queue", "echo hi"} {
		chunks, err := c.send(t.Context(), say("hi"))
		if err != nil {
			t.Fatal(err)
		}
		if got := chunks[0].Text(); got != want {
			t.Errorf("text = %q, want %q", got, want)
		}
	}
}

func TestParts(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Parts(&genai.Part{InlineData: &genai.Blob{Data: []byte{1, 2}, MIMEType: "image/png"}}))
	chunks, err := converse(t, s).send(t.Context(), say("draw"))
	if err != nil {
		t.Fatal(err)
	}
	if blob := chunks[0].Candidates[0].Content.Parts[0].InlineData; blob == nil || !bytes.Equal(blob.Data, []byte{1, 2}) {
		t.Errorf("inline data = %+v", blob)
	}
}

func TestBlocked(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Blocked(genai.BlockedReasonSafety))
	chunks, err := converse(t, s).send(t.Context(), say("hi"))
	if err != nil {
		t.Fatal(err)
	}
	if len(chunks) != 1 || len(chunks[0].Candidates) != 0 || chunks[0].PromptFeedback.BlockReason != genai.BlockedReasonSafety {
		t.Errorf("chunks = %+v", chunks)
	}
}

type answer struct {
	status int
	header http.Header
	body   string
}

// post sends a body unchanged, with the right key.
func post(t *testing.T, s *geminitest.Server, path, body string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Goog-Api-Key", geminitest.DefaultKey)
	return do(t, req)
}

func do(t *testing.T, req *http.Request) answer {
	t.Helper()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	res, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	content, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res.StatusCode, res.Header, string(content)}
}
