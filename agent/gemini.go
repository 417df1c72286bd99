package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"slices"
	"strings"

	"google.golang.org/genai"
)

// DefaultModel is the alias of the current flash model.
const DefaultModel = "gemini-flash-latest"

// ErrKey says that the key was refused.
var ErrKey = errors.New("the Gemini API key was refused")

// GeminiOptions say how to reach Gemini.
type GeminiOptions struct {
	Key        string
	Model      string // empty: DefaultModel
	BaseURL    string // empty: GOOGLE_GEMINI_BASE_URL, or Google's
	HTTPClient *http.Client
}

// Gemini is the [Model] behind Google's API. It is safe for concurrent use. Its
// errors never hold the key.
type Gemini struct {
	client *genai.Client
	model  string
	key    string
}

// NewGemini prepares the model; nothing is sent.
func NewGemini(ctx context.Context, o GeminiOptions) (*Gemini, error) {
	if o.Key == "" {
		return nil, errors.New("there is no Gemini API key")
	}
	attempts := int32(3)
	client, err := genai.NewClient(ctx, &genai.ClientConfig{
		APIKey:     o.Key,
		Backend:    genai.BackendGeminiAPI, // not to be flipped by a variable of the environment
		HTTPClient: cmp.Or(o.HTTPClient, &http.Client{CheckRedirect: stay}),
		HTTPOptions: genai.HTTPOptions{
			BaseURL: o.BaseURL,
			// Overload passes, before the stream starts.
			RetryOptions: &genai.HTTPRetryOptions{Attempts: &attempts},
		},
	})
	g := &Gemini{client: client, model: cmp.Or(o.Model, DefaultModel), key: o.Key}
	if err != nil {
		return nil, fmt.Errorf("preparing Gemini: %w", g.redact(err))
	}
	return g, nil
}

// stay follows no redirect to another host: net/http would send the key along.
func stay(to *http.Request, via []*http.Request) error {
	if from := via[0].URL; to.URL.Scheme != from.Scheme || to.URL.Host != from.Host {
		return fmt.Errorf("%s wants the request to go to %s, which does not get the key", from.Host, to.URL.Host)
	}
	if len(via) >= 10 {
		return errors.New("there are more than 10 redirects")
	}
	return nil
}

// Name is the model's name.
func (g *Gemini) Name() string { return g.model }

// Generate implements [Model].
func (g *Gemini) Generate(ctx context.Context, history []*genai.Content, config *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		with := *config
		// The client's own options lose functions when genai copies them.
		with.HTTPOptions = &genai.HTTPOptions{ExtrasRequestProvider: restoreEmpty}
		for resp, err := range g.client.Models.GenerateContentStream(ctx, g.model, history, &with) {
			if err != nil {
				yield(nil, g.explain(err))
				return
			}
			if !yield(resp, nil) {
				return
			}
		}
	}
}

// Models lists the names of the models that can hold a conversation.
func (g *Gemini) Models(ctx context.Context) ([]string, error) {
	var names []string
	for m, err := range g.client.Models.All(ctx) {
		if err != nil {
			return nil, fmt.Errorf("listing models: %w", g.explain(err))
		}
		if slices.Contains(m.SupportedActions, "generateContent") {
			names = append(names, strings.TrimPrefix(m.Name, "models/"))
		}
	}
	slices.Sort(names)
	return names, nil
}

// explain puts the API's error into a sentence that says what to do.
func (g *Gemini) explain(err error) error {
	if ctxErr := contextError(err); ctxErr != nil {
		return ctxErr
	}
	var api genai.APIError
	if !errors.As(err, &api) {
		return fmt.Errorf("talking to Gemini: %w", g.redact(err))
	}
	said := g.hide(strings.TrimSpace(api.Message))
	switch {
	case api.Code == http.StatusUnauthorized, api.Code == http.StatusForbidden, strings.Contains(fmt.Sprint(api.Details), "API_KEY_INVALID"):
		return fmt.Errorf("%w: %s", ErrKey, said)
	case api.Code == http.StatusTooManyRequests:
		wait := ""
		if d := retryDelay(api.Details); d != "" {
			wait = " Try again in " + d + "."
		}
		return fmt.Errorf("the limit of this Gemini key is reached: %s%s", said, wait)
	case api.Code == http.StatusNotFound:
		return fmt.Errorf("Gemini has no model %q: %s", g.model, said)
	case api.Code >= 500:
		return fmt.Errorf("Gemini is not available at the moment (%s): %s", api.Status, said)
	}
	return fmt.Errorf("Gemini refused the request (%s): %s", api.Status, said)
}

func contextError(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case errors.Is(err, context.DeadlineExceeded):
		return context.DeadlineExceeded
	}
	return nil
}

func retryDelay(details []map[string]any) string {
	for _, d := range details {
		if delay, ok := d["retryDelay"].(string); ok {
			return delay
		}
	}
	return ""
}

// redact takes the key out of an error: genai prints its whole configuration in
// some. Only the text is kept, since what it wraps may print the key again.
func (g *Gemini) redact(err error) error { return errors.New(g.hide(err.Error())) }

func (g *Gemini) hide(text string) string { return strings.ReplaceAll(text, g.key, "[key]") }

// restoreEmpty puts back what encoding/json's omitempty takes from the history:
// the empty text beside a signature and the empty arguments of a call. "Return
// the thought signature in the exact part it came in": without these it is
// another part, and the request is refused.
func restoreEmpty(body map[string]any) map[string]any {
	data, err := json.Marshal(body["contents"])
	if err != nil {
		return body
	}
	var contents []any
	if json.Unmarshal(data, &contents) != nil {
		return body
	}
	for _, c := range contents {
		content, _ := c.(map[string]any)
		parts, _ := content["parts"].([]any)
		for _, p := range parts {
			part, ok := p.(map[string]any)
			if !ok {
				continue
			}
			if call, ok := part["functionCall"].(map[string]any); ok {
				if _, ok := call["args"]; !ok {
					call["args"] = map[string]any{}
				}
			}
			if _, signed := part["thoughtSignature"]; signed && bare(part) {
				part["text"] = ""
			}
		}
	}
	body["contents"] = contents
	return body
}

// bare reports whether a part has lost its text.
func bare(part map[string]any) bool {
	for k := range part {
		if k != "thoughtSignature" && k != "thought" {
			return false
		}
	}
	return true
}
