package models

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/config"
	"goated/internal/modelname"
)

// serve starts a service that answers paths with JSON and requires the key, if one is given. It
// returns the service's URL.
func serve(t *testing.T, key string, answers map[string]string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if key != "" && r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		path := r.URL.Path
		if path == "/api/show" {
			var body struct{ Model string }
			_ = json.NewDecoder(r.Body).Decode(&body)
			path += " " + body.Model
		}
		body, ok := answers[path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		if strings.HasSuffix(path, "/completions") {
			w.Header().Set("Content-Type", "text/event-stream")
		}
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// Each program on this computer has its own way to report the context size and which models are in
// memory.
func TestProgramsOnThisComputerAreFound(t *testing.T) {
	list := func(names ...string) string {
		var data []string
		for _, n := range names {
			data = append(data, fmt.Sprintf(`{"id":%q,"object":"model"}`, n))
		}
		return `{"object":"list","data":[` + strings.Join(data, ",") + `]}`
	}
	ollama := serve(t, "", map[string]string{
		"/v1/models":           list("qwen3:14b", "gemma3:12b", "nomic-embed-text:latest"),
		"/api/tags":            `{"models":[{"name":"qwen3:14b","size":9300000000},{"name":"gemma3:12b","size":8100000000},{"name":"nomic-embed-text:latest","size":1}]}`,
		"/api/show qwen3:14b":  `{"model_info":{"qwen3.context_length":40960,"general.architecture":"qwen3"}}`,
		"/api/show gemma3:12b": `{"model_info":{"gemma3.context_length":131072}}`,
		"/api/ps":              `{"models":[{"name":"qwen3:14b","context_length":8192}]}`,
	})
	studio := serve(t, "", map[string]string{
		"/v1/models":     list("phi-4"),
		"/api/v0/models": `{"data":[{"id":"phi-4","state":"loaded","max_context_length":16384,"loaded_context_length":4096}]}`,
	})
	llama := serve(t, "", map[string]string{
		"/v1/models": `{"data":[{"id":"model.gguf","meta":{"n_ctx_train":32768}}]}`,
		"/props":     `{"default_generation_settings":{"n_ctx":2048}}`,
	})
	vllm := serve(t, "", map[string]string{"/v1/models": `{"data":[{"id":"meta/llama-3-8b","max_model_len":8192}]}`})
	other := serve(t, "", map[string]string{"/v1/models": `<html>not a service</html>`})
	s := &Source{urls: []local{{"Ollama", ollama + "/v1"}, {"LM Studio", studio + "/v1"}, {"llama.cpp", llama + "/v1"}, {"vLLM", vllm + "/v1"}, {"other", other + "/v1"}, {"nothing", "http://127.0.0.1:1/v1"}}}
	var got []string
	for _, g := range s.Found(t.Context(), config.Settings{}) {
		for _, e := range g.Entries {
			got = append(got, strings.Join([]string{g.Title, e.Title, e.Note, modelname.Tokens(e.Window), PriceText(e)}, "|"))
		}
	}
	want := []string{
		"On this computer · Ollama|Gemma3 12B|8.1 GB|4k|Free",
		"On this computer · Ollama|Qwen3 14B|9.3 GB · in memory|8k|Free",
		"On this computer · LM Studio|Phi 4|In memory|4k|Free",
		"On this computer · llama.cpp|Model.gguf||2k|Free",
		"On this computer · vLLM|Llama 3 8B||8k|Free",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	// The context sizes in the lists limit the requests.
	if w := s.Open(config.Settings{}, config.ModelRef{Service: ollama + "/v1", Name: "qwen3:14b"}).Window(); w != 8192 {
		t.Errorf("the window is %d", w)
	}
	small := config.Settings{Service: config.Service{ContextLimit: 3000}}
	if w := s.Open(small, config.ModelRef{Service: ollama + "/v1", Name: "gemma3:12b"}).Window(); w != 4000 {
		t.Errorf("with a limit the window is %d", w)
	}
}

// A service that the user added is listed with its key and prices, or with the reason if it fails.
func TestServicesOfTheUser(t *testing.T) {
	answers := map[string]string{
		"/v1/models":           `{"data":[{"id":"anthropic/claude","name":"Claude","context_length":200000,"pricing":{"prompt":"0.000003","completion":"0.000015","input_cache_read":"0.0000003"}},{"id":"x/free","pricing":{"prompt":"0","completion":"0"}}]}`,
		"/v1/chat/completions": "data: {\"model\":\"anthropic/claude\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
	}
	url := serve(t, "sk-secret", answers) + "/v1"
	settings := config.Settings{}.WithProvider(config.Provider{Name: "Router", URL: url + "/", Key: "ref", Prices: map[string]config.Price{"x/free": {Input: 1, Output: 2}}})
	right := true
	s := &Source{urls: []local{}, Secret: func(ref string) (string, error) {
		if ref != "ref" {
			return "", errors.New("unknown")
		}
		if right {
			return "sk-secret", nil
		}
		return "sk-wrong", nil
	}}
	g := s.Found(t.Context(), settings)
	if len(g) != 1 || g[0].Err != nil || g[0].Title != "Router" || len(g[0].Entries) != 2 {
		t.Fatalf("%+v", g)
	}
	if e := g[0].Entries[0]; e.Title != "Claude" || e.Window != 200000 || PriceText(e) != "$3.00 / $15.00" {
		t.Errorf("%+v", e)
	}
	if e := g[0].Entries[1]; PriceText(e) != "$1.00 / $2.00" {
		t.Errorf("the user's price is %q", PriceText(e))
	}
	m := s.Open(settings, g[0].Entries[0].Ref)
	if p, ok := m.Price("anthropic/claude", 0); !ok || p.Output < 14.9 || p.Output > 15.1 {
		t.Errorf("price %+v, %t", p, ok)
	}
	if p, ok := m.Price("anthropic/claude-2026-01-01", 0); !ok || p.Output < 14.9 || p.Output > 15.1 {
		t.Errorf("the price of a version is %+v, %t", p, ok)
	}
	said := ""
	for resp, err := range m.Generate(t.Context(), genai.Text("hello"), &genai.GenerateContentConfig{}) {
		if err != nil {
			t.Fatal(err)
		}
		if len(resp.Candidates) > 0 {
			said += resp.Candidates[0].Content.Parts[0].Text
		}
	}
	if said != "Hi" {
		t.Errorf("it said %q", said)
	}
	right = false
	var f *agent.Failure
	if g := s.Found(t.Context(), settings); len(g) != 1 || !errors.As(g[0].Err, &f) || f.Kind != agent.KeyRefused || strings.Contains(g[0].Err.Error(), "sk-wrong") {
		t.Errorf("with a wrong key: %+v", g)
	}
}

// A conversation whose key was refused goes on with the key that the user sets afterwards.
func TestReplacedKeyIsReadAgain(t *testing.T) {
	url := serve(t, "sk-right", map[string]string{
		"/v1/chat/completions": "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n",
	}) + "/v1"
	key := "sk-wrong"
	s := &Source{Secret: func(string) (string, error) { return key, nil }}
	m := s.Open(config.Settings{}.WithProvider(config.Provider{Name: "Router", URL: url, Key: "ref"}), config.ModelRef{Service: url, Name: "any"})
	ask := func() (err error) {
		for _, e := range m.Generate(t.Context(), genai.Text("hello"), &genai.GenerateContentConfig{}) {
			err = e
		}
		return err
	}
	var f *agent.Failure
	if err := ask(); !errors.As(err, &f) || f.Kind != agent.KeyRefused {
		t.Fatalf("with a wrong key: %v", err)
	}
	key = "sk-right"
	if err := ask(); err != nil {
		t.Errorf("with the right key: %v", err)
	}
}

// The key of --endpoint is not sent to any other service.
func TestKeyBelongsToItsService(t *testing.T) {
	t.Setenv(KeyVariable, "sk-env")
	t.Setenv("OTHER", "sk-other")
	s := &Source{Endpoint: "https://a.example/v1/", GeminiKey: func(context.Context) string { return "g" }}
	settings := config.Settings{}.WithProvider(config.Provider{Name: "B", URL: "https://b.example/v1", KeyVariable: "OTHER"})
	for service, want := range map[string]string{"https://a.example/v1": "sk-env", "https://b.example/v1": "sk-other", "https://c.example/v1": "", "": "g"} {
		if key, _ := s.Key(t.Context(), settings, service); key != want {
			t.Errorf("%s gets %q", service, key)
		}
	}
}

func TestTitles(t *testing.T) {
	for name, want := range map[string]string{
		"gemini-3.5-flash": "Gemini 3.5 Flash", "gemini-3.1-flash-lite": "Gemini 3.1 Flash Lite", "": "Gemini Flash", "gemini-pro-latest": "Gemini Pro",
		"gemini-2.5-pro-preview-06-05": "Gemini 2.5 Pro Preview 06 05",
	} {
		if got := modelname.Title(config.ModelRef{Name: name}); got != want {
			t.Errorf("%q is %q", name, got)
		}
	}
	for name, want := range map[string]string{"qwen3:14b": "Qwen3 14B", "llama3.2:latest": "Llama3.2", "openai/gpt-oss-20b": "GPT OSS 20B", "": "h:1", "/": "/", "é-b": "é B"} {
		if got := modelname.Title(config.ModelRef{Service: "http://h:1/v1", Name: name}); got != want {
			t.Errorf("%q is %q, not %q", name, got, want)
		}
	}
}

// Find accepts the name or title of a model, or a part of either.
func TestFind(t *testing.T) {
	s := &Source{}
	groups := s.Offered(config.Settings{}, config.ModelRef{Name: "gemini-2.5-pro"})
	for name, want := range map[string]string{"gemini-3.1-pro": "gemini-3.1-pro-preview", "3.5": "gemini-3.5-flash", "Gemini 3.1 Flash Lite": "gemini-3.1-flash-lite", "2.5": "gemini-2.5-pro", "none": "", "gemini-9-ultra": "gemini-9-ultra"} {
		if e, err := Find(groups, name); err != nil || e.Ref.Name != want {
			t.Errorf("%q finds %+v, %v", name, e, err)
		}
	}
	for _, name := range []string{"flash", "gpt", ""} {
		if e, err := Find(groups, name); err == nil {
			t.Errorf("%q finds %+v", name, e)
		}
	}
	if e := groups[0].Entries[2]; modelname.Tokens(e.Window) != "1M" || PriceText(e) != "$2.00 / $12.00" {
		t.Errorf("%+v", e)
	}
}
