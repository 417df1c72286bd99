package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"

	"google.golang.org/genai"
	"pgregory.net/rapid"

	"goated/agent"
	"goated/internal/store"
)

// A message that the provider blocked is in the history, but it is not sent to the model again. In
// place of blocked results, the model gets a note.
func TestBlockedPromptIsNotRestored(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	say := func(text string) *genai.Content { return genai.NewContentFromText(text, genai.RoleUser) }
	blocked := agent.TurnEnded{Reason: agent.Blocked, Cause: agent.PromptBlocked, Code: "SAFETY"}
	record := func(parent string, contents []*genai.Content, end agent.Event) string {
		r := begin(t, s, c.ID, parent, contents[0].Parts[0].Text)
		for _, err := range []error{r.Record(t.Context(), end), r.Contents(t.Context(), contents), r.End(t.Context(), nil)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		return r.ID
	}
	last := record("", []*genai.Content{say("one"), genai.NewContentFromText("1", genai.RoleModel)}, agent.TurnEnded{Reason: agent.Done})
	last = record(last, []*genai.Content{say("poison")}, blocked)
	record(last, []*genai.Content{
		say("two"),
		{Role: genai.RoleModel, Parts: []*genai.Part{{FunctionCall: &genai.FunctionCall{ID: "1", Name: "box__x"}}}},
		{Role: genai.RoleUser, Parts: []*genai.Part{{FunctionResponse: &genai.FunctionResponse{ID: "1", Name: "box__x", Response: map[string]any{"output": "poison"}}}}},
	}, blocked)
	thread, err := s.Thread(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	history := thread.History()
	if len(history) != 5 || history[2].Parts[0].Text != "two" || fmt.Sprint(history[4].Parts[0].FunctionResponse.Response["output"]) == "poison" {
		t.Errorf("%d contents, the last is %+v", len(history), history[len(history)-1].Parts[0])
	}
	if len(thread.Turns) != 3 || thread.Turns[1].User[0].Text != "poison" {
		t.Error("the conversation lost the message")
	}
}

// The restored history equals the session's history.
func TestHistoryIsExact(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s := open(t, path)
	c := create(t, s)
	r := begin(t, s, c.ID, "", "What is in the picture?")
	parts := []*genai.Part{{Text: "What is in the picture?"}, {InlineData: &genai.Blob{Data: []byte{0, 1, 254, 255}, MIMEType: "image/png", DisplayName: "a.png"}}}
	yes := true
	want := []*genai.Content{
		{Role: genai.RoleUser, Parts: parts},
		{Role: genai.RoleModel, Parts: []*genai.Part{
			{Text: "I look at it.", Thought: true},
			{ThoughtSignature: []byte{9, 0, 9}}, // empty text
			{Text: "<b>Let me see</b> &\u2028", ThoughtSignature: []byte("signed")},
			{FunctionCall: &genai.FunctionCall{ID: "1", Name: "box__look", Args: map[string]any{
				"n": json.Number("3"), "big": json.Number("12345678901234567890.10"), "small": json.Number("1E-400"), "list": []any{json.Number("1.0"), "2", nil, true},
				"deep": map[string]any{"x": map[string]any{"y": json.Number("-0.5")}},
			}}, ThoughtSignature: []byte{1}},
			{FunctionCall: &genai.FunctionCall{ID: "2", Name: "box__bare"}},
		}},
		{Role: genai.RoleUser, Parts: []*genai.Part{
			{FunctionResponse: &genai.FunctionResponse{ID: "1", Name: "box__look", Response: map[string]any{"output": "a cat"},
				WillContinue: &yes, Parts: []*genai.FunctionResponsePart{genai.NewFunctionResponsePartFromBytes([]byte{7}, "image/jpeg")}}},
			{FunctionResponse: &genai.FunctionResponse{ID: "2", Name: "box__bare", Response: map[string]any{"error": "no"}}},
		}},
		{Role: genai.RoleModel, Parts: []*genai.Part{{Text: "A cat."}, {Text: "", ThoughtSignature: []byte("last")}}},
	}
	if err := r.Contents(t.Context(), want); err != nil {
		t.Fatal(err)
	}
	if got := thread(t, open(t, path), c.ID).History(); !reflect.DeepEqual(got, want) {
		t.Fatalf("%s\ninstead of\n%s", show(t, got), show(t, want))
	}
}

// A model accepts the history of any interrupted turns. History does not change a history that a model
// accepts.
func TestHistoryIsAccepted(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		c := create(t, s)
		parent := ""
		for range rapid.IntRange(1, 4).Draw(t, "turns") {
			r, err := s.Begin(ctx, c.ID, parent, say("ask"))
			if err != nil {
				t.Fatal(err)
			}
			parent = r.ID
			whole := contents().Draw(t, "contents")
			if err := r.Contents(ctx, whole[:rapid.IntRange(0, len(whole)).Draw(t, "recorded")]); err != nil {
				t.Fatal(err)
			}
			if rapid.Bool().Draw(t, "ends") {
				if err := r.End(ctx, nil); err != nil {
					t.Fatal(err)
				}
			}
		}
		th := thread(t, s, c.ID)
		accepted(t, th.History())
		again := store.Thread{Turns: []store.Turn{{Contents: th.History()}}}
		if !reflect.DeepEqual(again.History(), th.History()) {
			t.Fatal("History changed a history that a model accepts")
		}
	})
}

