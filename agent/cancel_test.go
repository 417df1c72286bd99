package agent

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"

	"goated/internal/geminitest"

	"google.golang.org/genai"
	"pgregory.net/rapid"
)

// script is a [Model] with fixed answers, which it sends part by part.
type script struct {
	answers [][]*genai.Part
	next    int
}

func (m *script) Generate(ctx context.Context, history []*genai.Content, _ *genai.GenerateContentConfig) iter.Seq2[*genai.GenerateContentResponse, error] {
	return func(yield func(*genai.GenerateContentResponse, error) bool) {
		if err := geminitest.CheckHistory(history); err != nil {
			yield(nil, fmt.Errorf("refused: %w", err))
			return
		}
		parts := []*genai.Part{genai.NewPartFromText("end")}
		if m.next < len(m.answers) {
			parts = m.answers[m.next]
		}
		m.next++
		for i, p := range parts {
			if ctx.Err() != nil {
				yield(nil, ctx.Err())
				return
			}
			c := &genai.Candidate{Content: &genai.Content{Role: genai.RoleModel, Parts: []*genai.Part{p}}}
			if i == len(parts)-1 {
				c.FinishReason = genai.FinishReasonStop
			}
			if !yield(&genai.GenerateContentResponse{Candidates: []*genai.Candidate{c}}, nil) {
				return
			}
		}
	}
}

// Every call has exactly one response, in order, and the model accepts the next turn. This holds
// for any answer, and wherever the caller cancels or breaks out of the loop.
func TestPropertyCancelLeavesValidHistory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.Custom(func(t *rapid.T) *genai.Part {
			switch rapid.IntRange(0, 4).Draw(t, "kind") {
			case 0:
				return &genai.Part{Text: "hm", Thought: true}
			case 1:
				return &genai.Part{Text: rapid.SampledFrom([]string{"", "a", " "}).Draw(t, "text"), ThoughtSignature: []byte("sig")}
			case 2:
				return genai.NewPartFromText(rapid.StringN(1, 4, -1).Draw(t, "text"))
			}
			tool := rapid.SampledFrom([]string{"box__ok", "box__bad", "box__hang", "box__none"}).Draw(t, "tool")
			return &genai.Part{FunctionCall: &genai.FunctionCall{Name: tool, ID: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "id")}}
		})
		model := &script{answers: rapid.SliceOfN(rapid.SliceOfN(part, 1, 4), 0, 4).Draw(t, "answers")}
		decision := rapid.SampledFrom([]Decision{Deny, AllowOnce, AllowAlways}).Draw(t, "decision")
		box := tools(func(ctx context.Context, tool string, _ map[string]any) (string, error) {
			switch tool {
			case "bad":
				return "", errors.New("bad")
			case "hang":
				<-ctx.Done()
				return "", ctx.Err()
			}
			return "ok", nil
		}, "ok", "bad", "hang")
		session := &Session{Model: model, Tools: box, Policy: &Policy{}, MaxSteps: 3, Approve: each(func(context.Context, ToolCalled) (Decision, error) {
			return decision, nil
		})}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		stopAt := rapid.IntRange(0, 12).Draw(t, "stop at event")
		breaks := rapid.Bool().Draw(t, "breaks off")
		called, returned, allowed := map[string]string{}, map[string]int{}, map[string]bool{}
		n, ended, broke := 0, false, false
		for e, err := range session.Send(ctx, genai.NewPartFromText("hi")) {
			if kind := kindOfFailure(err); kind == AnswerEmpty || kind == OnlyThoughts { // no answer three times
				ended = true
				break
			}
			if err != nil {
				t.Fatalf("turn failed: %v", err)
			}
			switch e := e.(type) {
			case ToolCalled:
				called[e.ID] = e.Name
				if e.Name == "box__hang" { // nothing else would end it
					cancel()
				}
			case ToolDecided:
				allowed[e.ID] = e.Decision != Deny
			case ToolReturned:
				returned[e.ID]++
			case TurnEnded:
				ended = true
			}
			if n++; n > stopAt {
				cancel()
				if breaks {
					broke = true
					break
				}
			}
		}
		if err := geminitest.CheckHistory(session.History()); err != nil {
			t.Fatal(err)
		}
		if !broke {
			if !ended {
				t.Fatal("the turn has no end")
			}
			for id := range called {
				if returned[id] != 1 {
					t.Fatalf("%s returned %d times", id, returned[id])
				}
			}
			ran := 0
			for id, name := range called {
				if allowed[id] && name != "box__none" {
					ran++
				}
			}
			if len(box.Calls) > ran {
				t.Fatalf("%d calls ran, %d were allowed", len(box.Calls), ran)
			}
		}
		model.answers = nil
		if events, err := collect(context.Background(), session, "still there?"); err != nil || answerOf(events) != "end" {
			t.Fatalf("the next turn: %v %v", events, err)
		}
	})
}
