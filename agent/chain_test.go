package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/internal/geminitest"
	"goated/registry"
)

// chainTools is a server with a tool that asks the model to answer prompts, and a callback tool
// that receives the answers.
type chainTools struct {
	*toolbox
	mu      sync.Mutex
	steps   int // prompts until the end
	asked   int
	answers []string
	tool    string // the callback tool; "" means "store"
}

func newChain(steps int) *chainTools {
	return &chainTools{toolbox: tools(echo, "generate", "store"), steps: steps, tool: "store"}
}

func (c *chainTools) CallEntry(_ context.Context, e registry.Entry, args map[string]any, _ func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.Name == "box__store" {
		c.answers = append(c.answers, fmt.Sprint(args["path"], "=", args["result"]))
		if c.answers[len(c.answers)-1] == "p2=bad" {
			return nil, errors.New("out of paper")
		}
	}
	c.asked++
	body := map[string]any{"status": "success", "data": map[string]any{"stored": len(c.answers)}}
	if c.asked <= c.steps {
		body = map[string]any{
			"status": "prompt_ready", "promptForHostLLM": fmt.Sprintf("question %d", c.asked), "callbackTool": c.tool,
			"callbackArgs": map[string]any{"path": fmt.Sprintf("p%d", c.asked), "task": "summarize"},
		}
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(body)}}, StructuredContent: body}, nil
}

func trusted(registry.Entry) bool { return true }

// The model answers each prompt without tools and without the conversation. The last result becomes
// the result of the call.
func TestChainRunsPromptsAndCallbacks(t *testing.T) {
	s := geminitest.New(t)
	s.Script(
		geminitest.Call("box__generate", nil),
		geminitest.Turn(geminitest.Text("answer ", "one"), geminitest.Usage(100, 10, 0)),
		geminitest.Turn(geminitest.Text("answer two"), geminitest.Usage(200, 20, 0)),
		geminitest.Text("Done."),
	)
	var log bytes.Buffer
	c := newChain(2)
	session := &Session{Model: gemini(t, s), Tools: c, Approve: each(allowAll), Policy: &Policy{Chains: trusted}, System: "system", Logger: slog.New(slog.NewTextHandler(&log, nil))}
	events, err := collect(t.Context(), session, "summarize")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(c.answers); got != "[p1=answer one p2=answer two]" {
		t.Errorf("the callback tool received %s", got)
	}
	for i, want := range []string{"question 1", "question 2"} {
		r := s.Requests()[1+i]
		if len(r.Contents) != 1 || len(r.Tools) != 0 || r.SystemInstruction != nil || r.Contents[0].Parts[0].Text != want {
			t.Errorf("request %d has %d contents, %d tools", i, len(r.Contents), len(r.Tools))
		}
	}
	returned := only[ToolReturned](events)[0]
	if len(returned.Chain) != 2 || returned.Chain[1].ID != "call-1/2" || returned.Chain[1].About != "summarize p2" || returned.Chain[0].Usage.Prompt != 100 || returned.Error != "" {
		t.Errorf("the call returned %+v", returned)
	}
	if body := returned.Result.StructuredContent.(map[string]any); body["status"] != "success" {
		t.Errorf("the result is %v", body)
	}
	if ended := only[TurnEnded](events)[0]; ended.Usage.Prompt < 300 || ended.Usage.Answer < 30 {
		t.Errorf("the turn used %+v", ended.Usage)
	}
	if !strings.Contains(log.String(), "id=call-1/2 step=2 limit=10 tool=box/store") {
		t.Errorf("the log has no steps: %s", &log)
	}
	data, err := EncodeEvent(returned)
	if err != nil {
		t.Fatal(err)
	}
	again, err := DecodeEvent(data)
	if err != nil || len(again.(ToolReturned).Chain) != 2 {
		t.Errorf("the event is read back as %+v, %v", again, err)
	}
	s.Done()
}

// The permission for a callback tool is reported like any other if it can't be saved.
func TestUnsavedPermissionOfAChainIsReported(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Call("box__generate", nil), geminitest.Text("answer one"), geminitest.Text("Done."))
	var said []error
	session := &Session{Model: gemini(t, s), Tools: newChain(1), Policy: &Policy{Chains: trusted, Kept: unsaved{}, Unsaved: func(err error) { said = append(said, err) }},
		Approve: each(func(_ context.Context, c ToolCalled) (Decision, error) {
			if c.Tool == "store" {
				return AllowAlways, nil
			}
			return AllowOnce, nil
		})}
	if _, err := collect(t.Context(), session, "summarize"); err != nil || len(said) != 1 {
		t.Errorf("%v; the user reads %v", err, said)
	}
}

