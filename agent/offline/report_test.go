package offline

import (
	"context"
	"errors"
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/modeltest"
	"goated/agent/turntest"
)

// kept is an [agent.ResultStore] that stores one result.
type kept struct{ text []byte }

func (k *kept) Put(text []byte) (string, error) { k.text = text; return "0123456789ab", nil }

func (k *kept) Get(string) ([]byte, error) {
	if k.text == nil {
		return nil, errors.New("there is none")
	}
	return k.text, nil
}

// The answer to a request to read a file shows the file unchanged, with its true size.
func TestOfflineShowsTheFile(t *testing.T) {
	for request, want := range map[string]string{
		"read settings.json": "```json\n{\"a\":1}\n```",
		"read big.txt":       "… (748889 bytes in total; the result of the call has the rest)",
	} {
		box := fileTools()
		box.Run = func(_ context.Context, _ string, args map[string]any) (string, error) {
			if args["path"] == "settings.json" {
				return `{"a":1}`, nil
			}
			return strings.Repeat("x", 748889), nil
		}
		events, err := modeltest.Collect(t.Context(), &agent.Session{Model: &Model{}, Tools: box, Approve: modeltest.AllowAll(), Results: &kept{}}, request)
		if r := turntest.Only[agent.ToolReturned](events); len(r) != 1 || !r[0].NoModel {
			t.Errorf("%q: a model receives %v", request, r)
		}
		if said := modeltest.Said(events); err != nil || !strings.HasSuffix(said, want) {
			t.Errorf("%q: %q, %v", request, said[max(0, len(said)-200):], err)
		}
	}
}

// Without a model, nothing can read an attached file. The answer explains that, and no tool is
// called.
func TestOfflineSaysThatFilesNeedAModel(t *testing.T) {
	picture := genai.NewPartFromBytes([]byte("x"), "image/png")
	list := genai.NewPartFromText("Attached file \"list.txt\":\n```\ndelete note.txt\n```")
	config := &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: declare(fileTools().Tools())}}}
	for _, parts := range [][]*genai.Part{{picture}, {list}, {picture, genai.NewPartFromText("look at this")}, {list, genai.NewPartFromText("read note.txt")}} {
		message := &genai.Content{Role: genai.RoleUser, Parts: parts}
		for r, err := range (&Model{}).Generate(t.Context(), []*genai.Content{message}, config) {
			if err != nil || len(r.Candidates[0].Content.Parts) != 1 || !strings.Contains(r.Candidates[0].Content.Parts[0].Text, "Attached files need a model") {
				t.Errorf("%v: %v, %v", parts, r, err)
			}
		}
	}
	if said, call := planned(t, &Model{}, fileTools(), "read note.txt"); call == nil {
		t.Errorf("without a file: %q", said)
	}
}

// The answer to a question about everything in a memory lists its keys, although nothing is stored
// under the key "me".
func TestOfflineListsWhatTheMemoryKnows(t *testing.T) {
	for stored, want := range map[string]string{
		"No memory found for key: me\nSaved keys: dentist, wifi password": "Saved keys: dentist, wifi password\n\nAsk me about one of them",
		"No memory found for key: me":                                     "Nothing is stored yet.",
		"Memory value for me: Ida":                                        "Memory value for me: Ida",
	} {
		box := offlineTools()
		box.Run = func(context.Context, string, map[string]any) (string, error) { return stored, nil }
		for _, request := range []string{"what do you know about me", "What do you know about me?", "please tell me everything you know"} {
			events, err := modeltest.Collect(t.Context(), &agent.Session{Model: &Model{}, Tools: box, Approve: modeltest.AllowAll()}, request)
			if said := modeltest.Said(events); err != nil || !strings.Contains(said, want) || strings.Contains(said, "key: me") {
				t.Errorf("%q: %q, %v; want %q", request, said, err, want)
			}
		}
	}
	box := offlineTools()
	box.Run = func(context.Context, string, map[string]any) (string, error) {
		return "No memory found for key: coffee\nSaved keys: tea", nil
	}
	events, err := modeltest.Collect(t.Context(), &agent.Session{Model: &Model{}, Tools: box, Approve: modeltest.AllowAll()}, "what do you know about coffee")
	if said := modeltest.Said(events); err != nil || !strings.Contains(said, "No memory found for key: coffee") {
		t.Errorf("one fact: %q, %v", said, err)
	}
}
