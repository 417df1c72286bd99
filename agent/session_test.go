package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/internal/geminitest"
)

// Two calls of one content run in parallel. Their results go back in the order of the calls, and
// the signature stays on its part.
func TestTurnWithParallelCalls(t *testing.T) {
	s := geminitest.New(t)
	s.Script(
		geminitest.Turn(
			geminitest.Thought("Two things."),
			geminitest.Text("Let me ", "look."),
			geminitest.Calls(
				geminitest.Call("box__slow", map[string]any{"n": 1.0}),
				geminitest.Call("box__fast", map[string]any{}),
			),
			geminitest.Usage(10, 5, 3),
		),
		geminitest.Turn(geminitest.Text("Both ", "done."), geminitest.TrailingSignature(), geminitest.Usage(30, 2, 0)),
		geminitest.Turn(geminitest.Text("Bye.")),
	)
	fastReturned := make(chan struct{})
	box := tools(func(ctx context.Context, tool string, _ map[string]any) (string, error) {
		if tool == "slow" { // returns only if fast runs at the same time
			select {
			case <-fastReturned:
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
		return tool, nil
	}, "slow", "fast")
	session := &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll), Thoughts: true}

	var events []Event
	for e, err := range session.Send(t.Context(), genai.NewPartFromText("do both")) {
		if err != nil {
			t.Fatal(err)
		}
		if r, ok := e.(ToolReturned); ok && r.ID == "call-2" {
			close(fastReturned)
		}
		events = append(events, e)
	}
	if got := answerOf(events); got != "Let me look.Both done." {
		t.Errorf("answer %q", got)
	}
	returned := only[ToolReturned](events)
	if len(returned) != 2 || returned[0].ID != "call-2" || returned[1].ID != "call-1" {
		t.Errorf("returned %+v", returned)
	}
	ended := only[TurnEnded](events)
	if len(ended) != 1 || ended[0].Reason != Done || ended[0].Steps != 2 || ended[0].Usage != (Usage{Prompt: 40, Answer: 7, Thought: 3}) {
		t.Errorf("ended %+v", ended)
	}
	responses := s.Requests()[1].Contents[2].Parts
	if len(responses) != 2 || responses[0].FunctionResponse.Name != "box__slow" || responses[1].FunctionResponse.Response["output"] != "fast" {
		t.Errorf("responses %+v %+v", responses[0].FunctionResponse, responses[1].FunctionResponse)
	}
	// The signature of the trailing empty part must be in the next request. Otherwise the server
	// refuses the request and this test fails.
	if _, err := collect(t.Context(), session, "thanks"); err != nil {
		t.Fatal(err)
	}
	if err := geminitest.CheckHistory(session.History()); err != nil {
		t.Error(err)
	}
	s.Done()
}

func TestToolFailuresGoToTheModel(t *testing.T) {
	s := geminitest.New(t)
	s.Script(
		geminitest.Calls(
			geminitest.Call("box__bad", nil),
			geminitest.Call("box__unknown", nil),
			geminitest.Call("box__denied", nil),
		),
		geminitest.Text("I see."),
	)
	box := tools(func(context.Context, string, map[string]any) (string, error) { return "", errors.New("out of ink") }, "bad", "denied")
	session := &Session{Model: gemini(t, s), Tools: box, Approve: each(func(_ context.Context, c ToolCalled) (Decision, error) {
		if c.Tool == "denied" {
			return Deny, nil
		}
		return AllowOnce, nil
	})}
	events, err := collect(t.Context(), session, "try")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"out of ink", "no tool is named box__unknown", "The user did not allow this call."}
	for i, p := range s.Requests()[1].Contents[2].Parts {
		if got := p.FunctionResponse.Response["error"]; got != want[i] {
			t.Errorf("response %d: %v, want %q", i, got, want[i])
		}
	}
	if len(box.Calls) != 1 {
		t.Errorf("ran %v", box.Calls)
	}
	if got := len(only[ToolReturned](events)); got != 3 {
		t.Errorf("%d calls returned", got)
	}
	s.Done()
}

