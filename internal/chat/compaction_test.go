package chat_test

import (
	"context"
	"errors"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/turntest"
	"goated/internal/chat"
	"goated/internal/store"
)

// Neither a summary nor undoing it removes messages or answers from the saved history.
func TestCompactionKeepsTheLastAnswer(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	session := &agent.Session{Tools: new(turntest.Toolbox), Model: &model{says(strings.Repeat("long words of the first answer ", 400)), says("the second answer"), says("a summary")}}
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

// words returns the role and text of each content.
func words(history []*genai.Content) (list []string) {
	for _, c := range history {
		list = append(list, c.Role+": "+c.Parts[0].Text)
	}
	return list
}

// The usage of a failed summary is saved, even if the user stops it. The next message is saved after
// it, and the model gets the same history as before.
func TestFailedCompactionIsCounted(t *testing.T) {
	for _, stopped := range []bool{false, true} {
		s := open(t, filepath.Join(t.TempDir(), "history.db"))
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		m := &priced{model: model{says("the first answer")}}
		session := &agent.Session{Tools: new(turntest.Toolbox), Model: m}
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
		if n := used(thread); n != 4*tokens {
			t.Errorf("stopped %t: %d tokens are saved, not those of 4 requests with %d each", stopped, n, tokens)
		}
		if got, want := words(thread.History()), words(session.History()); !slices.Equal(got, want) || len(got) != 6 {
			t.Errorf("stopped %t: the saved history is %.99q, and the session has %.99q", stopped, got, want)
		}
	}
}

// tokens is the usage of each request to priced.
const tokens = 110

// priced is a model whose responses report a usage.
type priced struct {
	model
	finish genai.FinishReason // of the answers; empty means complete
	after  func()             // runs after the answer; may be nil
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

// If another process added a turn during a summary, the summary stayed in force in the session, and the
// history did not get its usage. Each caller had to load the conversation again. Now Run does that.
func TestCompactionFollowsAnotherProcess(t *testing.T) {
	for _, undo := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "history.db")
		s, other := open(t, path), open(t, path)
		m := &priced{}
		session := &agent.Session{Tools: new(turntest.Toolbox), Model: m}
		var id chat.Identity
		parent := ""
		send := func(s *store.Store, session *agent.Session, from string, begin func(string), text string) {
			t.Helper()
			turn := chat.Turn{Session: session, History: s, Conversation: &id, Parent: from, Parts: []*genai.Part{{Text: text}}, OnBegin: func(id, _ string) { begin(id) }}
			for _, err := range turn.Run(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
			}
		}
		keep := func(id string) { parent = id }
		m.model = model{says("one"), says("two"), says("a sum")}
		send(s, session, parent, keep, "the first question "+strings.Repeat("with many words ", 400))
		send(s, session, parent, keep, "the second question")
		compact := func(undo bool) ([]agent.Event, error) {
			moved := func(now store.Thread) { parent = now.Conversation.Active }
			c := chat.Compaction{Session: session, Undo: undo, History: s, Conversation: &id, Parent: parent, OnBegin: keep, OnMoved: moved,
				OnLost: func(err error) { t.Error(err) }}
			return c.Run(t.Context())
		}
		elsewhere := func() {
			there := &agent.Session{Tools: new(turntest.Toolbox), Model: &model{says("three")}}
			before, err := other.Thread(t.Context(), id.ID())
			if err != nil {
				t.Fatal(err)
			}
			there.Restore(before.History(), before.Marks()...)
			send(other, there, parent, func(string) {}, "a question elsewhere")
		}
		cost := 3
		if undo {
			if _, err := compact(false); err != nil {
				t.Fatal(err)
			}
			elsewhere()
		} else {
			m.after = elsewhere
		}
		events, err := compact(undo)
		if m.after = nil; !errors.Is(err, store.ErrContinuedElsewhere) || len(events) == 0 != undo {
			t.Fatalf("undo %t: %v, %v", undo, events, err)
		}
		if _, inForce := session.Summary(); inForce != undo || len(session.History()) != 6 {
			t.Errorf("undo %t: a summary in force: %t; %d contents", undo, inForce, len(session.History()))
		}
		if !undo {
			m.model, cost = model{says("another sum")}, 4
		}
		if events, err := compact(undo); err != nil || len(events) != 2 {
			t.Errorf("undo %t, again: %v, %v", undo, events, err)
		}
		thread, err := s.Thread(t.Context(), id.ID())
		if err != nil {
			t.Fatal(err)
		}
		if got, want := words(thread.History()), words(session.History()); !slices.Equal(got, want) || used(thread) != cost*tokens {
			t.Errorf("undo %t: %d tokens and %.99q are saved; the session has %.99q", undo, used(thread), got, want)
		}
	}
}

// OnLost was not called if the usage of an unusable summary could not be saved.
func TestCompactionSaysThatItsCostIsNotSaved(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	session := &agent.Session{Tools: new(turntest.Toolbox), Model: &model{says("yes"), says(strings.Repeat("many words ", 400))}}
	session.Restore([]*genai.Content{genai.NewContentFromText("one", genai.RoleUser), says("yes")})
	var id chat.Identity
	turn := chat.Turn{Session: session, History: s, Conversation: &id, Parts: []*genai.Part{{Text: "two"}}}
	for _, err := range turn.Run(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	var lost []error
	c := chat.Compaction{Session: session, History: s, Conversation: &id, OnLost: func(err error) { lost = append(lost, err) }}
	if events, err := c.Run(t.Context()); !errors.Is(err, agent.ErrLongSummary) || len(events) != 1 || len(lost) != 1 {
		t.Errorf("%v, %v; not saved: %v", events, err, lost)
	}
}

// used returns the tokens that the turns of a conversation used.
func used(thread store.Thread) (n int) {
	for _, turn := range thread.Turns {
		for _, e := range turn.Events {
			if e, ok := e.(agent.TurnEnded); ok {
				n += e.Usage.Total()
			}
		}
	}
	return n
}