// The result of a tool that may not start chains is plain data.
func TestChainNeedsTrust(t *testing.T) {
	for _, chains := range []func(registry.Entry) bool{nil, func(e registry.Entry) bool { return e.Server != "box" }} {
		s := geminitest.New(t)
		s.Script(geminitest.Call("box__generate", nil), geminitest.Text("I see."))
		c := newChain(1)
		session := &Session{Model: gemini(t, s), Tools: c, Approve: each(allowAll), Policy: &Policy{Chains: chains}}
		events, err := collect(t.Context(), session, "summarize")
		if err != nil || len(c.answers) != 0 || len(only[ToolReturned](events)[0].Chain) != 0 {
			t.Errorf("a chain ran: %v, %v", c.answers, err)
		}
		s.Done()
	}
}

// The user answers one question for a chain, before the model writes anything.
func TestChainAsksOnce(t *testing.T) {
	for _, test := range []struct {
		decision Decision
		asked    []string
		answers  int
	}{
		{Deny, []string{"store"}, 0},
		{AllowOnce, []string{"store"}, 3},
	} {
		s := geminitest.New(t)
		s.Handle(func(r geminitest.Request) geminitest.Reply { return geminitest.Text("fine") })
		s.Script(geminitest.Call("box__generate", nil))
		c := newChain(3)
		var asked []string
		policy := &Policy{Chains: trusted}
		generate, err := c.Lookup("box__generate")
		if err != nil || policy.Grant(generate) != nil {
			t.Fatal(err)
		}
		session := &Session{Model: gemini(t, s), Tools: c, Policy: policy, Approve: each(func(_ context.Context, call ToolCalled) (Decision, error) {
			asked = append(asked, call.Tool)
			return test.decision, nil
		})}
		events, err := collect(t.Context(), session, "summarize")
		if err != nil || fmt.Sprint(asked) != fmt.Sprint(test.asked) || len(c.answers) != test.answers {
			t.Errorf("%v: asked %v, %d answers, %v", test.decision, asked, len(c.answers), err)
		}
		if r := only[ToolReturned](events)[0]; (r.Refusal == CallDenied) != (test.decision == Deny) {
			t.Errorf("%v: returned %+v", test.decision, r)
		}
	}
}

// slowTools is a chainTools that answers after begin is closed.
type slowTools struct {
	*chainTools
	begin chan struct{}
}

func (c slowTools) CallEntry(ctx context.Context, e registry.Entry, args map[string]any, progress func(*mcp.ProgressNotificationParams)) (*mcp.CallToolResult, error) {
	<-c.begin
	return c.chainTools.CallEntry(ctx, e, args, progress)
}

// A running call whose chain needs consent waits until the open question about the other calls of
// the step is answered.
func TestChainAsksAfterAnOpenQuestion(t *testing.T) {
	c := slowTools{newChain(1), make(chan struct{})}
	policy := &Policy{Chains: trusted}
	generate, err := c.Lookup("box__generate")
	if err != nil || policy.Grant(generate) != nil {
		t.Fatal(err)
	}
	asked, second := 0, make(chan struct{})
	session := &Session{Model: &script{answers: [][]*genai.Part{calls("box__generate", "box__store")}}, Tools: c, Policy: policy,
		Approve: each(func(context.Context, ToolCalled) (Decision, error) {
			if asked++; asked == 2 {
				close(second)
				return AllowOnce, nil
			}
			close(c.begin)
			select {
			case <-second:
				t.Error("two questions are open")
			case <-time.After(100 * time.Millisecond): // the chain waits by now
			}
			return AllowOnce, nil
		})}
	if _, err := collect(t.Context(), session, "go"); err != nil {
		t.Fatal(err)
	}
	if asked != 2 {
		t.Errorf("%d questions", asked)
	}
}

func TestChainIsBounded(t *testing.T) {
	s := geminitest.New(t)
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		if len(r.Contents) == 1 && len(r.Tools) == 0 {
			return geminitest.Text("more")
		}
		return geminitest.Text("I see.")
	})
	s.Script(geminitest.Call("box__generate", nil))
	c := newChain(1000)
	session := &Session{Model: gemini(t, s), Tools: c, Approve: each(allowAll), Policy: &Policy{Chains: trusted}, MaxSteps: 5}
	events, err := collect(t.Context(), session, "summarize")
	if err != nil {
		t.Fatal(err)
	}
	if r := only[ToolReturned](events)[0]; len(r.Chain) != 5 || !strings.Contains(r.Error, "after 5 steps") {
		t.Errorf("returned %+v", r)
	}
}

