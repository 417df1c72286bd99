package markdown

import (
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
)

// The text for a picture contains its name, or its type if it has no name.
func TestPicturesHaveTheirNames(t *testing.T) {
	named := genai.NewPartFromBytes([]byte("picture"), "image/png")
	named.InlineData.DisplayName = "harbour\nat dusk.png"
	var b strings.Builder
	if err := Write(&b, store.Thread{Turns: []store.Turn{{User: []*genai.Part{named, genai.NewPartFromBytes([]byte("x"), "image/jpeg")}}}}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\n*harbour at dusk.png – image/png, 7 bytes*\n", "\n*image/jpeg, 1 bytes*\n"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is not in\n%s", want, b.String())
		}
	}
}

// The text has the arguments with which a call ran, beside those of the model.
func TestChangedArgumentsAreWritten(t *testing.T) {
	var b strings.Builder
	events := []agent.Event{
		agent.ToolCalled{ID: "1", Tool: "remove", Args: map[string]any{"path": "everything"}},
		agent.ToolDecided{ID: "1", Decision: agent.AllowOnce, Args: map[string]any{"path": "a.txt"}},
	}
	if err := Write(&b, store.Thread{Turns: []store.Turn{{Events: events}}}); err != nil {
		t.Fatal(err)
	}
	if want := "\n**You changed the arguments**\n\n```json\n{\n  \"path\": \"a.txt\"\n}\n```\n"; !strings.Contains(b.String(), want) {
		t.Errorf("%q is not in\n%s", want, b.String())
	}
}
