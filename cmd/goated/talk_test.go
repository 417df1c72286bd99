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

	"goated/internal/geminitest"
)

// talk runs "goated chat" with lines for its prompt.
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

// In the terminal a conversation gets another model and instructions, which a resumed one
// still has; a summary of it can be undone after a restart.
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

// A model of a service on this computer answers a conversation that Gemini began.
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