// A failed step ends the chain with its error. The turn goes on.
func TestChainFailures(t *testing.T) {
	for _, test := range []struct {
		name  string
		tool  string
		reply geminitest.Reply
		want  string
		steps int
	}{
		{"callback tool of another server", "other", geminitest.Text("x"), `"other", which the server does not have`, 0},
		{"the tool itself", "generate", geminitest.Text("x"), "which the server does not have", 0},
		{"callback fails", "store", geminitest.Text("bad"), "step 2 of the chain: store: out of paper", 2},
		{"empty answer", "store", geminitest.Turn(geminitest.Text("  ")), "step 1 of the chain: the model gave no usable answer: answer empty", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := geminitest.New(t)
			s.Handle(func(r geminitest.Request) geminitest.Reply {
				if len(r.Contents) == 1 && len(r.Tools) == 0 {
					return test.reply
				}
				return geminitest.Text("I see.")
			})
			s.Script(geminitest.Call("box__generate", nil))
			c := newChain(3)
			c.tool = test.tool
			session := &Session{Model: gemini(t, s), Tools: c, Approve: each(allowAll), Policy: &Policy{Chains: trusted}}
			events, err := collect(t.Context(), session, "summarize")
			if err != nil {
				t.Fatal(err)
			}
			if r := only[ToolReturned](events)[0]; len(r.Chain) != test.steps || !strings.Contains(r.Error, test.want) {
				t.Errorf("returned %+v", r)
			}
		})
	}
}

// A step waits for a service that limits requests, like a request of the turn. A failure that lasts ends
// the chain at once.
func TestChainWaitsForTheService(t *testing.T) {
	for _, test := range []struct {
		name    string
		first   geminitest.Reply
		answers int
		waits   FailureKind
		fails   FailureKind
	}{
		{"limited", geminitest.MinuteQuota(time.Millisecond), 2, RateLimited, ""},
		{"overloaded", geminitest.Overloaded(), 2, Unavailable, ""},
		{"no credit", geminitest.CreditUsed(), 0, "", NoCredit},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := geminitest.New(t)
			s.Script(geminitest.Call("box__generate", nil), test.first)
			s.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Text("fine") })
			c := newChain(2)
			session := &Session{Model: gemini(t, s), Tools: c, Approve: each(allowAll), Policy: &Policy{Chains: trusted}, conversationState: conversationState{pause: time.Millisecond}}
			events, err := collect(t.Context(), session, "summarize")
			if err != nil {
				t.Fatal(err)
			}
			var waits, fails FailureKind
			for _, w := range only[RetryScheduled](events) {
				if waits = w.Kind; w.Attempt != 2 {
					t.Errorf("waits for attempt %d", w.Attempt)
				}
			}
			r := only[ToolReturned](events)[0]
			if f := r.Chain[0].Failure; f != nil {
				fails = f.Kind
			}
			if len(c.answers) != test.answers || (r.Error == "") != (test.answers > 0) || waits != test.waits || fails != test.fails {
				t.Errorf("%d answers, returned %q, waits for %q, fails with %q", len(c.answers), r.Error, waits, fails)
			}
		})
	}
}

// Cancelling a turn ends its chain immediately.
func TestChainIsCancelled(t *testing.T) {
	s := geminitest.New(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		cancel()
		return geminitest.Text("late")
	})
	s.Script(geminitest.Call("box__generate", nil))
	c := newChain(3)
	session := &Session{Model: gemini(t, s), Tools: c, Approve: each(allowAll), Policy: &Policy{Chains: trusted}}
	var events []Event
	for e, err := range session.Send(ctx, genai.NewPartFromText("summarize")) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	if ended := only[TurnEnded](events); len(ended) != 1 || ended[0].Reason != Cancelled || len(c.answers) > 0 {
		t.Errorf("ended %+v with %v", ended, c.answers)
	}
}

// Large integers of the server reach the callback tool with all digits.
func TestChainKeepsDigits(t *testing.T) {
	for name, id := range map[string]any{"number": json.Number("9007199254740993"), "integer": int64(9007199254740993)} {
		p := readPrompt(&mcp.CallToolResult{StructuredContent: map[string]any{
			"status": "prompt_ready", "promptForHostLLM": "question", "callbackTool": "back", "callbackArgs": map[string]any{"id": id, "nested": []any{id}},
		}})
		if got := fmt.Sprint(p.CallbackArgs); got != "map[id:9007199254740993 nested:[9007199254740993]]" {
			t.Errorf("%s: the arguments are %s", name, got)
		}
	}
}
