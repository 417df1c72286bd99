package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"

	"google.golang.org/genai"

	"goated/agent/wire"
)

// DefaultModel is the alias for the current flash model.
const DefaultModel = "gemini-flash-latest"

// GeminiOptions configure the connection to Gemini.
type GeminiOptions struct {
	Key        string
	Model      string // empty: DefaultModel
	BaseURL    string // empty: GOOGLE_GEMINI_BASE_URL, or Google's URL
	HTTPClient *http.Client
}

// Gemini is a [Model] that uses Google's Gemini API. It is safe for concurrent use. Requests fail
// with a [*Failure]. No error contains the key.
type Gemini struct {
	wire  *wire.Model
	model string
	key   string
}

// NewGemini prepares the model without sending a request. It returns a [*Failure] if the key is
// empty.
func NewGemini(ctx context.Context, o GeminiOptions) (*Gemini, error) {
	if o.Key == "" {
		return nil, &Failure{Kind: KeyMissing, Model: cmp.Or(o.Model, DefaultModel)}
	}
	through := *cmp.Or(o.HTTPClient, &http.Client{})
	if through.CheckRedirect == nil {
		through.CheckRedirect = wire.RefuseRedirectAway
	}
	g := &Gemini{model: cmp.Or(o.Model, DefaultModel), key: o.Key}
	var err error
	g.wire, err = wire.New(ctx, genai.ClientConfig{
		APIKey:     o.Key,
		Backend:    genai.BackendGeminiAPI, // regardless of GOOGLE_GENAI_USE_VERTEXAI
		HTTPClient: &through,
		// There are no RetryOptions: the session retries, because genai ignores how long the
		// service asks to wait.
		HTTPOptions: genai.HTTPOptions{BaseURL: o.BaseURL},
	}, g.model)
	if err != nil {
		return nil, fmt.Errorf("preparing Gemini: %w", g.redact(err))
	}
	return g, nil
}

// Name returns the model's name.
func (g *Gemini) Name() string { return g.model }

// Generate implements [Model].
func (g *Gemini) Generate(ctx context.Context, history []*genai.Content, config *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		begun := false
		if textResponses.MatchString(g.model) {
			history = besideResponses(history)
		}
		for resp, err := range g.wire.Generate(ctx, history, config) {
			if err != nil {
				yield(nil, g.failure(err, begun))
				return
			}
			begun = true
			if !yield(resp, nil) {
				return
			}
		}
	}
}

// Models returns the sorted names of the models that can generate content.
func (g *Gemini) Models(ctx context.Context) ([]string, error) {
	var names []string
	for m, err := range g.wire.Client().Models.All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("listing models: %w", g.failure(err, false))
		}
		if slices.Contains(m.SupportedActions, "generateContent") {
			names = append(names, strings.TrimPrefix(m.Name, "models/"))
		}
	}
	slices.Sort(names)
	return names, nil
}

// redact removes the key from an error, because some of genai's errors print its whole
// configuration. It keeps only the text, because a wrapped error may contain the key, too.
func (g *Gemini) redact(err error) error { return errors.New(g.hideKey(err.Error())) }

func (g *Gemini) hideKey(text string) string { return strings.ReplaceAll(text, g.key, "[key]") }
