package chat_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/agent/turntest"
	"goated/internal/chat"
	"goated/internal/store"
)

// A model is an [agent.Model] that answers each request with the next of its contents.
type model []*genai.Content

func (m *model) Generate(context.Context, []*genai.Content, *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		if len(*m) == 0 {
			yield(nil, errors.New("the model is down"))
			return
		}
		next := (*m)[0]
		*m = (*m)[1:]
		yield(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{{Content: next, FinishReason: genai.FinishReasonStop}}}, nil)
	}
}

// tool returns a toolbox with a tool that calls run.
func tool(run func()) *turntest.Toolbox {
	return turntest.New(func(context.Context, string, map[string]any) (string, error) {
		run()
		return "result", nil
	}, "t")
}

func calls() *genai.Content {
	return genai.NewContentFromParts([]*genai.Part{genai.NewPartFromFunctionCall("box__t", map[string]any{})}, genai.RoleModel)
}

func says(text string) *genai.Content { return genai.NewContentFromText(text, genai.RoleModel) }

func open(t *testing.T, path string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// The message and the call are in the database before the tool runs, so that another process can
// read them.
func TestCallIsSavedBeforeTheToolRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	s, other := open(t, path), open(t, path)
	var id chat.Identity
	ran := false
	turn := chat.Turn{
		Session: &agent.Session{
			Model: &model{calls(), says("done")}, Policy: &agent.Policy{AllowAll: true},
			Tools: tool(func() {
				ran = true
				thread, err := other.Thread(t.Context(), id.ID())
				if err != nil || len(thread.Turns) != 1 || thread.Turns[0].User[0].Text != "go" {
					t.Fatalf("saved when the tool runs: %+v, %v", thread, err)
				}
				if !slices.ContainsFunc(thread.Turns[0].Events, func(e agent.Event) bool { _, ok := e.(agent.ToolCalled); return ok }) {
					t.Errorf("the call is not saved when the tool runs: %v", thread.Turns[0].Events)
				}
				if history := thread.History(); len(history) != 3 || history[1].Parts[0].FunctionCall == nil {
					t.Errorf("a model would get %d contents", len(history))
				}
			}),
		},
		History: s, Conversation: &id, Parts: []*genai.Part{{Text: "go"}},
		OnLost: func(end bool, err error) { t.Errorf("not saved (end: %t): %v", end, err) },
	}
	for _, err := range turn.Run(t.Context()) {
		if err != nil {
			t.Error(err)
		}
	}
	thread, err := other.Thread(t.Context(), id.ID())
	if err != nil || !ran || chat.Failure(thread.Turns[0]) != nil || len(thread.History()) != 4 {
		t.Errorf("ran: %t; %+v, %v", ran, thread, err)
	}
}

// Only the first turn that is more than a greeting sets the title. A failed turn is saved with its
// error.
func TestFailedTurnIsSavedWithItsError(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	session := &agent.Session{Model: &model{says("hello")}, Tools: new(turntest.Toolbox)}
	var id chat.Identity
	parent := ""
	var titles []string
	for _, text := range []string{"Hello!", "first", "second"} {
		turn := chat.Turn{
			Session: session, History: s, Conversation: &id, Parent: parent, Parts: []*genai.Part{{Text: text}},
			OnBegin: func(turn, title string) { parent, titles = turn, append(titles, title) },
		}
		for range turn.Run(t.Context()) {
		}
	}
	if !slices.Equal(titles, []string{"Hello!", "first", "first"}) {
		t.Errorf("titles %q", titles)
	}
	thread, err := s.Thread(t.Context(), id.ID())
	if err != nil || len(thread.Turns) != 3 || thread.Turns[2].Parent != thread.Turns[1].ID {
		t.Fatalf("%+v, %v", thread, err)
	}
	if err := chat.Failure(thread.Turns[2]); err == nil || err.Error() != "the model is down" {
		t.Errorf("the failure is saved as %v", err)
	}
}

// If the caller stops, the turn ends: the history contains its end, and each call has its response.
func TestStoppedTurnHasAnEnd(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	var id chat.Identity
	turn := chat.Turn{
		Session: &agent.Session{Model: &model{calls()}, Tools: tool(func() {}), Policy: &agent.Policy{AllowAll: true}},
		History: s, Conversation: &id, Parts: []*genai.Part{{Text: "go"}},
	}
	for event := range turn.Run(t.Context()) {
		if _, ok := event.(agent.ToolCalled); ok {
			break
		}
	}
	thread, err := s.Thread(t.Context(), id.ID())
	if err != nil || thread.Turns[0].Ended.IsZero() {
		t.Fatalf("%+v, %v", thread, err)
	}
	if n := len(thread.Turns[0].Contents); n != 3 || thread.Turns[0].Contents[2].Parts[0].FunctionResponse == nil {
		t.Errorf("%d contents are saved", n)
	}
}

