// Package models finds the models that can answer: Gemini's models, those of services that the user
// added, and those of programs on this computer. It opens the model that the user chose.
//
// It owns the context sizes and prices that the user sees. It must not depend on conversations,
// windows or keyrings: the caller provides functions that return keys.
package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"os"
	"sync"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/openai"
	"goated/agent/pricing"
	"goated/internal/config"
	"goated/internal/modelkey"
)

// KeyVariable is the environment variable with the key for --endpoint.
const KeyVariable = "OPENAI_API_KEY"

// A Source opens models. Set its fields before the first use. The zero value has no keys. It is
// safe for concurrent use.
type Source struct {
	// GeminiKey returns the key of Gemini, or "" if there is none. It may take seconds.
	GeminiKey func(context.Context) string
	Held      HeldKey // takes precedence over the key in the keyring
	// Secret returns the value for a keyring reference. It may take seconds.
	Secret func(ref string) (string, error)
	// Endpoint is the URL of --endpoint. Its key is in [KeyVariable].
	Endpoint string
	// Client returns the HTTP client for a service. The client may trace requests, but must hide
	// the key. nil means the default client.
	Client func(service, key string) *http.Client
	// Offline returns the model of [config.NoModel].
	Offline func() agent.Model

	mu    sync.Mutex
	known map[config.ModelRef]Entry // from the last lists
	urls  []local                   // for tests: replaces the programs on this computer
}

// Key returns the key of a service and its origin. Both are empty if there is no key, or if ctx
// ends before the keyring answers.
func (s *Source) Key(ctx context.Context, settings config.Settings, service string) (key, from string) {
	if service == "" {
		if s.GeminiKey == nil {
			return "", ""
		}
		return s.GeminiKey(ctx), "Gemini"
	}
	p, _ := settings.Provider(service)
	variable := p.KeyVariable
	if variable == "" && (config.CleanURL(service) == config.CleanURL(s.Endpoint) || config.CleanURL(service) == config.CleanURL(settings.Endpoint) && p.Name == "") {
		variable = KeyVariable
	}
	if key := modelkey.CleanKey(os.Getenv(variable)); variable != "" && key != "" {
		return key, variable
	}
	if p.Key == "" || s.Secret == nil {
		return "", ""
	}
	got := make(chan string, 1)
	go func() { // ends when the keyring answers; Key returns earlier if ctx ends
		key, err := s.Secret(p.Key)
		if err != nil {
			key = ""
		}
		got <- key
	}()
	select {
	case key = <-got:
	case <-ctx.Done():
	}
	if key == "" {
		return "", ""
	}
	return key, "keyring"
}

// Open returns the model for ref without any request. The model's first request loads the key.
func (s *Source) Open(settings config.Settings, ref config.ModelRef) *Model {
	return &Model{source: s, settings: settings, ref: ref, opening: make(chan bool, 1)}
}

// A Model opens the actual model with its first request, because a keyring may take seconds. It
// implements [agent.Model] and is safe for concurrent use.
type Model struct {
	source   *Source
	settings config.Settings
	ref      config.ModelRef
	opening  chan bool // holds one value while a request opens the actual model

	mu     sync.Mutex // never held while waiting for a keyring or network, because the window calls Window
	made   agent.Model
	looked bool // the context size was requested again after an answer
}

// Ref returns the model that the user chose. If the user chose a service's first model, its name is
// known only after the first request.
func (m *Model) Ref() config.ModelRef {
	m.mu.Lock()
	defer m.mu.Unlock()
	ref := m.ref
	if named, ok := m.made.(interface{ Name() string }); ok && ref.Name == "" && ref.Service != "" {
		ref.Name = named.Name()
	}
	if ref.Service == "" {
		ref.Name = cmp.Or(ref.Name, agent.DefaultModel)
	}
	return ref
}

// Name returns the name of the model, or the URL of its service if the user chose no name.
func (m *Model) Name() string {
	if m.ref.Service == "" {
		return cmp.Or(m.ref.Name, agent.DefaultModel)
	}
	return cmp.Or(m.ref.Name, m.ref.Service)
}

// Service returns the URL of the service, or "" for Gemini.
func (m *Model) Service() string { return m.ref.Service }

// NeedsAllTools reports whether every tool has to be declared, which is the case without a model.
func (m *Model) NeedsAllTools() bool { return m.ref.Service == config.NoModel }

// Window returns the size of the context in tokens, or 0 if it is unknown.
func (m *Model) Window() int {
	limit := m.settings.ContextLimit * 4 / 3 // the session reserves a quarter
	window := m.source.entry(m.Ref()).Window
	if limit > 0 && (window == 0 || limit < window) {
		return limit
	}
	return window
}

// loading is how long a program may take to load a model and process the request before its answer
// begins. Reading 40 GB from a disk takes about three minutes.
const loading = 5 * time.Minute

// Warmup returns how long the answer may take to begin. 0 means no longer than the pause between
// its pieces.
func (m *Model) Warmup() time.Duration {
	if onThisComputer(m.ref.Service) || onThisNetwork(m.ref.Service) {
		return loading
	}
	return 0
}

