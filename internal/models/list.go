package models

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"goated/agent"
	"goated/agent/pricing"
	"goated/agent/wire"
	"goated/internal/config"
	"goated/internal/modelname"
)

// The limits of requests to services.
const (
	listTime  = 10 * time.Second // timeout for a service elsewhere
	localTime = time.Second      // timeout for a program on this computer
	maxList   = 8 << 20          // bytes of a response; OpenRouter's list has 500 kB
)

// A local is a program that serves models on this computer, at its default port.
type local struct{ name, url string }

// programs returns the programs to look for on this computer.
func (s *Source) programs() []local {
	if s.urls != nil {
		return s.urls
	}
	return []local{
		{"Ollama", "http://127.0.0.1:11434/v1"},
		{"LM Studio", "http://127.0.0.1:1234/v1"},
		{"llama.cpp", "http://127.0.0.1:8080/v1"},
		{"vLLM", "http://127.0.0.1:8000/v1"},
	}
}

// Offered returns the groups that need no request: Gemini's known models, and no model. They
// include the chosen model if it is one of Gemini's.
func (s *Source) Offered(settings config.Settings, chosen config.ModelRef) []Group {
	var list []Entry
	for _, o := range offered() {
		list = append(list, geminiEntry(o.name))
	}
	name := cmp.Or(chosen.Name, agent.DefaultModel)
	if chosen.Service == "" && !slices.ContainsFunc(list, func(e Entry) bool { return e.Ref.Name == name }) {
		list = append(list, geminiEntry(name))
	}
	for i := range list {
		list[i].Price, list[i].Priced = s.price(settings, list[i].Ref, 0)
	}
	return []Group{
		{Title: "Gemini", Entries: list},
		{Title: "Without a model", Service: config.NoModel, Entries: []Entry{{Ref: config.ModelRef{Service: config.NoModel}, Title: "No model", Note: "Finds the tool that fits your words", Free: true}}},
	}
}

// Found asks the services that the user added and the programs on this computer for their models.
// It takes at most ten seconds. It leaves out a program that does not answer. If a service that the
// user added does not answer, its group has Err set.
func (s *Source) Found(ctx context.Context, settings config.Settings) []Group {
	var services []string
	add := func(url string) {
		if url = config.CleanURL(url); url != "" && url != config.NoModel && !slices.Contains(services, url) {
			services = append(services, url)
		}
	}
	for _, p := range settings.Providers {
		add(p.URL)
	}
	add(settings.Endpoint)
	add(s.Endpoint)
	asked := len(services)
	for _, l := range s.programs() {
		add(l.url)
	}
	groups := make([]Group, len(services))
	var wg sync.WaitGroup
	for i, url := range services {
		wg.Go(func() { groups[i] = s.List(ctx, settings, url) })
	}
	wg.Wait()
	var out []Group
	for i, g := range groups {
		if len(g.Entries) > 0 || i < asked {
			out = append(out, g)
		}
	}
	return out
}

// Gemini lists the models that the key can use and that can hold a conversation.
func (s *Source) Gemini(ctx context.Context, settings config.Settings) Group {
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	key, _ := s.Key(ctx, settings, "")
	return s.gemini(ctx, settings, key)
}

func (s *Source) gemini(ctx context.Context, settings config.Settings, key string) Group {
	g := Group{Title: "Gemini"}
	m, err := agent.NewGemini(ctx, agent.GeminiOptions{Key: key, HTTPClient: s.client("Gemini", key)})
	if err != nil {
		g.Err = err
		return g
	}
	names, err := m.Models(ctx)
	g.Err = err
	for _, n := range names {
		e := geminiEntry(n)
		e.Price, e.Priced = s.price(settings, e.Ref, 0)
		g.Entries = append(g.Entries, e)
	}
	return g
}

