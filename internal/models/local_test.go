package models

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"google.golang.org/genai"

	"goated/internal/config"
)

// A program that serves models reports the context size only while the model is in memory. Before
// that, goated assumes the program's default. After the first answer, it asks again.
func TestContextOfAModelThatIsLoaded(t *testing.T) {
	const answer = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
	for _, tt := range []struct {
		name          string
		before, after map[string]string
		assumed, real int
	}{
		{"Ollama", map[string]string{
			"/api/tags": `{"models":[{"name":"m","size":1}]}`, "/api/show": `{"model_info":{"qwen3.context_length":262144}}`, "/api/ps": `{"models":[]}`,
		}, map[string]string{"/api/ps": `{"models":[{"name":"m","context_length":32768}]}`}, 4096, 32768},
		{"Ollama with a small model", map[string]string{
			"/api/tags": `{"models":[{"name":"m","size":1}]}`, "/api/show": `{"model_info":{"x.context_length":2048}}`, "/api/ps": `{"models":[]}`,
		}, nil, 2048, 2048},
		{"Ollama with num_ctx", map[string]string{
			"/api/tags": `{"models":[{"name":"m","size":1}]}`, "/api/show": `{"parameters":"stop   \"<x>\"\nnum_ctx    16384\n","model_info":{"x.context_length":40960}}`, "/api/ps": `{"models":[]}`,
		}, map[string]string{"/api/ps": `{"models":[{"name":"m","context_length":16384}]}`}, 16384, 16384},
		{"LM Studio", map[string]string{
			"/api/v0/models": `{"data":[{"id":"m","state":"not-loaded","max_context_length":131072}]}`,
		}, map[string]string{"/api/v0/models": `{"data":[{"id":"m","state":"loaded","max_context_length":131072,"loaded_context_length":8192}]}`}, 4096, 8192},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var loaded atomic.Bool
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, ok := tt.before[r.URL.Path]
				if later, changed := tt.after[r.URL.Path]; changed && loaded.Load() {
					body = later
				}
				switch {
				case r.URL.Path == "/v1/models":
					body = `{"data":[{"id":"m"}]}`
				case r.URL.Path == "/v1/chat/completions":
					loaded.Store(true)
					w.Header().Set("Content-Type", "text/event-stream")
					body = answer
				case !ok:
					http.NotFound(w, r)
					return
				}
				fmt.Fprint(w, body)
			}))
			defer server.Close()
			s := &Source{urls: []local{}}
			m := s.Open(config.Settings{}, config.ModelRef{Service: server.URL + "/v1", Name: "m"})
			if _, err := m.open(t.Context()); err != nil {
				t.Fatal(err)
			}
			if w := m.Window(); w != tt.assumed {
				t.Errorf("before the model is loaded, the context is %d, want %d", w, tt.assumed)
			}
			for _, err := range m.Generate(t.Context(), genai.Text("hello"), &genai.GenerateContentConfig{}) {
				if err != nil {
					t.Fatal(err)
				}
			}
			if w := m.Window(); w != tt.real {
				t.Errorf("after an answer, the context is %d, want %d", w, tt.real)
			}
		})
	}
}
