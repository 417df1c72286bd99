package chatcmd

import (
	"context"
	"iter"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/turntest"
	"goated/internal/chat"
	"goated/internal/store"
)

// brief is a model that writes short summaries. It calls a function before each answer.
type brief struct{ before func() }

func (m *brief) Generate(context.Context, []*genai.Content, *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		if m.before != nil {
			m.before()
		}
		yield(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{{Content: genai.NewContentFromText("a sum", genai.RoleModel), FinishReason: genai.FinishReasonStop}}}, nil)
	}
}

// Another terminal added a turn while /compact ran. This terminal did not notice it, and a second
// /compact reported that there was nothing to summarise.
func TestCompactFollowsTheOtherTerminal(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	var id chat.Identity
	var said strings.Builder
	parent, model, shown := "", &brief{}, 0
	talk := &Talk{Session: &agent.Session{Model: model, Tools: new(turntest.Toolbox)}, Out: &said, Conversation: &id, Parent: &parent,
		Moved: func(turns []store.Turn, message bool) {
			if message {
				t.Error("it counts as following a message")
			}
			shown += len(turns)
		}}
	stores := make([]*store.Store, 2)
	for i := range stores {
		s, err := store.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = s.Close() })
		stores[i] = s
	}
	talk.Store = stores[0]
	send := func(s *store.Store, session *agent.Session, text string) (begun string) {
		turn := &chat.Turn{Session: session, History: s, Conversation: &id, Parent: parent, Parts: []*genai.Part{{Text: text}}, OnBegin: func(id, _ string) { begun = id }}
		for _, err := range turn.Run(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
		}
		return begun
	}
	for _, text := range []string{"one " + strings.Repeat("with many words ", 400), "two"} {
		parent = send(stores[0], talk.Session, text)
	}
	model.before = func() {
		model.before = nil
		send(stores[1], &agent.Session{Model: &brief{}, Tools: new(turntest.Toolbox)}, "three")
	}
	talk.Run(t.Context(), "/compact")
	if want := "Another window or terminal continued this conversation, so nothing was changed. Try again.\n"; said.String() != want || shown != 1 {
		t.Errorf("%d turns are shown, and it says %q", shown, said.String())
	}
	said.Reset()
	talk.Run(t.Context(), "/compact")
	if !strings.Contains(said.String(), "a sum") {
		t.Errorf("the second time it says %q", said.String())
	}
	said.Reset()
	talk.Run(t.Context(), "/compact")
	if want := "There is nothing new to summarise.\n"; said.String() != want {
		t.Errorf("the third time it says %q, want %q", said.String(), want)
	}
	thread, err := stores[0].Thread(t.Context(), id.ID())
	if err != nil || len(thread.Marks()) != 1 {
		t.Errorf("%d marks, %v", len(thread.Marks()), err)
	}
	if parts := talk.asked.parts; len(parts) != 1 || parts[0].Text != "three" {
		t.Errorf("the last message is %v", parts)
	}
}