// The turn goes on without a history, and with one that fails. The caller gets the reason once for
// each thing that is not saved.
func TestTurnGoesOnUnsaved(t *testing.T) {
	closed := open(t, filepath.Join(t.TempDir(), "history.db"))
	var missing chat.Identity
	missing.Set("0197a2ae-0000-7000-8000-000000000000")
	for _, history := range []*store.Store{nil, closed} {
		var lost []error
		turn := chat.Turn{
			Session: &agent.Session{Model: &model{says("hello")}, Tools: new(turntest.Toolbox)},
			History: history, Conversation: &missing, Parts: []*genai.Part{{Text: "go"}},
			OnLost: func(_ bool, err error) { lost = append(lost, err) },
		}
		answer := ""
		for event, err := range turn.Run(t.Context()) {
			if text, ok := event.(agent.TextDelta); ok && err == nil {
				answer += text.Text
			}
		}
		if answer != "hello" {
			t.Errorf("the answer is %q", answer)
		}
		if history != nil && (len(lost) != 1 || !errors.Is(lost[0], store.ErrNotFound)) || history == nil && lost != nil {
			t.Errorf("lost %v", lost)
		}
	}
}

// A saved turn without an end was cut off.
func TestFailureOfATurnThatWasCutOff(t *testing.T) {
	if err := chat.Failure(store.Turn{}); !errors.Is(err, chat.ErrInterrupted) {
		t.Error(err)
	}
}

// A message has one version for each text. An answer has one version for each turn with the same
// text. Choosing a message returns to the branch that was shown last.
func TestVersions(t *testing.T) {
	siblings, alike := []string{"a1", "b1", "a2"}, []int{0, 1, 0}
	turn := func(i int) store.Turn {
		return store.Turn{ID: siblings[i], Siblings: siblings, Duplicates: alike, Index: i}
	}
	var v chat.ShownBranches
	if turns, at := v.MessageVersions(turn(1)); !slices.Equal(turns, []string{"a2", "b1"}) || at != 1 {
		t.Errorf("versions of the message: %q, %d", turns, at)
	}
	if turns, at := chat.AnswerVersions(turn(2)); !slices.Equal(turns, []string{"a1", "a2"}) || at != 1 {
		t.Errorf("versions of the answer: %q, %d", turns, at)
	}
	v.Record([]store.Turn{turn(0), {ID: "leaf"}})
	if turns, _ := v.MessageVersions(turn(1)); turns[0] != "a1" {
		t.Errorf("the message returns to %q", turns[0])
	}
	if v.Leaf("a1") != "leaf" || v.Leaf("b1") != "b1" {
		t.Errorf("leaves %q, %q", v.Leaf("a1"), v.Leaf("b1"))
	}
}

// A step of the loop is written in two transactions. The first contains the call, its decision and
// all contents so far, before the tool runs. The second contains the result.
func TestStepWaitsForTheDiskTwice(t *testing.T) {
	written := func(steps int) int {
		path := filepath.Join(t.TempDir(), "history.db")
		s := open(t, path)
		answers := model{}
		for range steps {
			answers = append(answers, calls())
		}
		answers = append(answers, says("done"))
		turn := chat.Turn{
			Session: &agent.Session{Model: &answers, Policy: &agent.Policy{AllowAll: true}, Tools: tool(func() {}), MaxSteps: 100},
			History: s, Conversation: &chat.Identity{}, Parts: []*genai.Part{{Text: "go"}},
		}
		for _, err := range turn.Run(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
		}
		return commits(t, path+"-wal")
	}
	few, many := written(5), written(25)
	if got := float64(many-few) / 20; got > 2 {
		t.Errorf("a step makes %.2f transactions, want 2", got)
	}
}

// commits counts the transactions in a write-ahead log (sqlite.org/fileformat2.html, 4.1). The last
// frame of each contains the size of the database.
func commits(t *testing.T, path string) (n int) {
	log, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page := int(binary.BigEndian.Uint32(log[8:]))
	for at := 32; at+24+page <= len(log); at += 24 + page {
		if binary.BigEndian.Uint32(log[at+4:]) != 0 && bytes.Equal(log[at+8:at+16], log[16:24]) {
			n++
		}
	}
	return n
}
