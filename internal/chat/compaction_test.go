package chat_test

import (
	"context"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/chat"
)

// A summary, and undoing it, leave all messages and answers in the saved history.
func TestCompactionKeepsTheLastAnswer(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	session := &agent.Session{Tools: tool{}, Model: &model{says(strings.Repeat("long words of the first answer ", 400)), says("the second answer"), says("a summary")}}
	var id chat.Identity
	parent := ""
	for _, text := range []string{"the first question", "the second question"} {
		turn := chat.Turn{
			Session: session, History: s, Conversation: &id, Parent: parent, Parts: []*genai.Part{{Text: text}},
			OnBegin: func(id, _ string) { parent = id },
		}
		for _, err := range turn.Run(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, undo := range []bool{false, true} {
		c := chat.Compaction{Session: session, Undo: undo, History: s, Conversation: &id, Parent: parent, OnBegin: func(id string) { parent = id }}
		if _, err := c.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		thread, err := s.Thread(t.Context(), id.ID())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := words(thread.History()), words(session.History()); !slices.Equal(got, want) || len(got) != 4 {
			t.Errorf("undo %t: the saved history is %q, and the session has %q", undo, got, want)
		}
	}
}

// words returns the role and the text of each content.
func words(history []*genai.Content) (list []string) {
	for _, c := range history {
		list = append(list, c.Role+": "+c.Parts[0].Text)
	}
	return list
}

// A summary that fails costs what its request did, also if the user stops it. The next message follows
// it, and goes to the model as before.
func TestFailedCompactionIsCounted(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		s := open(t, filepath.Join(t.TempDir(), "history.db"))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		m := &priced{model: model{says("the first answer")}}
		session := &agent.Session{Tools: tool{}, Model: m}
		var id chat.Identity
		parent := ""
		begin := func(id string) { parent = id }
		send := func(text string) {
			t.Helper()
			turn := chat.Turn{Session: session, History: s, Conversation: &id, Parent: parent, Parts: []*genai.Part{{Text: text}}, OnBegin: func(id, _ string) { begin(id) }}
			for _, err := range turn.Run(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		send("the first question " + strings.Repeat("with many words ", 400))
		m.model = model{says("the second answer"), says("a sum")}
		send("the second question")
		if m.finish = genai.FinishReasonMaxTokens; stopped {
			m.after = cancel
		}
		c := chat.Compaction{Session: session, History: s, Conversation: &id, Parent: parent, OnBegin: begin}
		events, err := c.Run(ctx)
		if err == nil || len(events) != 1 {
			t.Fatalf("stopped %t: %v, %v", stopped, events, err)
		}
		m.finish, m.after, m.model = "", nil, model{says("the third answer")}
		send("the third question")
		thread, err := s.Thread(t.Context(), id.ID())
		if err != nil {
			t.Fatal(err)
		}
		used := 0
		for _, turn := range thread.Turns {
			for _, e := range turn.Events {
				if e, ok := e.(agent.TurnEnded); ok {
					used += e.Usage.Total()
				}
			}
		}
		if used != 4*tokens {
			t.Errorf("stopped %t: %d tokens are saved, not those of 4 requests with %d each", stopped, used, tokens)
		}
		if got, want := words(thread.History()), words(session.History()); !slices.Equal(got, want) || len(got) != 6 {
			t.Errorf("stopped %t: the saved history is %.99q, and the session has %.99q", stopped, got, want)
		}
	}
}

// tokens is what each request to priced uses.
const tokens = 110

// priced is a model whose requests use tokens.
type priced struct {
	model
	finish genai.FinishReason // of the answers; empty: they are complete
	after  func()             // runs when the answer has come; may be nil
}

func (m *priced) Generate(ctx context.Context, contents []*genai.Content, config *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		for r, err := range m.model.Generate(ctx, contents, config) {
			if err == nil {
				r.UsageMetadata = &genai.GenerateContentResponseUsageMetadata{PromptTokenCount: tokens - 10, CandidatesTokenCount: 10}
				if m.finish != "" {
					r.Candidates[0].FinishReason = m.finish
				}
			}
			if !yield(r, err) {
				return
			}
		}
		if m.after != nil {
			m.after()
		}
	}
}
