package models

import (
	"context"
	"errors"
	"strings"
	"testing"

	"goated/agent"
	"goated/agent/offline"
	"goated/internal/config"
	"goated/internal/geminitest"
)

// The menu offers no model that Gemini refuses: it lists the models that the user's key can use.
func TestCurrentModelsOfGemini(t *testing.T) {
	entries := func(names string) (list []Entry) {
		for _, n := range strings.Fields(names) {
			list = append(list, geminiEntry(n))
		}
		return list
	}
	known := "gemini-flash-latest gemini-3.5-flash gemini-3.1-pro gemini-2.0-pro"
	for _, c := range []struct{ listed, chosen, want string }{
		{"gemini-flash-latest gemini-3.5-flash gemini-3.1-pro", "", "gemini-flash-latest gemini-3.5-flash gemini-3.1-pro"},
		{"gemini-3.1-pro-preview gemini-flash-latest", "", "gemini-flash-latest gemini-3.1-pro-preview"},
		{"gemini-flash-latest", "gemini-2.0-pro", "gemini-flash-latest gemini-2.0-pro"},
		{"gemini-2.5-flash gemini-3-pro gemini-2.5-flash-preview-tts gemini-embedding-001 gemma-3-27b-it gemini-2.5-flash-image", "", "gemini-3-pro gemini-2.5-flash"},
	} {
		var got []string
		for _, e := range current(entries(known), entries(c.listed), config.ModelRef{Name: c.chosen}) {
			got = append(got, e.Ref.Name)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("of %q the menu lists %q, want %q", c.listed, got, c.want)
		}
	}
	// If the list has a preview and its release, they are two models.
	if got := current(entries("gemini-3-pro gemini-3-pro-preview"), entries("gemini-3-pro gemini-3-pro-preview"), config.ModelRef{}); len(got) != 2 {
		t.Errorf("%+v", got)
	}
	if got := current(entries("gemini-3.1-pro-preview"), entries("gemini-3.1-pro"), config.ModelRef{}); len(got) != 1 || got[0].Ref.Name != "gemini-3.1-pro" || got[0].Note == "" {
		t.Errorf("a released preview is %+v", got)
	}
}

// The menu shows Gemini's list. If the key is refused, it shows the known models and the reason.
func TestAllAsksGemini(t *testing.T) {
	g := geminitest.New(t)
	t.Setenv("GOOGLE_GEMINI_BASE_URL", g.URL)
	key := geminitest.DefaultKey
	asked := 0
	s := &Source{urls: []local{}, GeminiKey: func(context.Context) string { asked++; return key }}
	all := s.All(t.Context(), config.Settings{}, config.ModelRef{})
	if asked != 1 { // a keyring may ask for its password each time
		t.Errorf("it asks for the key %d times", asked)
	}
	if len(all) != 2 || all[0].Err != nil || all[1].Service != config.NoModel {
		t.Fatalf("%+v", all)
	}
	names := ""
	for _, e := range all[0].Entries {
		names += e.Ref.Name + " "
	}
	if want := "gemini-flash-latest gemini-3.1-pro-preview gemini-pro-latest gemini-3-flash-preview gemini-2.5-flash "; names != want {
		t.Errorf("the menu lists %q, want %q", names, want)
	}
	key = "wrong"
	var f *agent.Failure
	if all := s.All(t.Context(), config.Settings{}, config.ModelRef{}); !errors.As(all[0].Err, &f) || f.Kind != agent.KeyRefused || len(all[0].Entries) < 4 {
		t.Errorf("with a wrong key: %+v", all[0])
	}
	key = ""
	if all := s.All(t.Context(), config.Settings{}, config.ModelRef{}); all[0].Err != nil || len(all[0].Entries) < 4 {
		t.Errorf("without a key: %+v", all[0])
	}
}

// Without a model, a question gets an error. Earlier, the text that [offline.Model] writes for the
// user was stored as the summary of each file.
func TestNoModelAnswersNoQuestion(t *testing.T) {
	s := &Source{Offline: func() agent.Model { return &offline.Model{} }}
	m := s.Open(config.Settings{}, config.ModelRef{Service: config.NoModel})
	if text, _, err := agent.Complete(t.Context(), m, "Summarize this file."); err == nil || agent.CanAnswer(m) {
		t.Errorf("it answers %q", text)
	}
	if !agent.CanAnswer(s.Open(config.Settings{}, config.ModelRef{})) || agent.CanAnswer(nil) || agent.CanAnswer(&offline.Model{}) {
		t.Error("a model is taken for none, or none for a model")
	}
}