// Price returns the price of the model that answered, if the user set one or its service lists one.
// A service may return the name of a version, such as gpt-4o-2024-08-06. If the version has no
// price, Price returns the price of the chosen model.
func (m *Model) Price(name string, prompt int) (pricing.Price, bool) {
	if name != "" {
		if p, ok := m.source.price(m.settings, config.ModelRef{Service: m.ref.Service, Name: name}, prompt); ok {
			return p, true
		}
	}
	return m.source.price(m.settings, m.ref, prompt)
}

// Generate implements [agent.Model].
func (m *Model) Generate(ctx context.Context, history []*genai.Content, c *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		model, err := m.open(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		answered := false
		for resp, err := range model.Generate(ctx, history, c) {
			if f := (*agent.Failure)(nil); errors.As(err, &f) && f.Kind == agent.KeyRefused {
				m.forget(model)
			}
			if !yield(resp, err) {
				return
			}
			answered = answered || err == nil
		}
		if answered && ctx.Err() == nil {
			m.look(ctx)
		}
	}
}

// look asks for the context size after the first answer, because a program loads a model with the
// first request and reports its context only then.
func (m *Model) look(ctx context.Context) {
	m.mu.Lock()
	first := !m.looked
	m.looked = true
	m.mu.Unlock()
	if ref := m.Ref(); first && ref.Service != "" && ref.Service != config.NoModel {
		m.source.look(ctx, m.settings, ref)
	}
}

// forget discards a model whose key was refused, so that the next request loads the key again. The
// user may have replaced it.
func (m *Model) forget(made agent.Model) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.made == made {
		m.made = nil
	}
}

// Ready returns the error that the first request would return, if that is known without a request.
// It asks a service for its models only if the settings name no model.
func (m *Model) Ready(ctx context.Context) error {
	if m.ref.Service != "" && m.ref.Service != config.NoModel && m.ref.Name != "" {
		_, err := openai.New(openai.Options{BaseURL: m.ref.Service, Model: m.ref.Name})
		return err
	}
	_, err := m.open(ctx)
	return err
}

// open opens the actual model once. After an error it tries again next time, because the user may
// have fixed the cause.
func (m *Model) open(ctx context.Context) (agent.Model, error) {
	select {
	case m.opening <- true:
		defer func() { <-m.opening }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	m.mu.Lock()
	made := m.made
	m.mu.Unlock()
	if made != nil {
		return made, nil
	}
	made, err := m.source.make(ctx, m.settings, m.ref)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.made = made
	return made, nil
}

// make opens a model.
func (s *Source) make(ctx context.Context, settings config.Settings, ref config.ModelRef) (agent.Model, error) {
	if ref.Service == config.NoModel {
		return s.Offline(), nil
	}
	key, _ := s.Key(ctx, settings, ref.Service)
	if ctx.Err() != nil { // otherwise a model without its key would be kept
		return nil, context.Cause(ctx)
	}
	if ref.Service == "" {
		return agent.NewGemini(ctx, agent.GeminiOptions{Key: key, Model: ref.Name, HTTPClient: s.client("Gemini", key)})
	}
	if _, err := openai.New(openai.Options{BaseURL: ref.Service, Model: "any"}); err != nil {
		return nil, err // the URL is invalid
	}
	name := ref.Name
	if name == "" || s.entry(ref).Window == 0 && onThisComputer(ref.Service) {
		group := s.List(ctx, settings, ref.Service)
		switch {
		case name != "":
		case group.Err != nil:
			return nil, fmt.Errorf("asking %s for its models: %w", ref.Service, group.Err)
		case len(group.Entries) == 0:
			return nil, fmt.Errorf("%s serves no model; download one first", ref.Service)
		default:
			name = group.Entries[0].Ref.Name
		}
	}
	return openai.New(openai.Options{BaseURL: ref.Service, Key: key, Model: name, HTTPClient: s.client(ref.Service, key)})
}

func (s *Source) client(service, key string) *http.Client {
	if s.Client == nil {
		return nil
	}
	return s.Client(service, key)
}

// entry returns the entry of a model in the lists, or the zero value if there is none.
func (s *Source) entry(ref config.ModelRef) Entry {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e, ok := s.known[ref]; ok {
		return e
	}
	if ref.Service == "" {
		return geminiEntry(cmp.Or(ref.Name, agent.DefaultModel))
	}
	return Entry{}
}

func (s *Source) remember(list []Entry) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = make(map[config.ModelRef]Entry)
	}
	for _, e := range list {
		s.known[e.Ref] = e
	}
}

// written converts a price from the settings.
func written(p config.Price) pricing.Price {
	return pricing.Price{Input: p.Input, Cached: cmp.Or(p.Cached, p.Input), Output: p.Output}
}

// price returns the price of a model: the user's, otherwise the service's, otherwise goated's.
func (s *Source) price(settings config.Settings, ref config.ModelRef, prompt int) (pricing.Price, bool) {
	p, _ := settings.Provider(ref.Service)
	if own, ok := p.Prices[ref.Name]; ok {
		return written(own), true
	}
	if e := s.entry(ref); ref.Service != "" && e.Priced {
		return e.Price, true
	}
	if ref.Service == "" {
		return pricing.Of(ref.Name, prompt)
	}
	return pricing.Price{}, false
}
