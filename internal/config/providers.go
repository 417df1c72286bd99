package config

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// NoModel is the service of a [ModelRef] without a model: goated looks for the tool that
// fits the words.
const NoModel = "none"

// A ModelRef names a model and the service that answers for it.
type ModelRef struct {
	Service string // URL of a service with OpenAI's chat interface; empty: Gemini; or [NoModel]
	Name    string // empty: the first model of the service, or Gemini's default
}

// A Provider is a service with OpenAI's chat interface that the user added, or Gemini,
// whose URL is empty.
type Provider struct {
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
	// Key is the reference of its key in the keyring; empty: it has none there.
	Key string `json:"key,omitempty"`
	// KeyVariable is the variable of the environment with its key, which goes before Key.
	KeyVariable string `json:"keyVariable,omitempty"`
	// Prices maps the names of models to prices. They replace the prices that goated knows.
	Prices map[string]Price `json:"prices,omitempty"`
}

// A Price is in USD per million tokens.
type Price struct {
	Input  float64 `json:"in"`
	Cached float64 `json:"cached,omitempty"` // input that the service has in its cache; 0: as Input
	Output float64 `json:"out"`
}

// Chosen returns the model of new conversations.
func (s Settings) Chosen() ModelRef { return ModelRef{Service: s.Endpoint, Name: s.Model} }

// WithModel makes new conversations use a model.
func (s Settings) WithModel(m ModelRef) Settings {
	s.Endpoint, s.Model = m.Service, m.Name
	return s
}

// CleanURL returns the address of a service as goated compares it.
func CleanURL(url string) string { return strings.TrimRight(strings.TrimSpace(url), "/") }

// Provider returns the provider with a URL; its zero value with the URL if the user
// added none.
func (s Settings) Provider(url string) (Provider, bool) {
	url = CleanURL(url)
	i := slices.IndexFunc(s.Providers, func(p Provider) bool { return CleanURL(p.URL) == url })
	if i < 0 {
		return Provider{URL: url}, false
	}
	return s.Providers[i], true
}

// WithProvider adds a provider, in place of one with the same URL.
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

// KeyRef returns the reference under which the keyring has the key of a service.
func KeyRef(url string) string {
	sum := sha256.Sum256([]byte(CleanURL(url)))
	return "model-" + hex.EncodeToString(sum[:8])
}
