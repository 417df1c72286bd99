// Package openai is the model provider for services with OpenAI's chat interface: Ollama,
// llama.cpp, LM Studio, vLLM, OpenRouter and others.
//
// It owns the translation between genai's types and that interface: requests, all dialects of
// streams, and the kinds of failures. It must not depend on sessions, running tools, settings or
// prices.
package openai

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"google.golang.org/genai"

	"goated/agent/think"
	"goated/agent/wire"
)

// Options configure the connection to a service with OpenAI's chat interface.
type Options struct {
	BaseURL    string // such as http://localhost:11434/v1
	Key        string // empty for local services
	Model      string // the service's name for the model
	HTTPClient *http.Client
}

// Model is an [agent.Model] that uses a service with OpenAI's chat interface. It is safe for
// concurrent use. Requests fail with a [*agent.Failure]. No error contains the key.
type Model struct {
	client sdk.Client
	host   string
	model  string
	key    string
}

// New prepares the model without sending a request.
func New(o Options) (*Model, error) {
	if !strings.HasPrefix(o.BaseURL, "http://") && !strings.HasPrefix(o.BaseURL, "https://") {
		return nil, fmt.Errorf("the endpoint %q is not a URL; write one such as http://localhost:11434/v1", o.BaseURL)
	}
	if o.Model == "" {
		return nil, fmt.Errorf("no model of %s is chosen", o.BaseURL)
	}
	through := *cmp.Or(o.HTTPClient, &http.Client{})
	if through.CheckRedirect == nil {
		through.CheckRedirect = wire.RefuseRedirectAway
	}
	return &Model{
		client: sdk.NewClient(
			option.WithBaseURL(strings.TrimSuffix(o.BaseURL, "/")+"/"),
			option.WithAPIKey(cmp.Or(o.Key, "none")), // local services accept any key
			option.WithMaxRetries(0),                 // the session retries
			option.WithHTTPClient(&through),
			option.WithMiddleware(refusalMiddleware),
		),
		host: hostOf(o.BaseURL), model: o.Model, key: o.Key,
	}, nil
}

// hostOf returns the host of a URL.
func hostOf(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// Name returns the model's name.
func (m *Model) Name() string { return m.model }

// origin identifies the service and the model.
func (m *Model) origin() string { return m.host + " " + m.model }

// Models returns the names of the service's models.
func (m *Model) Models(ctx context.Context) ([]string, error) {
	page, err := m.client.Models.List(ctx)
	if err != nil {
		return nil, fmt.Errorf("listing models: %w", m.failure(err, false))
	}
	var names []string
	for _, one := range page.Data {
		names = append(names, one.ID)
	}
	slices.Sort(names)
	return names, nil
}

// Generate implements [agent.Model].
func (m *Model) Generate(ctx context.Context, history []*genai.Content, config *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		params, names, headless := translate(history, config, m.origin())
		params.Model = m.model
		var response *http.Response
		err := m.client.Post(ctx, "chat/completions", params, &response, option.WithJSONSet("stream", true))
		stream := newStream(ctx, response, err)
		defer func() { _ = stream.Close() }()
		calls := pieces{names: names, back: returnData{From: m.origin()}, text: think.Splitter{Headless: headless || think.AlwaysThinks(m.model)}}
		begun := false
		for stream.Next() {
			begun = true
			for _, resp := range calls.read(stream.Current()) {
				if !yield(resp, nil) {
					return
				}
			}
		}
		if rest := calls.heldText(); rest != nil && !yield(rest, nil) {
			return
		}
		if err := stream.Err(); err != nil {
			if broken := m.brokenCall(err); broken != nil {
				yield(broken, nil)
				return
			}
			yield(nil, m.failure(err, begun))
		}
	}
}

func (m *Model) hideKey(text string) string {
	if m.key == "" {
		return text
	}
	return strings.ReplaceAll(text, m.key, "[key]")
}
