//go:build unix

package main

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/internal/geminitest"
)

// talk runs "goated chat" with lines as its input.
func (p *place) talk(lines []string, args ...string) (out string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	cmd := p.command(ctx, append([]string{"chat", "--no-bundled"}, args...)...)
	var said bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(strings.Join(lines, "\n")+"\n"), &said, &said
	if err := cmd.Run(); err != nil {
		p.t.Errorf("%v\n%s", err, said.String())
	}
	return said.String()
}

// A conversation in the terminal gets another model and instructions, and still has them after it
// is resumed. A summary of it can be undone after a restart.
func TestTerminalChoosesModelAndInstructions(t *testing.T) {
	p := newPlace(t)
	api := p.gemini()
	api.Handle(func(r geminitest.Request) geminitest.Reply {
		if strings.Contains(string(r.Body), "You summarise the earlier part") {
			return geminitest.Text("**Requests** A short summary.")
		}
		return geminitest.Text("From " + r.Model + ".")
	})
	long := strings.Repeat("words ", 400)
	out := p.talk([]string{"hello " + long, "/model", "/model gemini-pro-latest", "/instructions Answer in French.", "and now", "/context", "/compact", "/model nonsense"})
	for _, want := range []string{"From gemini-flash-latest.", "* gemini-flash-latest", "$2.00 / $12.00", "Gemini Pro answers from your next message on.", "From gemini-pro-latest.", "4 messages", "A short summary.", `No model is called "nonsense"`} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	before := len(api.Requests())
	out = p.talk([]string{"/instructions", "go on", "/undo", "and on", "/undo"}, "--resume", "last")
	requests := api.Requests()[before:]
	if len(requests) != 2 || requests[0].Model != "gemini-pro-latest" || !strings.Contains(string(requests[0].Body), "Answer in French.") || strings.Contains(string(requests[0].Body), "words words") || !strings.Contains(string(requests[0].Body), "A short summary.") {
		t.Fatalf("%d requests, %.400s\n%s", len(requests), requests[0].Body, out)
	}
	if !strings.Contains(string(requests[1].Body), "words words") || strings.Contains(string(requests[1].Body), "A short summary.") {
		t.Errorf("after undo: %.400s", requests[1].Body)
	}
	for _, want := range []string{"Answer in French.", "From gemini-pro-latest.", "the earlier messages again", "No earlier messages are summarised."} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if refused := api.Refusals(); len(refused) > 0 {
		t.Errorf("refused: %q", refused)
	}
}

// A model of a local service answers in a conversation that Gemini began.
func TestTerminalSwitchesToALocalService(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/models":
			_, _ = w.Write([]byte(`{"data":[{"id":"llama3:8b"}]}`))
		case "/v1/chat/completions":
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte("data: {\"model\":\"llama3:8b\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"From here.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer service.Close()
	p := newPlace(t)
	api := p.gemini()
	api.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Text("From Gemini.") })
	data := t.TempDir()
	if err := os.WriteFile(filepath.Join(data, "settings.json"), []byte(`{"providers": [{"name": "Mine", "url": "`+service.URL+`/v1"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	out := p.talk([]string{"hello", "/model llama3", "again"}, "--data", data)
	for _, want := range []string{"From Gemini.", "Llama3 8B answers from your next message on.", "From here."} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
}

// After a failure, /retry continues without sending the message twice, even after a restart.
// Otherwise it creates another version of the answer. A blocked message is in no later request.
func TestTerminalRetries(t *testing.T) {
	p := newPlace(t)
	api := p.gemini()
	replies := []geminitest.Reply{
		geminitest.Fail(400, "INVALID_ARGUMENT", "no luck"), geminitest.Text("High."), geminitest.Text("Low."), geminitest.Text("Still low."),
		geminitest.Blocked(genai.BlockedReasonSafety), geminitest.Blocked(genai.BlockedReasonSafety), geminitest.Text("Fine."),
		geminitest.Fail(400, "INVALID_ARGUMENT", "no luck"), geminitest.Text("At last."),
	}
	api.Handle(func(geminitest.Request) geminitest.Reply {
		next := replies[0]
		replies = replies[1:]
		return next
	})
	out := p.talk([]string{"/retry", "the tide?", "/retry", "/retry", "and now?", "a dark request", "/retry", "a kind one", "the last?"}, "--data", filepath.Join(p.home, "D"))
	for _, want := range []string{"There is no message yet to answer again.", "no luck", "\n/retry tries again.\n", "High.", "Low.", "Still low.", "Fine."} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in\n%s", want, out)
		}
	}
	if n := strings.Count(out, "/retry tries again."); n != 2 {
		t.Errorf("it is offered %d times:\n%s", n, out)
	}
	out = p.talk([]string{"/retry"}, "--resume", "last", "--data", filepath.Join(p.home, "D"))
	if !strings.Contains(out, "At last.") || !strings.Contains(out, "\n/retry tries again.\n") {
		t.Errorf("after a restart:\n%s", out)
	}
	asked := [][]string{ // what each request contains and, with "-", does not contain
		{"the tide?"}, {"the tide?", "-High."}, {"the tide?", "-High."}, {"the tide?", "Low.", "and now?", "-High."},
		{"a dark request", "Still low."}, {"a dark request", "Still low."}, {"a kind one", "Still low.", "-a dark request"},
		{"the last?", "Fine.", "-a dark request"}, {"the last?", "Fine.", "-a dark request"},
	}
	requests := api.Requests()
	if len(requests) != len(asked) {
		t.Fatalf("%d requests:\n%s", len(requests), out)
	}
	for i, words := range asked {
		for _, word := range words {
			want := 1
			if word[0] == '-' {
				word, want = word[1:], 0
			}
			if n := strings.Count(string(requests[i].Body), `"`+word+`"`); n != want {
				t.Errorf("request %d has %q %d times: %s", i+1, word, n, requests[i].Body)
			}
		}
	}
	if refused := api.Refusals(); len(refused) > 0 {
		t.Errorf("refused: %q", refused)
	}
	thread := p.last(p.history())
	if siblings := len(thread.Turns[0].Siblings); siblings != 2 {
		t.Errorf("the first message has %d versions of its answer", siblings)
	}
}
