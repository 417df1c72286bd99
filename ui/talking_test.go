package ui_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"goated/agent"
	"goated/agent/offline"
	"goated/agent/turntest"
	"goated/internal/config"
	"goated/internal/modelname"
	"goated/internal/models"
	"goated/internal/store"
	"goated/ui"
)

// A fakeService is a service with OpenAI's chat interface. Model "busy" reaches its rate limit,
// and model "locked" refuses the key.
type fakeService struct {
	mu    sync.Mutex
	asked []string      // models, with the system instruction
	sums  func() string // writes a summary; nil: a short one; if it returns "", the service refuses the key
}

func (s *fakeService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/v1/models" {
		fmt.Fprint(w, `{"data":[{"id":"busy","context_length":8192},{"id":"quick:7b","context_length":40960,"pricing":{"prompt":"0.000001","completion":"0.000002"}}]}`)
		return
	}
	if r.URL.Path != "/v1/chat/completions" {
		http.NotFound(w, r)
		return
	}
	var body struct {
		Model    string
		Messages []struct{ Role, Content string }
	}
	_ = json.NewDecoder(r.Body).Decode(&body)
	system := ""
	for _, m := range body.Messages {
		if m.Role == "system" {
			system = m.Content
		}
	}
	s.mu.Lock()
	s.asked = append(s.asked, body.Model+"|"+system)
	s.mu.Unlock()
	if body.Model == "busy" {
		w.Header().Set("Retry-After", "34")
		w.WriteHeader(http.StatusTooManyRequests)
		return
	}
	if body.Model == "locked" {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	text := "Answer of " + body.Model
	if strings.Contains(system, "You summarise the earlier part") {
		text = "The gist of it."
		if s.sums != nil {
			text = s.sums()
		}
		if text == "" {
			http.Error(w, `{"error":{"message":"Incorrect API key provided"}}`, http.StatusUnauthorized)
			return
		}
	}
	w.Header().Set("Content-Type", "text/event-stream")
	chunk, _ := json.Marshal(map[string]any{"model": body.Model, "choices": []any{map[string]any{"index": 0, "delta": map[string]any{"content": text}, "finish_reason": "stop"}}})
	fmt.Fprintf(w, "data: %s\n\ndata: [DONE]\n\n", chunk)
}

func (s *fakeService) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) == 0 {
		return ""
	}
	return s.asked[len(s.asked)-1]
}

func (s *fakeService) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.asked)
}

// talking returns a window whose conversations a service answers, with a history at path.
func talking(t *testing.T, path, model string) (*desk, *fakeService) {
	service := &fakeService{}
	server := httptest.NewServer(service)
	t.Cleanup(server.Close)
	history := store.Start(t.Context(), path)
	t.Cleanup(func() { _ = history.Close() })
	ref := config.ModelRef{Service: server.URL + "/v1", Name: model}
	source := &models.Source{Offline: func() agent.Model { return &offline.Model{} }}
	settings := config.Settings{Welcomed: true}.WithModel(ref).WithProvider(config.Provider{Name: "House", URL: ref.Service})
	answering := func(s config.Settings) ui.Answering {
		m := source.Open(s, s.ChosenModel())
		return ui.Answering{Model: modelname.Title(s.ChosenModel()), Ref: s.ChosenModel(), NewSession: func() *agent.Session { return &agent.Session{Model: m, Tools: new(turntest.Toolbox)} }}
	}
	now := answering(settings)
	d := shown(t, ui.Options{History: history, Settings: settings, Agent: ui.AgentOptions{
		NewSession: now.NewSession, Model: now.Model, Ref: now.Ref, Models: source,
		Remake: func(_ context.Context, s config.Settings) (ui.Answering, error) { return answering(s), nil },
	}})
	return d, service
}
