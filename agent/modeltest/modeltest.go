// Package modeltest contains the tests that every [agent.Model] passes: the same answers of a
// service result in the same turn, regardless of its protocol.
//
// To test another provider, write a [Serve]: a local service that sends each [Answer] in the
// provider's own protocol and refuses what the real service refuses. The test calls [Run] with it,
// and [Change] with it and the Serve of another provider:
//
//	func TestProvider(t *testing.T) { modeltest.Run(t, serve) }
//
// The package owns nothing after its functions return. It must not depend on any provider.
package modeltest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"goated/agent"
	"goated/agent/turntest"
	"goated/internal/geminitest"
)

const (
	// Key is the key that the service of a [Serve] expects, if its protocol has keys.
	Key = "test-key"
	// Tool is the only tool in the tests. Its argument n is any number.
	Tool = "box__x"
)

// A Fault is a fault of the service while it sends an [Answer].
type Fault int

// The faults. They occur after the parts of the answer, except RateLimit and WrongKey, which
// replace the answer.
const (
	None        Fault = iota
	Cut               // the stream ends before the answer is complete
	Silent            // the stream stays open but sends nothing
	RateLimit         // the service accepts requests again after a second
	WrongKey          // the service refuses the key, and quotes it if the real service does
	OutputLimit       // the answer has reached its length limit
)

// An Answer is one answer of a service. The zero value is an empty answer.
type Answer struct {
	Thought, Text string
	Calls         []map[string]any // the arguments of calls of [Tool]; see also [Broken]
	Fault         Fault
}

// Broken reports whether the service must send a call in a form that no client can parse.
func Broken(args map[string]any) bool { return args["broken"] != nil }

// A Serve starts a local service that gives one answer to each request, in order, and returns a
// model for it. It stops the service with t.Cleanup. The function requests returns how many
// requests for answers the service has received.
type Serve func(t *testing.T, answers ...Answer) (m agent.Model, requests func() int)

// Run tests a provider. Its subtests run in parallel.
func Run(t *testing.T, serve Serve) {
	one, big := map[string]any{"n": 1}, map[string]any{"n": json.Number("12345678901234567890")}
	for _, tt := range []struct {
		name    string
		answers []Answer
		says    string
		ran     int
		kind    agent.FailureKind
		reason  agent.Reason
	}{
		{"text", []Answer{{Thought: "Hm.", Text: "Hello."}}, "Hello.", 0, "", agent.Done},
		{"a call", []Answer{{Text: "I look.", Calls: []map[string]any{one}}, {Text: "Done."}}, "I look.Done.", 1, "", agent.Done},
		{"parallel calls", []Answer{{Calls: []map[string]any{one, {}, big}}, {Text: "Done."}}, "Done.", 3, "", agent.Done},
		{"steps", []Answer{{Calls: []map[string]any{one}}, {Calls: []map[string]any{one, one}}, {Text: "Done."}}, "Done.", 3, "", agent.Done},
		{"broken call, then a good one", []Answer{{Calls: []map[string]any{{"broken": true}}}, {Calls: []map[string]any{one}}, {Text: "Done."}}, "Done.", 1, "", agent.Done},
		{"empty, then an answer", []Answer{{}, {Text: "Done."}}, "Done.", 0, "", agent.Done},
		{"only thoughts", []Answer{{Thought: "Hm."}, {Thought: "Hm."}, {Thought: "Hm."}}, "", 0, agent.OnlyThoughts, ""},
		{"cut", []Answer{{Text: "Half", Fault: Cut}}, "Half", 0, agent.AnswerCut, ""},
		{"cut after a call", []Answer{{Calls: []map[string]any{one}, Fault: Cut}, {Text: "Done."}}, "Done.", 0, "", agent.Done},
		{"silent", []Answer{{Text: "Half", Fault: Silent}}, "Half", 0, agent.Silent, ""},
		{"output limit", []Answer{{Text: "Half", Fault: OutputLimit}}, "Half", 0, "", agent.Truncated},
		{"rate limit", []Answer{{Fault: RateLimit}, {Text: "Done."}}, "Done.", 0, "", agent.Done},
		{"wrong key", []Answer{{Fault: WrongKey}}, "", 0, agent.KeyRefused, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			model, requests := serve(t, tt.answers...)
			tools := turntest.New(turntest.Echo, "x")
			session := newSession(model, tools)
			if tt.kind == agent.Silent {
				session.Idle = 2 * time.Second // a busy machine needs time for the first half
			}
			events, err := Collect(t.Context(), session, "go")
			if KindOf(err) != tt.kind || (err == nil) != (tt.kind == "") {
				t.Fatalf("the error is %v, want the kind %q", err, tt.kind)
			}
			if err != nil && strings.Contains(err.Error(), Key) {
				t.Errorf("the error holds the key: %v", err)
			}
			for _, call := range turntest.Only[agent.ToolCalled](events) {
				if n := fmt.Sprint(call.Args["n"]); len(n) > 10 && n != "12345678901234567890" {
					t.Errorf("the number is %s", n)
				}
			}
			ends := turntest.Only[agent.TurnEnded](events)
			if says := Said(events); says != tt.says || len(tools.Calls) != tt.ran || requests() != len(tt.answers) {
				t.Errorf("it says %q, ran %d calls, made %d requests", says, len(tools.Calls), requests())
			}
			if err == nil && (len(ends) != 1 || ends[0].Reason != tt.reason || ends[0].Usage.Prompt == 0) {
				t.Errorf("it ends with %+v", ends)
			}
			if err := geminitest.CheckHistory(session.History()); err != nil {
				t.Error(err)
			}
		})
	}
}

// Change runs one conversation with a model of one provider, then with a model of another provider,
// then with the first again. Each service refuses a history that it cannot accept.
func Change(t *testing.T, one, other Serve) {
	call := []map[string]any{{}}
	first, _ := one(t, Answer{Calls: []map[string]any{{"n": 1}}}, Answer{Text: "One."}, Answer{Text: "Three."})
	second, _ := other(t, Answer{Text: "I call.", Calls: call}, Answer{Text: "Two."})
	session := newSession(first, turntest.New(turntest.Echo, "x"))
	for i, m := range []agent.Model{first, second, first} {
		session.Model = m
		if _, err := Collect(t.Context(), session, "go"); err != nil {
			t.Fatalf("turn %d: %v", i, err)
		}
	}
	if err := geminitest.CheckHistory(session.History()); err != nil {
		t.Error(err)
	}
}
