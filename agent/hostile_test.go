package agent

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent/schematest"
	"goated/internal/geminitest"
	"goated/registry"
)

// A schema that is designed to be expensive is declared within 0.1 s, in a request of ordinary
// size. It does not make goated connect to another host (F36, F37).
func TestHostileSchemas(t *testing.T) {
	schematest.Hostile(t, func(name string, schema map[string]any) {
		var data []byte
		var err error
		took := quickest(time.Second, func() {
			data, err = json.Marshal(Declare(registry.Entry{Name: "x", Tool: &mcp.Tool{InputSchema: schema}}).Function.ParametersJsonSchema)
		})
		if err != nil || took > time.Second || len(data) > 1<<20 {
			t.Errorf("%s: %d bytes in %v, %v", name, len(data), took, err)
		}
		s := geminitest.New(t)
		s.Script(geminitest.Text("ok"))
		box := &toolbox{}
		box.Registry.Set("box", false, registry.Origin{}, []*mcp.Tool{{Name: "x", InputSchema: schema}})
		if _, err := collect(t.Context(), &Session{Model: gemini(t, s), Tools: box}, "hi"); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	})
}

// quickest returns the shortest of up to ten measured times of do, because a busy machine delays
// most runs. It stops after the first try within the limit.
func quickest(limit time.Duration, do func()) time.Duration {
	least := time.Duration(math.MaxInt64)
	for range 10 {
		began := time.Now()
		do()
		if least = min(least, time.Since(began)); least <= limit {
			break
		}
	}
	return least
}

// When Gemini fails in the middle of a turn, goated makes a bounded number of
// requests, keeps the history, can retry, and runs no tool twice (F42).
func TestFaultsOfGemini(t *testing.T) {
	call, cut := geminitest.Call("box__x", map[string]any{"n": 1.0}), geminitest.Drop()
	three := func(r geminitest.Reply) []geminitest.Reply { return []geminitest.Reply{r, r, r} }
	for _, tt := range []struct {
		name   string
		faults []geminitest.Reply // the replies to the result of the tool
		kind   FailureKind        // "" if the turn recovers
	}{
		{"rate limit", three(geminitest.RateLimited(geminitest.RetryInfo(30 * time.Millisecond))), RateLimited},
		{"internal error", three(geminitest.Fail(500, "INTERNAL", "An internal error has occurred.")), Unavailable},
		{"overloaded", append(three(geminitest.Overloaded()), three(geminitest.Overloaded())...), Unavailable},
		{"overloaded for a moment", []geminitest.Reply{geminitest.Overloaded()}, ""},
		{"bad request", []geminitest.Reply{geminitest.Fail(400, "INVALID_ARGUMENT", "no"), geminitest.Text("the tools are fine")}, RequestBad},
		{"cut before the answer", []geminitest.Reply{cut}, ""},
		{"cut in a text", []geminitest.Reply{geminitest.Turn(geminitest.Text("It "), cut)}, AnswerCut},
		{"cut after a call", []geminitest.Reply{geminitest.Turn(geminitest.Call("box__x", map[string]any{"n": 2.0}), cut)}, ""},
		{"cut in a thought", []geminitest.Reply{geminitest.Turn(geminitest.Thought("Hm. "), cut)}, ""},
		{"cut in each thought", three(geminitest.Turn(geminitest.Thought("Hm. "), cut)), AnswerCut},
		{"overloaded in a thought", []geminitest.Reply{geminitest.Turn(geminitest.Thought("Hm. "), geminitest.Overloaded())}, ""},
		{"cut in a chunk", []geminitest.Reply{geminitest.Turn(geminitest.Text("It "), geminitest.Malformed(), cut)}, AnswerCut},
		{"an error in the stream", []geminitest.Reply{geminitest.Turn(geminitest.Text("It "), geminitest.Overloaded())}, Unavailable},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := geminitest.New(t)
			s.Script(call)
			s.Script(tt.faults...)
			s.Script(geminitest.Text("Here."))
			box := tools(echo, "x")
			session := &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll), conversationState: conversationState{pause: time.Millisecond}}
			events, err := collect(t.Context(), session, "go")
			if got := kindOfFailure(err); got != tt.kind || (err == nil) != (tt.kind == "") {
				t.Fatalf("the error is %v, want the kind %q", err, tt.kind)
			}
			if err != nil {
				if n := len(s.Requests()); n != 1+len(tt.faults) {
					t.Errorf("%d requests, not %d", n, 1+len(tt.faults))
				}
				if err := geminitest.CheckHistory(session.History()); err != nil {
					t.Error(err)
				}
				events = nil
				for e, err := range session.Send(t.Context()) { // again
					if err != nil {
						t.Fatal(err)
					}
					events = append(events, e)
				}
			}
			if answerOf(events) != "Here." || len(box.Calls) != 1 {
				t.Errorf("it says %q, and the tool ran %d times", answerOf(events), len(box.Calls))
			}
			s.Done()
		})
	}
}

// Calls of unknown tools and calls with wrong arguments get an error as response, so that the model
// can correct them.
func TestMalformedCalls(t *testing.T) {
	s := geminitest.New(t)
	s.Script(
		geminitest.Calls(geminitest.Call("box__nowhere", nil), geminitest.Call("box__x", map[string]any{"n": map[string]any{"deep": []any{nil}}})),
		geminitest.Parts(&genai.Part{FunctionCall: &genai.FunctionCall{Name: strings.Repeat("x", 5000)}}),
		geminitest.Text("Corrected."),
	)
	box := tools(echo, "x")
	session := &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll)}
	events, err := collect(t.Context(), session, "go")
	if err != nil || answerOf(events) != "Corrected." || len(box.Calls) != 1 {
		t.Errorf("%v, %q, %v", err, answerOf(events), box.Calls)
	}
	if err := geminitest.CheckHistory(session.History()); err != nil {
		t.Error(err)
	}
	s.Done()
}