func TestStepLimit(t *testing.T) {
	s := geminitest.New(t)
	s.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Call("box__again", nil) })
	session := &Session{Model: gemini(t, s), Tools: tools(echo, "again"), Approve: each(allowAll)}
	events, err := collect(t.Context(), session, "loop")
	if err != nil {
		t.Fatal(err)
	}
	ended := only[TurnEnded](events)
	if len(ended) != 1 || ended[0].Reason != StepLimit || ended[0].Steps != DefaultMaxSteps || len(s.Requests()) != DefaultMaxSteps {
		t.Errorf("ended %+v after %d requests", ended, len(s.Requests()))
	}
	if err := geminitest.CheckHistory(session.History()); err != nil {
		t.Error(err)
	}
}

func TestAnswersThatAreNone(t *testing.T) {
	for _, tt := range []struct {
		name   string
		reply  geminitest.Reply
		reason Reason
	}{
		{"safety", geminitest.Turn(geminitest.Text("I"), geminitest.Finish(genai.FinishReasonSafety)), Blocked},
		{"max tokens", geminitest.Turn(geminitest.Text("It is"), geminitest.Finish(genai.FinishReasonMaxTokens)), Truncated},
		{"cut call", geminitest.Turn(geminitest.Call("box__x", nil), geminitest.Finish(genai.FinishReasonMaxTokens)), Truncated},
		{"prompt", geminitest.Blocked("PROHIBITED_CONTENT"), Blocked},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := geminitest.New(t)
			s.Script(tt.reply, geminitest.Text("Fine."))
			box := tools(echo, "x")
			session := &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll)}
			events, err := collect(t.Context(), session, "go")
			if err != nil {
				t.Fatal(err)
			}
			ended := only[TurnEnded](events)
			if len(ended) != 1 || ended[0].Reason != tt.reason || ended[0].Reason != Truncated && ended[0].Cause == "" {
				t.Errorf("ended %+v", ended)
			}
			if len(box.Calls) > 0 {
				t.Errorf("a call of an unfinished answer ran: %v", box.Calls)
			}
			if _, err := collect(t.Context(), session, "again"); err != nil {
				t.Errorf("the next turn: %v", err)
			}
			s.Done()
		})
	}
}

// A failed turn can be retried. No message of the user is lost or sent twice.
func TestRetry(t *testing.T) {
	s := geminitest.New(t)
	bad := geminitest.Fail(400, "INVALID_ARGUMENT", "out of order")
	s.Script(bad, geminitest.Turn(geminitest.Text("half"), geminitest.Drop()), geminitest.Text("Here."))
	session := &Session{Model: gemini(t, s), Tools: tools(echo), Approve: each(allowAll)}
	if _, err := collect(t.Context(), session, "hello"); err == nil || !strings.Contains(err.Error(), "out of order") {
		t.Fatalf("error %v", err)
	}
	if _, err := collect(t.Context(), session, "there"); err == nil {
		t.Fatal("a dropped connection went unnoticed")
	}
	var said string
	for e, err := range session.Send(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if d, ok := e.(TextDelta); ok {
			said += d.Text
		}
	}
	last := s.Requests()[2].Contents
	if said != "Here." || len(last) != 1 || len(last[0].Parts) != 2 {
		t.Errorf("%q after %+v", said, last)
	}
	for _, err := range session.Send(t.Context()) {
		if !errors.Is(err, ErrNothing) {
			t.Errorf("going on from an answer: %v", err)
		}
	}
	s.Done()
}

func TestNoApprovalWithoutAPerson(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Call("box__x", nil), geminitest.Text("ok"))
	box := tools(echo, "x")
	session := &Session{Model: gemini(t, s), Tools: box}
	if _, err := collect(t.Context(), session, "go"); err != nil {
		t.Fatal(err)
	}
	if len(box.Calls) != 0 {
		t.Error("a call ran that nobody allowed")
	}
}

