package agent

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/internal/geminitest"
	"goated/registry"
)

// calls returns an answer of a model that calls the named tools.
func calls(names ...string) []*genai.Part {
	parts := make([]*genai.Part, len(names))
	for i, name := range names {
		parts[i] = &genai.Part{FunctionCall: &genai.FunctionCall{Name: name}}
	}
	return parts
}

// A session asks one question at a time, regardless of how many calls wait.
func TestOneQuestionAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box := tools(echo, "a", "b", "c")
		open, asked := 0, 0
		session := &Session{Model: &script{answers: [][]*genai.Part{calls("box__a", "box__b", "box__c")}}, Tools: box,
			Approve: each(func(context.Context, ToolCalled) (Decision, error) {
				open++
				asked++
				if open > 1 {
					t.Errorf("%d questions are open", open)
				}
				time.Sleep(time.Second) // every other call waits by now
				open--
				return AllowOnce, nil
			})}
		if _, err := collect(t.Context(), session, "go"); err != nil {
			t.Fatal(err)
		}
		if asked != 3 || len(box.Calls) != 3 {
			t.Errorf("%d questions, %d calls ran", asked, len(box.Calls))
		}
	})
}

// "Once" applies to one call: the next call asks again, with or without a policy.
func TestAllowOnceIsForOneCall(t *testing.T) {
	for _, policy := range []*Policy{nil, {}} {
		box, asked := tools(echo, "a"), 0
		session := &Session{Model: &script{answers: [][]*genai.Part{calls("box__a"), calls("box__a")}}, Tools: box, Policy: policy,
			Approve: each(func(context.Context, ToolCalled) (Decision, error) { asked++; return AllowOnce, nil })}
		if _, err := collect(t.Context(), session, "go"); err != nil {
			t.Fatal(err)
		}
		if asked != 2 || len(box.Calls) != 2 {
			t.Errorf("with %v: %d questions, %d calls ran", policy, asked, len(box.Calls))
		}
	}
}

// "Always" allows the calls of the same tool that wait behind the question.
func TestAllowAlwaysReachesWaitingCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box := tools(echo, "a")
		asked := 0
		session := &Session{Model: &script{answers: [][]*genai.Part{calls("box__a", "box__a", "box__a")}}, Tools: box, Policy: &Policy{},
			Approve: each(func(context.Context, ToolCalled) (Decision, error) {
				asked++
				time.Sleep(time.Second) // every other call waits by now
				return AllowAlways, nil
			})}
		if _, err := collect(t.Context(), session, "go"); err != nil {
			t.Fatal(err)
		}
		if asked != 1 || len(box.Calls) != 3 {
			t.Errorf("%d questions, %d calls ran", asked, len(box.Calls))
		}
	})
}

// "Always" for one tool does not allow any other tool.
func TestAllowAlwaysIsForOneTool(t *testing.T) {
	box := tools(echo, "a", "b")
	var asked []string
	session := &Session{
		Model: &script{answers: [][]*genai.Part{calls("box__a"), calls("box__a"), calls("box__b")}}, Tools: box, Policy: &Policy{},
		Approve: each(func(_ context.Context, c ToolCalled) (Decision, error) {
			asked = append(asked, c.Tool)
			if c.Tool == "a" {
				return AllowAlways, nil
			}
			return Deny, nil
		}),
	}
	if _, err := collect(t.Context(), session, "go"); err != nil {
		t.Fatal(err)
	}
	if len(asked) != 2 || asked[1] != "b" || len(box.Calls) != 2 {
		t.Errorf("asked for %v, ran %v", asked, box.Calls)
	}
}

// A call that is cancelled before it starts does not start, even if it needs no approval.
func TestCancelledCallDoesNotStart(t *testing.T) {
	box := tools(echo, "a")
	session := &Session{Model: &script{answers: [][]*genai.Part{calls("box__a")}}, Tools: box, Policy: &Policy{AllowAll: true}}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var returned ToolReturned
	for e, err := range session.Send(ctx, genai.NewPartFromText("go")) {
		if err != nil {
			t.Fatal(err)
		}
		switch e := e.(type) {
		case ToolCalled:
			cancel()
		case ToolReturned:
			returned = e
		}
	}
	if len(box.Calls) > 0 {
		t.Error("the call ran after the cancel")
	}
	if returned.Error != CallCancelled.Error() || returned.Refusal != CallCancelled {
		t.Errorf("it returned %+v", returned)
	}
	if err := geminitest.CheckHistory(session.History()); err != nil {
		t.Error(err)
	}
}

// The text that the user read before cancelling stays in the history.
func TestTextBeforeACancelStays(t *testing.T) {
	model := &script{answers: [][]*genai.Part{{
		{Text: "hm", Thought: true}, genai.NewPartFromText("It is "), genai.NewPartFromText("noon."),
	}}}
	session := &Session{Model: model, Tools: tools(echo)}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for e, err := range session.Send(ctx, genai.NewPartFromText("what time is it?")) {
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := e.(TextDelta); ok {
			cancel()
		}
	}
	history := session.History()
	if len(history) != 2 || history[1].Role != genai.RoleModel || len(history[1].Parts) != 1 || history[1].Parts[0].Text != "It is " {
		t.Fatalf("the history is %+v", history)
	}
}

