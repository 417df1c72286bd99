package config

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// NoModel is the service of a [ModelRef] without a model: goated itself searches for the tool that
// matches the request.
const NoModel = "none"

// A ModelRef identifies a model and its service.
type ModelRef struct {
	Service string // URL of a service with OpenAI's chat interface; empty: Gemini; or [NoModel]
	Name    string // empty: the first model of the service, or Gemini's default
}

// A Provider is a service with OpenAI's chat interface that the user added, or Gemini,
// whose URL is empty.
type Provider struct {
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
	// Key is the keyring reference of its key; empty: the keyring has no key.
	Key string `json:"key,omitempty"`
	// KeyVariable is the environment variable with its key. It takes precedence over Key.
	KeyVariable string `json:"keyVariable,omitempty"`
	// Prices maps the names of models to prices, which replace goated's own prices.
	Prices map[string]Price `json:"prices,omitempty"`
}

// A Price is in USD per million tokens.
type Price struct {
	Input  float64 `json:"in"`
	Cached float64 `json:"cached,omitempty"` // input that the service reads from its cache; 0: same as Input
	Output float64 `json:"out"`
}

// ChosenModel returns the model for new conversations.
func (s Settings) ChosenModel() ModelRef { return ModelRef{Service: s.Endpoint, Name: s.Model} }

// WithModel sets the model for new conversations.
func (s Settings) WithModel(m ModelRef) Settings {
	s.Endpoint, s.Model = m.Service, m.Name
	return s
}

// CleanURL normalizes the URL of a service for comparisons.
func CleanURL(url string) string { return strings.TrimRight(strings.TrimSpace(url), "/") }

// Provider returns the provider with a URL. If the user has not added one, it returns a Provider
// that contains only the URL, and false.
func (s Settings) Provider(url string) (Provider, bool) {
	url = CleanURL(url)
	i := slices.IndexFunc(s.Providers, func(p Provider) bool { return CleanURL(p.URL) == url })
	if i < 0 {
		return Provider{URL: url}, false
	}
	return s.Providers[i], true
}

// WithProvider adds a provider, or replaces the one with the same URL.
func (s Settings) WithProvider(p Provider) Settings {
	p.URL = CleanURL(p.URL)
	s.Providers = slices.Clone(s.Providers)
	if i := slices.IndexFunc(s.Providers, func(o Provider) bool { return CleanURL(o.URL) == p.URL }); i >= 0 {
		s.Providers[i] = p
	} else {
		s.Providers = append(s.Providers, p)
	}
	return s
}

// WithoutProvider removes a provider. New conversations no longer use its models.
func (s Settings) WithoutProvider(url string) Settings {
	url = CleanURL(url)
	s.Providers = slices.DeleteFunc(slices.Clone(s.Providers), func(p Provider) bool { return CleanURL(p.URL) == url })
	if CleanURL(s.Endpoint) == url {
		s.Endpoint, s.Model = "", ""
	}
	return s
}

// KeyRef returns the keyring reference for the key of a service.
func KeyRef(url string) string {
	sum := sha256.Sum256([]byte(CleanURL(url)))
	return "model-" + hex.EncodeToString(sum[:8])
}
