package ui_test

import (
	"context"
	"net/http"
	"sync"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/offline"
	"goated/agent/turntest"
	"goated/internal/config"
	"goated/internal/modelname"
	"goated/internal/models"
	"goated/ui"
	"goated/ui/settings"
)

// A refusal is the transport of a service that refuses each request and records the model's
// name.
type refusal struct {
	service string
	note    func(service string)
}

func (r refusal) RoundTrip(*http.Request) (*http.Response, error) {
	r.note(r.service)
	return &http.Response{StatusCode: http.StatusForbidden, Status: "403 Forbidden", Body: http.NoBody}, nil
}

// A Gemini model that the user chooses in the settings answers the next conversation, whatever
// answered before. The request used to go to the previous service, or to no model.
func TestModelOfTheSettingsAnswersInPlaceOfAnotherService(t *testing.T) {
	const service = "http://127.0.0.1:1/v1"
	for name, before := range map[string]config.ModelRef{
		"no model":               {Service: config.NoModel},
		"another service":        {Service: service, Name: "llama3"},
		"a model with that name": {Service: service, Name: "gemini-b"},
	} {
		t.Run(name, func(t *testing.T) {
			var mu sync.Mutex
			var asked []string
			source := &models.Source{
				GeminiKey: func(context.Context) string { return "AIza-not-a-real-key" },
				Offline:   func() agent.Model { return &offline.Model{} },
				Client: func(service, _ string) *http.Client {
					return &http.Client{Transport: refusal{service, func(s string) { mu.Lock(); defer mu.Unlock(); asked = append(asked, s) }}}
				},
			}
			sessions := 0
			answering := func(s config.Settings) ui.Answering {
				m := source.Open(s, s.ChosenModel())
				return ui.Answering{Model: modelname.Title(s.ChosenModel()), Ref: s.ChosenModel(), KeyFrom: "keyring", NewSession: func() *agent.Session {
					sessions++
					return &agent.Session{Model: m, Tools: new(turntest.Toolbox)}
				}}
			}
			start := config.Settings{Welcomed: true}.WithModel(before)
			now := answering(start)
			keys := &settings.Keys{From: "keyring", Models: func(context.Context) ([]string, error) { return []string{"gemini-a", "gemini-b"}, nil }}
			d := shown(t, ui.Options{Settings: start, Agent: ui.AgentOptions{
				NewSession: now.NewSession, Model: now.Model, Ref: now.Ref, Models: source, Keys: keys,
				Remake: func(_ context.Context, s config.Settings) (ui.Answering, error) { return answering(s), nil },
			}})
			d.run("Settings")
			d.sees("gemini-b")
			unmarked, made := d.Icons("check"), sessions
			d.Press("gemini-b")
			d.sees("New conversations use gemini-b")
			d.closeSheets()
			d.until("the header names the model", func() bool { return d.Reads("Gemini B") && sessions > made })
			d.run("Settings")
			if d.Icons("check") != unmarked+1 {
				t.Errorf("the list marked a model that did not answer, or does not mark the chosen one: %q", d.Texts())
			}
			d.closeSheets()
			d.newChat()
			d.send("hello")
			d.until("the request is refused", func() bool { return d.Says("refused your API key") })
			mu.Lock()
			defer mu.Unlock()
			for _, service := range asked {
				if service != "Gemini" {
					t.Errorf("the message goes to %q", service)
				}
			}
			if len(asked) == 0 {
				t.Error("Gemini is not asked")
			}
		})
	}
}

// A conversation keeps the model that answered it, even after the window reopens. The choice in
// the settings applies to new conversations and to conversations that no model has answered.
func TestConversationKeepsTheModelThatAnsweredIt(t *testing.T) {
	says := func(words string) func() *agent.Session {
		return sessions(func(_ context.Context, _ []*genai.Content, yield func(string, error) bool) { yield(words, nil) })
	}
	source := &models.Source{GeminiKey: func(context.Context) string { return "" }, Offline: func() agent.Model { return &offline.Model{} }}
	answering := func(ref config.ModelRef) ui.Answering {
		return ui.Answering{Model: modelname.Title(ref), Ref: ref, NewSession: says(modelname.Title(ref) + " answers")}
	}
	for _, first := range []config.ModelRef{{Name: "gemini-a"}, {Service: config.NoModel}} {
		s, _ := archive(t)
		window := func(ref config.ModelRef) *desk {
			keys := &settings.Keys{From: "keyring", Models: func(context.Context) ([]string, error) { return []string{"gemini-a", "gemini-b"}, nil }}
			now := answering(ref)
			return shown(t, ui.Options{History: s, Settings: config.Settings{Welcomed: true}.WithModel(ref), Agent: ui.AgentOptions{
				NewSession: now.NewSession, Model: now.Model, Ref: now.Ref, Models: source, Keys: keys,
				Remake: func(_ context.Context, s config.Settings) (ui.Answering, error) {
					return answering(s.ChosenModel()), nil
				},
			}})
		}
		want := modelname.Title(first)
		if first.Service == config.NoModel {
			want = "Gemini B" // uses the model of the settings
		}
		d := window(first)
		d.says("the plan")
		d.run("Settings")
		d.sees("gemini-b")
		d.Press("gemini-b")
		d.sees("New conversations use gemini-b")
		d.closeSheets()
		d.until("the header names "+want, func() bool { return d.Reads(want) })
		d.newChat()
		d.until("a new conversation has the new model", func() bool { return d.Reads("Gemini B") })
		d.says("the other plan")
		d.sees("Gemini B answers")
		d.Press("the plan")
		if !d.Reads(want) {
			t.Errorf("after %s answered, the conversation shows %q", modelname.Title(first), d.Texts())
		}
		d.says("go on")
		d.sees(want + " answers")
		d.window.Close()
		if first.Service == config.NoModel {
			continue
		}
		d = window(config.ModelRef{Name: "gemini-b"})
		d.until("the list is there", func() bool { return d.Reads("the plan") })
		d.Press("the plan")
		d.until("the header names "+want, func() bool { return d.Reads(want) })
	}
}
