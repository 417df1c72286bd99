package properties_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"
	"pgregory.net/rapid"

	"goated/agent"
	"goated/client"
	"goated/internal/geminitest"
	"goated/registry"
)

// A person decides on calls, and records which calls may run and for which tools the agent must not
// ask again.
type person struct {
	mu        sync.Mutex
	decisions []agent.Decision // of this check, used in order
	granted   map[string]bool  // of this check: tools for which the agent must not ask again
	allowed   map[int]bool     // of all checks: calls that may run
	names     map[int]string   // of all checks
	wrong     string
}

func (p *person) approve(ctx context.Context, call agent.ToolCalled) (agent.Decision, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if ctx.Err() != nil {
		return agent.Deny, ctx.Err()
	}
	if p.granted[call.Name] {
		p.wrong = "asked again for " + call.Name
	}
	if len(p.decisions) == 0 {
		return agent.Deny, nil
	}
	d := p.decisions[0]
	p.decisions = p.decisions[1:]
	n := callNumber(call.Args)
	switch d {
	case agent.AllowOnce:
		p.allowed[n] = true
	case agent.AllowAlways:
		p.granted[call.Name] = true
		p.allowed[n] = true
	}
	return d, nil
}

// allow records a call that the policy allowed.
func (p *person) allow(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.granted[p.names[n]] {
		p.allowed[n] = true
	}
}

// An utterance is one answer of the model, with the numbers of its calls.
type utterance struct {
	reply geminitest.Reply
	hangs bool
}

// utterances generates answers of a model. It numbers their calls starting at next.
func utterances(next *int, names map[int]string) *rapid.Generator[utterance] {
	return rapid.Custom(func(t *rapid.T) utterance {
		var u utterance
		var steps, calls []geminitest.Reply
		if rapid.Bool().Draw(t, "thinks") {
			steps = append(steps, geminitest.Thought("Hm."))
		}
		if rapid.Bool().Draw(t, "speaks") {
			steps = append(steps, geminitest.Text("Let me ", "see."))
		}
		for range rapid.IntRange(0, 3).Draw(t, "calls") {
			*next++
			name := "box__" + rapid.SampledFrom([]string{"ok", "ok", "fail", "refuse", "hang", "unknown"}).Draw(t, "tool")
			names[*next] = name
			calls = append(calls, geminitest.Call(name, map[string]any{"n": *next, "why": "no ink"}))
		}
		if rapid.Bool().Draw(t, "at once") && len(calls) > 0 {
			calls = []geminitest.Reply{geminitest.Calls(calls...)}
		}
		steps = append(steps, calls...)
		switch rapid.IntRange(0, 15).Draw(t, "ends") {
		case 0:
			steps = append(steps, geminitest.Text("x"), geminitest.Drop())
		case 1:
			steps = append(steps, geminitest.Finish(genai.FinishReasonSafety))
		case 2:
			steps = append(steps, geminitest.Finish(genai.FinishReasonMaxTokens))
		case 3:
			steps = append(steps, geminitest.Text("x"), geminitest.Malformed())
		case 4:
			steps = []geminitest.Reply{geminitest.Fail(http.StatusBadRequest, "INVALID_ARGUMENT", "no")}
		case 5:
			steps, u.hangs = append(steps, geminitest.Hang()), true
		case 6, 7:
			steps = append(steps, geminitest.TrailingSignature())
		}
		u.reply = geminitest.Turn(steps...)
		switch rapid.IntRange(0, 4).Draw(t, "manner") {
		case 0:
			u.reply = u.reply.Signed()
		case 1:
			u.reply = u.reply.WithoutID()
		}
		return u
	})
}