// contents generates the contents that a turn adds to the history.
func contents() *rapid.Generator[[]*genai.Content] {
	return rapid.Custom(func(t *rapid.T) []*genai.Content {
		all := []*genai.Content{{Role: genai.RoleUser, Parts: say("ask")}}
		for range rapid.IntRange(0, 2).Draw(t, "steps") {
			call := &genai.Content{Role: genai.RoleModel, Parts: say("let me see")}
			response := &genai.Content{Role: genai.RoleUser}
			for i := range rapid.IntRange(1, 3).Draw(t, "calls") {
				id := rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "id")
				call.Parts = append(call.Parts, &genai.Part{FunctionCall: &genai.FunctionCall{ID: id, Name: "f", Args: map[string]any{"i": json.Number(strconv.Itoa(i))}}})
				if rapid.IntRange(0, 9).Draw(t, "answered") > 0 {
					response.Parts = append(response.Parts, &genai.Part{FunctionResponse: &genai.FunctionResponse{ID: id, Name: "f", Response: map[string]any{"i": json.Number(strconv.Itoa(i))}}})
				}
			}
			all = append(all, call)
			if len(response.Parts) > 0 {
				all = append(all, response)
			}
		}
		return append(all, &genai.Content{Role: genai.RoleModel, Parts: say("done")})
	})
}

// accepted fails the test if a model would refuse a history.
func accepted(tb rapid.TB, h []*genai.Content) {
	tb.Helper()
	if err := acceptable(h); err != nil {
		tb.Fatal(err)
	}
}

func acceptable(h []*genai.Content) error {
	for i, c := range h {
		if len(c.Parts) == 0 {
			return fmt.Errorf("content %d is empty", i)
		}
		var calls, responses []string
		for _, p := range c.Parts {
			if p.FunctionCall != nil {
				calls = append(calls, p.FunctionCall.ID+p.FunctionCall.Name)
			}
		}
		if len(calls) == 0 {
			continue
		}
		if i+1 == len(h) {
			return fmt.Errorf("content %d has no responses", i)
		}
		for _, p := range h[i+1].Parts {
			if p.FunctionResponse == nil {
				return fmt.Errorf("content %d does not respond", i+1)
			}
			responses = append(responses, p.FunctionResponse.ID+p.FunctionResponse.Name)
		}
		if !reflect.DeepEqual(calls, responses) {
			return fmt.Errorf("calls %q, responses %q", calls, responses)
		}
	}
	return nil
}

// A session appends a message to an unanswered one, so the next turn's own contents lack that message.
// The history contains it once.
func TestHistoryOfUnansweredMessage(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	user := func(parts ...*genai.Part) *genai.Content { return &genai.Content{Role: genai.RoleUser, Parts: parts} }
	model := &genai.Content{Role: genai.RoleModel, Parts: say("yes")}
	a, b := &genai.Part{Text: "a"}, &genai.Part{Text: "b"}

	first := begin(t, s, c.ID, "", "a") // the model failed
	if err := first.Contents(t.Context(), []*genai.Content{user(a)}); err != nil {
		t.Fatal(err)
	}
	second := begin(t, s, c.ID, first.ID, "b")
	if err := second.Contents(t.Context(), []*genai.Content{model}); err != nil {
		t.Fatal(err)
	}
	want := []*genai.Content{user(a, b), model}
	if got := thread(t, s, c.ID).History(); !reflect.DeepEqual(got, want) {
		t.Fatalf("%s", show(t, got))
	}
	if got := thread(t, s, c.ID).History(); len(got) != 2 {
		t.Fatalf("%s", show(t, got)) // History does not change the turns
	}
}