// "Always" allows later calls of the tool, in the same step and in later steps.
func TestAllowAlways(t *testing.T) {
	s := geminitest.New(t)
	s.Script(
		geminitest.Calls(geminitest.Call("box__x", map[string]any{"n": 1.0}), geminitest.Call("box__x", map[string]any{"n": 2.0})),
		geminitest.Call("box__x", map[string]any{"n": 3.0}), geminitest.Text("ok"))
	box := tools(echo, "x")
	asked := 0 // the questions never overlap, so it needs no lock
	session := &Session{Model: gemini(t, s), Tools: box, Policy: &Policy{}, Approve: each(func(context.Context, ToolCalled) (Decision, error) {
		asked++
		return AllowAlways, nil
	})}
	if _, err := collect(t.Context(), session, "go"); err != nil {
		t.Fatal(err)
	}
	if asked != 1 || len(box.Calls) != 3 {
		t.Errorf("asked %d times for %d calls", asked, len(box.Calls))
	}
}

// No error, log or history contains the key.
func TestKeyStaysSecret(t *testing.T) {
	s := geminitest.New(t, geminitest.Key("right"))
	var logged bytes.Buffer
	const canary = "AIzaCanary-31337"
	g, err := NewGemini(t.Context(), GeminiOptions{Key: canary, BaseURL: s.URL})
	if err != nil {
		t.Fatal(err)
	}
	session := &Session{Model: g, Tools: tools(echo), Logger: slog.New(slog.NewJSONHandler(&logged, nil))}
	_, err = collect(t.Context(), session, "hello")
	if f := (*Failure)(nil); !errors.As(err, &f) || f.Kind != KeyRefused {
		t.Errorf("the error is %v", err)
	}
	_, err2 := g.Models(t.Context())
	_, err3 := NewGemini(t.Context(), GeminiOptions{Key: canary, BaseURL: "::bad\x00"})
	history, _ := json.Marshal(session.History())
	for _, text := range []string{err.Error(), err2.Error(), logged.String(), string(history)} {
		if strings.Contains(text, canary) {
			t.Errorf("the key is in %q", text)
		}
	}
	if err3 != nil && strings.Contains(err3.Error(), canary) {
		t.Errorf("the key is in %q", err3)
	}
	if !strings.Contains(logged.String(), `"kind"`) || !strings.Contains(logged.String(), `"stack"`) {
		t.Errorf("log %s", logged.String())
	}
}

func TestModels(t *testing.T) {
	names, err := gemini(t, geminitest.New(t)).Models(t.Context())
	if err != nil || len(names) < 3 || !strings.Contains(strings.Join(names, " "), DefaultModel) {
		t.Errorf("%v %v", names, err)
	}
	for _, n := range names {
		if strings.Contains(n, "embedding") {
			t.Errorf("%s holds no conversation", n)
		}
	}
}

// Progress comes between the decision and the return of its call.
func TestProgressIsAnEvent(t *testing.T) {
	s := geminitest.New(t)
	s.Script(
		geminitest.Turn(geminitest.Call("box__dig", map[string]any{})),
		geminitest.Turn(geminitest.Text("Dug.")),
	)
	box := tools(echo, "dig")
	box.Told = []*mcp.ProgressNotificationParams{{Progress: 1, Total: 2, Message: "at 1"}, {Progress: 2, Total: 2}}
	events, err := collect(t.Context(), &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll)}, "dig")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, e := range events {
		kinds = append(kinds, eventType(e))
	}
	if got := strings.Join(kinds, " "); !strings.Contains(got, "tool_decided tool_progressed tool_progressed tool_returned") {
		t.Errorf("the events are %s", got)
	}
	if p := only[ToolProgressed](events)[0]; p != (ToolProgressed{ID: "call-1", Progress: 1, Total: 2, Message: "at 1"}) {
		t.Errorf("the first is %+v", p)
	}
	if d := only[ToolDecided](events)[0]; time.Since(d.At) > time.Minute {
		t.Errorf("it ran from %v", d.At)
	}
}