// List asks one service for its models.
func (s *Source) List(ctx context.Context, settings config.Settings, service string) Group {
	service = config.CleanURL(service)
	here := onThisComputer(service)
	g := Group{Service: service}
	for _, l := range s.programs() {
		if config.CleanURL(l.url) == service {
			g.Title = "On this computer · " + l.name
		}
	}
	p, _ := settings.Provider(service)
	g.Title = cmp.Or(p.Name, g.Title, modelname.Host(service))
	limit := listTime
	if here {
		limit = localTime
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	q, done := s.question(ctx, settings, service)
	defer done()
	g.Entries, g.Err = q.models(ctx, service, here)
	if f := (*agent.Failure)(nil); errors.As(g.Err, &f) {
		f.Service = modelname.Host(service)
	}
	for i, e := range g.Entries {
		if p, known := p.Prices[e.Ref.Name]; known {
			g.Entries[i].Price, g.Entries[i].Priced, g.Entries[i].Free = written(p), true, false
		}
	}
	s.remember(g.Entries)
	return g
}

// A question sends requests to one service.
type question struct {
	client *http.Client
	key    string
}

// question returns a question for a service. Its key is sent only to that service. Call done after
// the last response.
func (s *Source) question(ctx context.Context, settings config.Settings, service string) (q question, done func()) {
	key, _ := s.Key(ctx, settings, service)
	if onThisComputer(service) {
		transport := &http.Transport{Proxy: nil} // a proxy cannot reach this computer
		return question{client: &http.Client{Transport: transport, CheckRedirect: wire.RefuseRedirectAway}, key: key}, transport.CloseIdleConnections
	}
	through := *cmp.Or(s.client(service, key), &http.Client{})
	through.CheckRedirect = wire.RefuseRedirectAway
	return question{client: &through, key: key}, func() {}
}

// A listed is a model in a service's list, with the fields of all dialects.
type listed struct {
	ID            string `json:"id"`
	Name          string `json:"name"`           // OpenRouter
	ContextLength int    `json:"context_length"` // OpenRouter
	MaxModelLen   int    `json:"max_model_len"`  // vLLM
	Meta          struct {
		Trained int `json:"n_ctx_train"` // llama.cpp
	} `json:"meta"`
	Pricing *struct { // OpenRouter: USD per token, as strings
		Prompt     string `json:"prompt"`
		Completion string `json:"completion"`
		Cached     string `json:"input_cache_read"`
	} `json:"pricing"`
}

// models lists the models of a service.
func (q question) models(ctx context.Context, service string, here bool) ([]Entry, error) {
	var list struct {
		Data []listed `json:"data"`
	}
	if err := q.get(ctx, service+"/models", nil, &list); err != nil {
		return nil, err
	}
	var out []Entry
	for _, m := range list.Data {
		if m.ID == "" || strings.Contains(m.ID, "embed") {
			continue
		}
		ref := config.ModelRef{Service: service, Name: m.ID}
		e := Entry{Ref: ref, Title: modelname.Title(ref), Window: cmp.Or(m.ContextLength, m.MaxModelLen, m.Meta.Trained), Free: here}
		if m.Name != "" {
			e.Title = m.Name
		}
		if m.Pricing != nil {
			in, _ := strconv.ParseFloat(m.Pricing.Prompt, 64) // 0 if it is not a number
			answer, err := strconv.ParseFloat(m.Pricing.Completion, 64)
			cached, _ := strconv.ParseFloat(m.Pricing.Cached, 64)
			e.Price = pricing.Price{Input: in * 1e6, Cached: cmp.Or(cached, in) * 1e6, Output: answer * 1e6}
			e.Priced, e.Free = err == nil && in >= 0, err == nil && in == 0 && answer == 0
		}
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b Entry) int { return cmp.Compare(a.Ref.Name, b.Ref.Name) })
	if here || onThisNetwork(service) {
		q.describe(ctx, strings.TrimSuffix(service, "/v1"), out)
	}
	return out, nil
}

// get requests JSON and decodes it into into. If body is not nil, it sends body in a POST request.
// No error contains the key.
func (q question) get(ctx context.Context, address string, body, into any) error {
	method, reader := http.MethodGet, io.Reader(http.NoBody)
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return err
		}
		method, reader = http.MethodPost, bytes.NewReader(data)
	}
	req, err := http.NewRequestWithContext(ctx, method, address, reader)
	if err != nil {
		return fmt.Errorf("%s is not an address of a service: write one such as http://localhost:11434/v1", address)
	}
	if q.key != "" {
		req.Header.Set("Authorization", "Bearer "+q.key)
	}
	resp, err := q.client.Do(req)
	if err != nil {
		return &agent.Failure{Kind: agent.Unreachable, Message: q.hide(wire.NetworkReason(err))}
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxList))
	switch {
	case resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden:
		return &agent.Failure{Kind: agent.KeyRefused, Status: resp.Status}
	case resp.StatusCode == http.StatusNotFound || resp.StatusCode == http.StatusMethodNotAllowed:
		return otherInterface(address, " ("+resp.Status+")")
	case resp.StatusCode != http.StatusOK:
		return &agent.Failure{Kind: agent.Unavailable, Status: resp.Status}
	case err != nil:
		return &agent.Failure{Kind: agent.Unreachable, Message: q.hide(wire.NetworkReason(err))}
	}
	if err := json.Unmarshal(data, into); err != nil {
		return otherInterface(address, "")
	}
	return nil
}

// otherInterface returns an error for an address where something else than the list of models answered.
func otherInterface(address, status string) error {
	service := strings.TrimSuffix(address, "/models")
	said := service + " does not answer like a service with OpenAI's chat interface" + status
	if !strings.HasSuffix(service, "/v1") {
		said += ". The address of such a service usually ends with /v1"
	}
	return errors.New(said)
}

func (q question) hide(text string) string {
	if q.key == "" {
		return text
	}
	return strings.ReplaceAll(text, q.key, "[key]")
}

// gigabytes formats a size, such as "9.3 GB".
func gigabytes(n int64) string { return fmt.Sprintf("%.1f GB", float64(n)/1e9) }
