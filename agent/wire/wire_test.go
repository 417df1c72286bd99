package wire

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/genai"
)

// A recorded is a request as the service receives it.
type recorded struct {
	url    string
	header http.Header
	body   map[string]any
}

// service starts a service that answers each request with text, or with the next of faults. The
// function returns the requests so far.
func service(t *testing.T, faults ...http.HandlerFunc) (*Model, func() []recorded) {
	t.Helper()
	var mu sync.Mutex // each connection has its own goroutine
	var got []recorded
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		rec := recorded{url: r.URL.String(), header: r.Header.Clone()}
		rec.header.Del("Content-Length")
		if err := json.Unmarshal(data, &rec.body); err != nil {
			t.Errorf("%q: %v", data, err)
		}
		mu.Lock()
		n := len(got)
		got = append(got, rec)
		mu.Unlock()
		if n < len(faults) && faults[n] != nil {
			faults[n](w, r)
			return
		}
		_, _ = io.WriteString(w, "data: "+usual[0]+"\r\n\r\n")
	}))
	t.Cleanup(s.Close)
	m, err := New(t.Context(), genai.ClientConfig{APIKey: "key", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: s.URL}}, "m")
	if err != nil {
		t.Fatal(err)
	}
	return m, func() []recorded {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(got)
	}
}

// ask makes a request and returns the text of the answer.
func ask(ctx context.Context, m *Model, history []*genai.Content, config *genai.GenerateContentConfig) (text string, err error) {
	for resp, failed := range m.Generate(ctx, history, config) {
		if failed != nil {
			return text, failed
		}
		text += resp.Text()
	}
	return text, nil
}

// A request from a template equals the request that genai makes, and a changed configuration takes
// effect.
func TestRequestsAreGenais(t *testing.T) {
	m, got := service(t)
	history := []*genai.Content{genai.NewContentFromText("one", genai.RoleUser)}
	tools := []*genai.Tool{{FunctionDeclarations: []*genai.FunctionDeclaration{{Name: "f"}}}}
	config := func(system string, tools []*genai.Tool) *genai.GenerateContentConfig {
		return &genai.GenerateContentConfig{SystemInstruction: genai.NewContentFromText(system, genai.RoleUser), Tools: tools}
	}
	for _, c := range []struct {
		config   *genai.GenerateContentConfig
		contents int
	}{{config("a", tools), 1}, {config("a", tools), 2}, {config("b", tools), 2}, {config("b", nil), 2}, {config("b", nil), 1}} {
		contents := append(history[:1:1], genai.NewContentFromText("two", genai.RoleModel))[:c.contents]
		if text, err := ask(t.Context(), m, contents, c.config); text != "Hello" || err != nil {
			t.Fatalf("%q, %v", text, err)
		}
		fresh, want := service(t) // a model without a previous request
		if _, err := ask(t.Context(), fresh, contents, c.config); err != nil {
			t.Fatal(err)
		}
		if is, want := got()[len(got())-1], want()[0]; !reflect.DeepEqual(is, want) || len(is.body["contents"].([]any)) != c.contents {
			t.Errorf("sent\n%v\nnot\n%v", is, want)
		}
	}
}

// A request from a template returns the same errors as the first request.
func TestErrorsAreGenais(t *testing.T) {
	busy := func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(503)
		_, _ = io.WriteString(w, `{"error":{"code":503,"message":"busy","status":"UNAVAILABLE"}}`)
	}
	hangUp := func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
	m, got := service(t, busy, nil, busy, hangUp, hangUp)
	config := &genai.GenerateContentConfig{}
	history := genai.Text("hi")
	var said []string
	for range 4 {
		_, err := ask(t.Context(), m, history, config)
		var api genai.APIError
		if errors.As(err, &api); err != nil {
			said = append(said, api.Status+" "+strings.ReplaceAll(err.Error(), got()[0].url, ""))
		}
	}
	if len(said) != 3 || said[0] != said[1] || !strings.HasPrefix(said[0], "UNAVAILABLE") || strings.Count(said[2], "Post ") != 1 || !strings.Contains(said[2], "EOF") {
		t.Errorf("%q", said)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ask(cancelled, m, history, config); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// BenchmarkRequest measures one request of a conversation after n steps, without the network.
func BenchmarkRequest(b *testing.B) {
	m, _ := New(b.Context(), genai.ClientConfig{APIKey: "key", Backend: genai.BackendGeminiAPI}, "m")
	var history []*genai.Content
	for range 200 {
		history = append(history,
			&genai.Content{Role: genai.RoleModel, Parts: []*genai.Part{{FunctionCall: &genai.FunctionCall{Name: "t", Args: map[string]any{"n": 1}}}}},
			&genai.Content{Role: genai.RoleUser, Parts: []*genai.Part{{FunctionResponse: &genai.FunctionResponse{Name: "t", Response: map[string]any{"output": strings.Repeat("x", 200)}}}}})
	}
	frame := &template{request: &http.Request{}, frame: cutFrame([]byte(`{"contents":"goated:contents"}`))}
	b.ReportAllocs()
	for b.Loop() {
		p, err := m.encoder.encode(history, nil)
		if err != nil {
			b.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, frame.fill(b.Context(), p).Body)
	}
}

// BenchmarkEvent measures both decoders.
func BenchmarkEvent(b *testing.B) {
	var d decoder
	for name, decode := range map[string]func([]byte) (*genai.GenerateContentResponse, error){"usual": d.decode, "any": decodeAny} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_, _ = decode([]byte(usual[0]))
			}
		})
	}
}

// A request with a deadline is not used as a template, because genai sends the deadline to the
// service.
func TestRequestsWithADeadlineAreNoTemplate(t *testing.T) {
	m, _ := service(t)
	history := []*genai.Content{genai.NewContentFromText("hi", genai.RoleUser)}
	for _, bounded := range []bool{true, false} {
		ctx, cancel := context.WithCancel(t.Context())
		if bounded {
			ctx, cancel = context.WithTimeout(ctx, time.Minute)
		}
		if _, err := ask(ctx, m, history, &genai.GenerateContentConfig{}); err != nil {
			t.Fatal(err)
		}
		cancel()
		m.mu.Lock()
		if (m.last == nil) != bounded {
			t.Errorf("with a deadline %v: the template is %v", bounded, m.last)
		}
		m.mu.Unlock()
	}
}

// The template does not keep the context or body of the first request, which reference callbacks of the
// turn and the whole conversation.
func TestTemplateForgetsTheFirstRequest(t *testing.T) {
	m, _ := service(t)
	type turn [1 << 16]byte
	type turnKey struct{}
	gone := make(chan struct{})
	func() {
		first := new(turn)
		runtime.AddCleanup(first, func(gone chan struct{}) { close(gone) }, gone)
		if _, err := ask(context.WithValue(t.Context(), turnKey{}, first), m, genai.Text("hi"), &genai.GenerateContentConfig{}); err != nil {
			t.Fatal(err)
		}
	}()
	m.http.CloseIdleConnections()
	limit := time.After(10 * time.Second)
	for {
		runtime.GC()
		select {
		case <-gone:
			if m.last == nil {
				t.Error("the request is no template")
			}
			return
		case <-limit:
			t.Fatal("the template keeps the context of the first request")
		default:
		}
	}
}