// This follows from the tool loop: "every call in the history has exactly one response, in order,
// even after cancel, break, deny and limit". No tool runs without permission, and the agent does
// not ask again for a granted tool. The model is the real Gemini client with a local server, which
// refuses a wrong history in the next turn. All checks share one tool server.
func TestCallsAreAnswered(t *testing.T) {
	h := newHost(t, client.Options{})
	connect(t, h, box("box", "plain"))
	next := 0
	p := &person{allowed: make(map[int]bool), names: make(map[int]string)}
	times := make(map[int]int) // how often each call ran, over all checks: the server may record one late
	rapid.Check(t, func(t *rapid.T) {
		first := next + 1
		script := rapid.SliceOfN(utterances(&next, p.names), 0, 4).Draw(t, "script")
		p.granted = make(map[string]bool)
		p.decisions = rapid.SliceOfN(rapid.SampledFrom([]agent.Decision{agent.Deny, agent.AllowOnce, agent.AllowOnce, agent.AllowAlways}), 0, 12).Draw(t, "decisions")
		stopAt := rapid.OneOf(rapid.Just(100), rapid.IntRange(0, 12)).Draw(t, "stop at event")
		breaks := rapid.Bool().Draw(t, "breaks off")

		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		api, session, done := newSession(t, h, p)
		defer done()
		var mu sync.Mutex
		api.Handle(func(geminitest.Request) geminitest.Reply {
			mu.Lock()
			defer mu.Unlock()
			if len(script) == 0 {
				return geminitest.Text("end")
			}
			u := script[0]
			script = script[1:]
			if u.hangs {
				time.AfterFunc(2*time.Millisecond, cancel)
			}
			return u.reply
		})

		var turn []agent.Event
		broke, failed := false, false
		calls := make(map[string]int)
		for e, err := range session.Send(ctx, genai.NewPartFromText("go")) {
			if err != nil {
				failed = true
				break
			}
			turn = append(turn, e)
			switch e := e.(type) {
			case agent.ToolCalled:
				calls[e.ID] = callNumber(e.Args)
			case agent.ToolDecided:
				if e.Decision != agent.Deny {
					p.allow(calls[e.ID])
					if p.names[calls[e.ID]] == "box__hang" { // nothing else would end it
						time.AfterFunc(2*time.Millisecond, cancel)
					}
				}
			}
			if len(turn) > stopAt {
				cancel()
				if broke = breaks; broke {
					break
				}
			}
		}
		if !broke {
			checkTurn(t, turn, failed)
		}
		checkHistory(t, session.History(), first)
		if p.wrong != "" {
			t.Fatal(p.wrong)
		}
		for _, n := range ran(t, h) {
			if times[n]++; times[n] > 1 {
				t.Fatalf("call %d ran twice", n)
			}
			// Events after a break, which the caller did not see, may belong to calls of granted
			// tools.
			if !p.allowed[n] && !(broke && p.granted[p.names[n]]) && n >= first {
				t.Fatalf("call %d of %s ran, and nobody allowed it", n, p.names[n])
			}
		}
		if ctx.Err() == nil {
			for n := first; n <= next; n++ {
				if p.allowed[n] && p.names[n] != "box__unknown" && times[n] != 1 {
					t.Fatalf("call %d of %s was allowed and ran %d times", n, p.names[n], times[n])
				}
			}
		}

		mu.Lock()
		script = nil
		mu.Unlock()
		answer := ""
		for e, err := range session.Send(context.Background(), genai.NewPartFromText("still there?")) {
			if err != nil {
				t.Fatalf("the next turn: %v", err)
			}
			if d, ok := e.(agent.TextDelta); ok {
				answer += d.Text
			}
		}
		if refused := api.Refusals(); answer != "end" || len(refused) > 0 {
			t.Fatalf("the next turn answers %q, refused is %q", answer, refused)
		}
	})
}

// newSession returns a session with the real Gemini client and a new server. done closes both.
func newSession(t rapid.TB, tools agent.Tools, p *person) (api *geminitest.Server, s *agent.Session, done func()) {
	t.Helper()
	api, err := geminitest.Start(geminitest.DefaultKey)
	if err != nil {
		t.Fatal(err)
	}
	transport := &http.Transport{}
	model, err := agent.NewGemini(context.Background(), agent.GeminiOptions{
		Key: geminitest.DefaultKey, BaseURL: api.URL, HTTPClient: &http.Client{Transport: transport},
	})
	if err != nil {
		t.Fatal(err)
	}
	s = &agent.Session{Model: model, Tools: tools, Policy: &agent.Policy{}, Approve: agent.ApproveOneByOne(func(ctx context.Context, c agent.Pending) (agent.Answer, error) {
		d, err := p.approve(ctx, c.Call)
		return agent.Answer{Decision: d}, err
	}), MaxSteps: 3}
	return api, s, func() {
		transport.CloseIdleConnections()
		api.Close()
	}
}