// A caller that breaks out of the loop cancels the running calls.
func TestBreakCancelsRunningCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // in the bubble, a call that never ends is a deadlock
		box := tools(func(ctx context.Context, _ string, _ map[string]any) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}, "a")
		session := &Session{Model: &script{answers: [][]*genai.Part{calls("box__a")}}, Tools: box, Policy: &Policy{AllowAll: true}}
		for e, err := range session.Send(t.Context(), genai.NewPartFromText("go")) {
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := e.(ToolDecided); ok {
				break
			}
		}
		if err := geminitest.CheckHistory(session.History()); err != nil || len(session.History()) != 3 {
			t.Errorf("%d contents, %v", len(session.History()), err)
		}
	})
}

// A tool that needs approval for each call asks each time, even if it is a read-only tool of a
// bundled server and the user answered "always" or "this conversation".
func TestEachCallNeedsItsApproval(t *testing.T) {
	for _, decision := range []Decision{AllowAlways, AllowChat} {
		box := tools(echo, "shell")
		box.Registry.Set("box", true, registry.Origin{}, []*mcp.Tool{{
			Name: "shell", InputSchema: map[string]any{"type": "object"}, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}, Meta: mcp.Meta{registry.ApprovalKey: registry.ApprovalEach},
		}})
		asked := 0
		session := &Session{Model: &script{answers: [][]*genai.Part{calls("box__shell", "box__shell"), calls("box__shell")}}, Tools: box, Policy: &Policy{},
			Approve: each(func(context.Context, ToolCalled) (Decision, error) {
				asked++
				return decision, nil
			})}
		if _, err := collect(t.Context(), session, "go"); err != nil {
			t.Fatal(err)
		}
		if asked != 3 || len(box.Calls) != 3 {
			t.Errorf("%v: %d questions, %d calls ran", decision, asked, len(box.Calls))
		}
	}
}

// A call runs only after the caller has handled its decision, so that the history contains the
// decision first.
func TestDecisionIsHandledBeforeTheToolRuns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		box := tools(echo, "a")
		session := &Session{Model: &script{answers: [][]*genai.Part{calls("box__a")}}, Tools: box, Approve: each(func(context.Context, ToolCalled) (Decision, error) {
			return AllowOnce, nil
		})}
		decided := false
		for e, err := range session.Send(t.Context(), genai.NewPartFromText("go")) {
			if err != nil {
				t.Fatal(err)
			}
			if _, ok := e.(ToolDecided); ok {
				decided = true
				synctest.Wait()
				if len(box.Calls) > 0 {
					t.Error("the tool ran while its decision was being saved")
				}
			}
		}
		if !decided || len(box.Calls) != 1 {
			t.Errorf("decided: %v; %d calls ran", decided, len(box.Calls))
		}
	})
}

// unsaved is a [Grants] whose grants cannot be saved.
type unsaved struct{ Grants }

func (unsaved) Has(registry.Entry) bool  { return false }
func (unsaved) Add(registry.Entry) error { return errors.New("the disk is full") }

// If a permission cannot be saved, the session logs and reports the cause, and the call still runs.
func TestUnsavedPermissionIsReported(t *testing.T) {
	var log bytes.Buffer
	var said []error
	box := tools(echo, "a")
	session := &Session{Model: &script{answers: [][]*genai.Part{calls("box__a")}}, Tools: box, Policy: &Policy{Kept: unsaved{}, Unsaved: func(err error) { said = append(said, err) }},
		Logger:  slog.New(slog.NewTextHandler(&log, nil)),
		Approve: each(func(context.Context, ToolCalled) (Decision, error) { return AllowAlways, nil })}
	if _, err := collect(t.Context(), session, "go"); err != nil {
		t.Fatal(err)
	}
	if len(box.Calls) != 1 || !strings.Contains(log.String(), "keeping a permission failed") || !strings.Contains(log.String(), "the disk is full") {
		t.Errorf("%d calls ran; the log is %q", len(box.Calls), log.String())
	}
	if len(said) != 1 || said[0].Error() != "the disk is full" {
		t.Errorf("the user reads %v", said)
	}
	session.Model, session.Policy = &script{answers: [][]*genai.Part{calls("box__a")}}, &Policy{Kept: unsaved{}} // nobody reads reports
	if _, err := collect(t.Context(), session, "go"); err != nil || len(box.Calls) != 2 {
		t.Errorf("without a reader, %d calls ran: %v", len(box.Calls), err)
	}
}

// If goated quits, a running call and its turn report that, rather than that the user stopped them.
func TestQuitIsNotAStop(t *testing.T) {
	box := tools(echo, "a")
	session := &Session{Model: &script{answers: [][]*genai.Part{calls("box__a")}}, Tools: box, Policy: &Policy{}}
	ctx, quit := context.WithCancelCause(t.Context())
	defer quit(nil)
	session.Approve = func(ctx context.Context, _ []Pending) ([]Answer, error) {
		quit(ErrQuit)
		return nil, ctx.Err()
	}
	var events []Event
	for e, err := range session.Send(ctx, genai.NewPartFromText("go")) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	if returned := only[ToolReturned](events); len(returned) != 1 || returned[0].Refusal != CallQuit || returned[0].Duration != 0 || len(box.Calls) > 0 {
		t.Errorf("the call returned %+v", returned)
	}
	if ends := only[TurnEnded](events); len(ends) != 1 || ends[0].Reason != Quit {
		t.Errorf("the turn ended with %+v", ends)
	}
}
