package models

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"sync"

	"goated/internal/config"
)

// unloaded is the context that Ollama and LM Studio give a model by default when they load it:
// "Ollama uses the following default context lengths based on VRAM: < 24 GiB VRAM: 4k context"
// (docs.ollama.com/context-length). Ollama truncates longer requests without an error, so it is
// safer to assume less.
const unloaded = 4096

// describe adds details from the own APIs of Ollama, LM Studio and llama.cpp. For another program,
// these requests fail and the entries stay unchanged.
func (q question) describe(ctx context.Context, root string, list []Entry) {
	var ollama struct {
		Models []struct {
			Name string `json:"name"`
			Size int64  `json:"size"`
		} `json:"models"`
	}
	var studio struct {
		Data []struct {
			ID      string `json:"id"`
			State   string `json:"state"`
			Most    int    `json:"max_context_length"`
			Present int    `json:"loaded_context_length"`
		} `json:"data"`
	}
	byName := make(map[string]*Entry, len(list))
	for i := range list {
		byName[list[i].Ref.Name] = &list[i]
	}
	switch {
	case q.get(ctx, root+"/api/tags", nil, &ollama) == nil && len(ollama.Models) > 0:
		var wg sync.WaitGroup
		for _, m := range ollama.Models {
			if e := byName[m.Name]; e != nil {
				e.Note = gigabytes(m.Size)
				wg.Go(func() { e.Window = cmp.Or(q.assumed(ctx, root, m.Name), e.Window) })
			}
		}
		wg.Wait()
		var loaded struct {
			Models []struct {
				Name    string `json:"name"`
				Present int    `json:"context_length"`
			} `json:"models"`
		}
		_ = q.get(ctx, root+"/api/ps", nil, &loaded) // an older Ollama returns less
		for _, m := range loaded.Models {
			if e := byName[m.Name]; e != nil {
				e.Note, e.Window = e.Note+" · in memory", cmp.Or(m.Present, e.Window)
			}
		}
	case q.get(ctx, root+"/api/v0/models", nil, &studio) == nil && len(studio.Data) > 0:
		for _, m := range studio.Data {
			e := byName[m.ID]
			if e == nil {
				continue
			}
			e.Window = cmp.Or(m.Present, smaller(unloaded, cmp.Or(m.Most, e.Window)))
			if m.State == "loaded" {
				e.Note = "In memory"
			}
		}
	default:
		var props struct {
			Settings struct {
				Present int `json:"n_ctx"`
			} `json:"default_generation_settings"`
		}
		if q.get(ctx, root+"/props", nil, &props) == nil && props.Settings.Present > 0 {
			for i := range list {
				list[i].Window = props.Settings.Present
			}
		}
	}
}

// smaller returns the smaller of two sizes. The second one may be unknown.
func smaller(a, b int) int { return min(a, cmp.Or(b, a)) }

// assumed asks Ollama for the context that a model will probably get when Ollama loads it: the size
// in the model's own parameters, or the default, but at most the size that the model was trained
// for. It returns 0 if Ollama does not answer.
func (q question) assumed(ctx context.Context, root, name string) int {
	var info struct {
		Parameters string         `json:"parameters"` // lines such as: num_ctx 8192
		Info       map[string]any `json:"model_info"`
	}
	if q.get(ctx, root+"/api/show", map[string]string{"model": name}, &info) != nil {
		return 0
	}
	size := unloaded
	for line := range strings.Lines(info.Parameters) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			if n, err := strconv.Atoi(f[1]); err == nil && n > 0 {
				size = n
			}
		}
	}
	for key, v := range info.Info {
		if n, ok := v.(float64); ok && strings.HasSuffix(key, ".context_length") {
			return smaller(size, int(n))
		}
	}
	return size
}

// look asks a program on this computer or in its network for the current context size of a model.
// The size is certain only while the model is in memory.
func (s *Source) look(ctx context.Context, settings config.Settings, ref config.ModelRef) {
	service := config.CleanURL(ref.Service)
	if !onThisComputer(service) && !onThisNetwork(service) {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, localTime)
	defer cancel()
	q, done := s.question(ctx, settings, service)
	defer done()
	e := s.entry(ref)
	e.Ref = ref
	list := []Entry{e}
	q.describe(ctx, strings.TrimSuffix(service, "/v1"), list)
	if list[0] != e {
		s.remember(list)
	}
}
