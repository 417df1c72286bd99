package agent

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"goated/internal/geminitest"
)

// picky returns a service that refuses each request for whose functions bad returns true, with
// message. It answers all others.
func picky(t *testing.T, message string, bad func(names []string) bool) *geminitest.Server {
	t.Helper()
	s := geminitest.New(t)
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		var names []string
		for _, tool := range r.Tools {
			for _, f := range tool.FunctionDeclarations {
				names = append(names, f.Name)
			}
		}
		if bad(names) {
			index := slices.IndexFunc(names, func(n string) bool { return bad([]string{n}) })
			return geminitest.Fail(400, "INVALID_ARGUMENT", strings.ReplaceAll(message, "#", fmt.Sprint(index)))
		}
		return geminitest.Text("Hello.")
	})
	return s
}

func names(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("t%03d", i)
	}
	return out
}

// A tool that the service refuses does not end the turn: the session finds it, leaves it out and
// reports it once.
func TestRefusedToolsAreLeftOut(t *testing.T) {
	without := func(bad ...string) func([]string) bool {
		return func(names []string) bool {
			return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(bad, strings.TrimPrefix(n, "box__")) })
		}
	}
	for _, tt := range []struct {
		name, message string
		bad           func([]string) bool
		left          []string // tools that are left out
		requests      int      // most requests in the first turn
	}{
		{"named", "* GenerateContentRequest.tools[0].function_declarations[#].parameters_json_schema: no", without("t007"), []string{"t007"}, 2},
		{"two named", "Invalid value at 'tools[0].function_declarations[#].parameters_json_schema'", without("t007", "t100"), []string{"t007", "t100"}, 3},
		{"not named", "Request contains an invalid argument.", without("t063"), []string{"t063"}, 20},
		{"two not named", "Request contains an invalid argument.", without("t000", "t127"), []string{"t000", "t127"}, 32},
		{"all together", "The specified schema produces a constraint that has too many states for serving.", func(n []string) bool { return len(n) > 64 }, names(128)[64:], 6},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := picky(t, tt.message, tt.bad)
			session := &Session{Model: gemini(t, s), Tools: tools(echo, names(128)...), Approve: each(allowAll)}
			for turn := range 2 {
				events, err := collect(t.Context(), session, "hi")
				if err != nil || answerOf(events) != "Hello." {
					t.Fatalf("%q, %v", answerOf(events), err)
				}
				var left []string
				for _, q := range only[ToolQuarantined](events) {
					left = append(left, q.Tool)
					if q.Server != "box" || q.Reason == "" {
						t.Errorf("said %+v", q)
					}
				}
				if turn == 0 && !slices.Equal(left, tt.left) || turn == 1 && left != nil {
					t.Errorf("turn %d leaves out %v", turn, left)
				}
				if n := len(s.Requests()); turn == 0 && n > tt.requests {
					t.Errorf("%d requests", n)
				}
			}
			if n := len(session.History()); n != 4 {
				t.Errorf("the history has %d contents", n)
			}
		})
	}
}

// The cost of a turn includes the requests that search for the refused tool.
func TestTurnCostsWhatTheSearchForRefusedToolsDoes(t *testing.T) {
	s := geminitest.New(t)
	answered := 0
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		if strings.Contains(string(r.Body), `"box__b"`) {
			return geminitest.Fail(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")
		}
		answered++
		return geminitest.Turn(geminitest.Text("Hel", "lo."), geminitest.Usage(1000, 100, 10))
	})
	g, err := NewGemini(t.Context(), GeminiOptions{Key: geminitest.DefaultKey, BaseURL: s.URL, Model: "gemini-2.5-flash"})
	if err != nil {
		t.Fatal(err)
	}
	events, err := collect(t.Context(), &Session{Model: g, Tools: tools(echo, "a", "b", "c", "d")}, "hi")
	if err != nil {
		t.Fatal(err)
	}
	u := only[TurnEnded](events)[0].Usage
	if want := float64(answered) * (1000*0.30 + 110*2.50) / 1e6; answered < 3 || u.Total() != 1110*answered || math.Abs(u.Cost-want) > 1e-12 {
		t.Errorf("%d requests were answered: %+v, want a cost of %g", answered, u, want)
	}
}

// A refusal that the tools did not cause is a failure, and leaves all tools in.
func TestOtherRefusalsLeaveTheTools(t *testing.T) {
	s := geminitest.New(t)
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		if strings.Contains(string(r.Body), "poison") {
			return geminitest.Fail(400, "INVALID_ARGUMENT", "Request contains an invalid argument.")
		}
		return geminitest.Text("ok")
	})
	session := &Session{Model: gemini(t, s), Tools: tools(echo, names(8)...), Approve: each(allowAll)}
	if _, err := collect(t.Context(), session, "poison"); kindOfFailure(err) != RequestBad {
		t.Errorf("the error is %v", err)
	}
	if n := len(session.declarations.functions()); n != 8 {
		t.Errorf("%d tools are left", n)
	}
}

// A tool whose schema cannot be declared is left out. The others work.
func TestToolWithoutASchemaIsLeftOut(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Text("ok"))
	box := tools(echo, "x", "y")
	box.Registry.All()[0].Tool.InputSchema = "not a schema"
	events, err := collect(t.Context(), &Session{Model: gemini(t, s), Tools: box}, "hi")
	if err != nil {
		t.Fatal(err)
	}
	if q := only[ToolQuarantined](events); len(q) != 1 || q[0].Tool != "x" || !strings.Contains(q[0].Reason, "not an object") {
		t.Errorf("left out: %+v", q)
	}
	if f := s.Requests()[0].Tools[0].FunctionDeclarations; len(f) != 1 || f[0].Name != "box__y" {
		t.Errorf("declared: %v", f)
	}
}

// The user is not asked about a call whose arguments cannot work. The model gets the
// reason and corrects it.
func TestArgumentsAreCheckedBeforeApproval(t *testing.T) {
	s := geminitest.New(t)
	s.Script(
		geminitest.Call("box__x", map[string]any{"n": "one"}),
		geminitest.Call("box__x", map[string]any{"n": 1}),
		geminitest.Text("Done."),
	)
	box := tools(echo, "x")
	box.Registry.All()[0].Tool.InputSchema = map[string]any{"type": "object", "properties": map[string]any{"n": map[string]any{"type": "integer", "multipleOf": 1.0}}, "required": []any{"n"}}
	asked := 0
	session := &Session{Model: gemini(t, s), Tools: box, Approve: each(func(context.Context, ToolCalled) (Decision, error) { asked++; return AllowOnce, nil })}
	events, err := collect(t.Context(), session, "go")
	if err != nil || asked != 1 || len(box.Calls) != 1 {
		t.Errorf("asked %d times, ran %d times, %v", asked, len(box.Calls), err)
	}
	returned := only[ToolReturned](events)[0]
	if returned.Refusal != ArgumentsWrong || !strings.Contains(returned.Error, "integer") {
		t.Errorf("returned %+v", returned)
	}
	response := s.Requests()[1].Contents[2].Parts[0].FunctionResponse.Response
	if said, _ := response["error"].(string); !strings.Contains(said, "do not fit the tool's schema") {
		t.Errorf("the model gets %v", response)
	}
}
