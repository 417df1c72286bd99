package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"goated/internal/models"
)

// This is a conversation with a service that has OpenAI's chat interface: goated finds its model,
// sends its key, and prints the answer.
func TestEndpoint(t *testing.T) {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer open-secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		if r.URL.Path == "/v1/models" {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"object":"list","data":[{"id":"llama3"}]}`)
			return
		}
		body, _ := io.ReadAll(r.Body)
		if !strings.Contains(string(body), `"model":"llama3"`) {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"model\":\"llama3\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hello from here.\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer service.Close()
	p := newPlace(t)
	p.env = append(p.env, models.KeyVariable+"=open-secret")
	out, aside, code := p.run("chat", "-p", "hello", "--no-bundled", "--endpoint", service.URL+"/v1")
	if code != 0 || !strings.Contains(out, "Hello from here.") || strings.Contains(out+aside, "open-secret") {
		t.Errorf("status %d, %q\n%s", code, out, aside)
	}
	if out, aside, code := p.run("models", "--endpoint", service.URL+"/v1"); code != 0 || out != "* llama3    Free\n" {
		t.Errorf("models: status %d, %q, %s", code, out, aside)
	}
	if _, aside, code := p.run("chat", "-p", "hello", "--no-bundled", "--endpoint", "localhost"); code != 1 || !strings.Contains(aside, "is not a URL") {
		t.Errorf("a wrong endpoint: status %d, %s", code, aside)
	}
}