// checkTurn checks that each call has one response, and that the end comes last.
func checkTurn(t *rapid.T, turn []agent.Event, failed bool) {
	t.Helper()
	open := make(map[string]int)
	for i, e := range turn {
		switch e := e.(type) {
		case agent.ToolCalled:
			open[e.ID]++
		case agent.ToolDecided:
			if open[e.ID] != 1 {
				t.Fatalf("%s is decided on while it is not open", e.ID)
			}
		case agent.ToolReturned:
			if open[e.ID]--; open[e.ID] != 0 {
				t.Fatalf("%s returned, but was not open", e.ID)
			}
		case agent.TurnEnded:
			if i != len(turn)-1 {
				t.Fatal("events follow the end of the turn")
			}
		}
	}
	for id, n := range open {
		if n != 0 {
			t.Fatalf("%s has not returned", id)
		}
	}
	if !failed {
		if _, ended := turn[len(turn)-1].(agent.TurnEnded); !ended {
			t.Fatal("the turn has no end")
		}
	}
}

// callNumber returns the argument n of a call. The agent keeps all digits of it.
func callNumber(args map[string]any) int {
	n, _ := args["n"].(json.Number)
	i, _ := n.Int64()
	return int(i)
}

// checkHistory checks that a content with calls is followed by one with their responses, in order.
// Tools return the number of their call, which shows the order of calls without ids.
func checkHistory(t *rapid.T, history []*genai.Content, first int) {
	t.Helper()
	for i, c := range history {
		var want, got []string
		for _, p := range c.Parts {
			if call := p.FunctionCall; call != nil {
				n := callNumber(call.Args)
				if n < first {
					t.Fatalf("call %v is of another check", n)
				}
				want = append(want, fmt.Sprint(call.ID, " ", call.Name, " ", n))
			}
		}
		if len(want) > 0 && i+1 < len(history) {
			for j, p := range history[i+1].Parts {
				r := p.FunctionResponse
				if r == nil || j >= len(want) {
					continue
				}
				number := want[j][strings.LastIndex(want[j], " ")+1:]
				if output, ok := r.Response["output"].(string); ok { // "ok 7"
					_, number, _ = strings.Cut(output, " ")
				}
				got = append(got, fmt.Sprint(r.ID, " ", r.Name, " ", number))
			}
		}
		if !slices.Equal(want, got) {
			t.Fatalf("content %d calls %q, and is answered by %q", i, want, got)
		}
	}
}

// This follows from the policy: it allows everything under AllowAll, granted tools that did not
// change, and tools that a bundled server declares read-only, but nothing else.
func TestPolicyAllows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		policy := &agent.Policy{AllowAll: rapid.IntRange(0, 4).Draw(t, "all") == 0}
		granted := make(map[string]bool)
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			tool := boxTool(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "tool"))
			hints := rapid.SampledFrom([]string{"", "read-only", "destructive"}).Draw(t, "hints")
			if hints != "" {
				tool.Annotations = &mcp.ToolAnnotations{ReadOnlyHint: hints == "read-only", IdempotentHint: true}
			}
			e := registry.Entry{Name: "box__" + tool.Name, Server: "box", Tool: tool, Bundled: rapid.Bool().Draw(t, "bundled")}
			if rapid.IntRange(0, 3).Draw(t, "grant") == 0 {
				if err := policy.Grant(e); err != nil {
					t.Fatal(err)
				}
				granted[e.Name+hints] = true
			}
			want := policy.AllowAll || granted[e.Name+hints] || e.Bundled && hints == "read-only"
			if got := policy.Allows(e, nil); got != want {
				t.Fatalf("%+v is allowed: %v, want %v", e, got, want)
			}
		}
	})
}
