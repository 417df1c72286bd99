package agent

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"
	"pgregory.net/rapid"

	"goated/internal/geminitest"
	"goated/internal/results"
	"goated/registry"
)

// A talk is a conversation whose turns are interrupted at random.
type talk struct {
	t       *rapid.T
	api     *geminitest.Server
	session *Session
	box     *toolbox
	mu      sync.Mutex
	replies []geminitest.Reply // the next answers of the model; "ok" after them
	marks   []int              // lengths of the history between turns, for branches
	told    []int              // lengths of the events at the marks
	events  []Event            // events of the conversation, as the history stores them
	decide  func() Decision
}

func (k *talk) reply(geminitest.Request) geminitest.Reply {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.replies) == 0 {
		return geminitest.Text("ok")
	}
	next := k.replies[0]
	k.replies = k.replies[1:]
	return next
}

// answers generates valid and invalid answers of a model.
func answers() *rapid.Generator[geminitest.Reply] {
	return rapid.Custom(func(t *rapid.T) geminitest.Reply {
		var steps, calls []geminitest.Reply
		if rapid.Bool().Draw(t, "thinks") {
			steps = append(steps, geminitest.Thought("Hm", "."))
		}
		if rapid.Bool().Draw(t, "speaks") {
			steps = append(steps, geminitest.Text("Let me ", "see."))
		}
		for range rapid.IntRange(0, 3).Draw(t, "calls") {
			name := rapid.SampledFrom([]string{"box__ok", "box__ok", "box__fail", "box__large", "box__none", "read_result", ""}).Draw(t, "tool")
			args := rapid.SampledFrom([]map[string]any{nil, {"n": 1}, {"n": "one", "list": []any{nil, true, 0.5}}, {"id": "ffffffffffff"}}).Draw(t, "args")
			calls = append(calls, geminitest.Call(name, args))
		}
		if rapid.Bool().Draw(t, "at once") && len(calls) > 0 {
			calls = []geminitest.Reply{geminitest.Calls(calls...)}
		}
		steps = append(steps, calls...)
		switch rapid.IntRange(0, 24).Draw(t, "ends") {
		case 0:
			steps = append(steps, geminitest.Drop())
		case 1:
			steps = append(steps, geminitest.Finish(rapid.SampledFrom([]genai.FinishReason{"SAFETY", "RECITATION", "MAX_TOKENS", "OTHER"}).Draw(t, "finish")))
		case 2:
			steps = append(steps, geminitest.Finish(rapid.SampledFrom([]genai.FinishReason{"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS"}).Draw(t, "finish")))
		case 3:
			steps = append(steps, geminitest.Malformed())
		case 4:
			steps = []geminitest.Reply{rapid.SampledFrom(geminitest.Failures()).Draw(t, "failure").Reply}
		case 5:
			steps = append(steps, geminitest.Unfinished())
		case 6:
			steps = []geminitest.Reply{geminitest.Blocked("SAFETY")}
		case 7:
			// Calls without IDs are not repeated, because a model may intend two equal calls.
			return geminitest.Turn(slices.Insert(steps, 0, geminitest.Repeated())...)
		case 8:
			steps = slices.Insert(steps, 0, geminitest.CutAfter(rapid.IntRange(0, 900).Draw(t, "bytes")))
		case 9, 10, 11:
			steps = append(steps, geminitest.TrailingSignature())
		}
		reply := geminitest.Turn(steps...)
		switch rapid.IntRange(0, 5).Draw(t, "manner") {
		case 0:
			return reply.Signed()
		case 1:
			return reply.WithoutID()
		case 2:
			return reply.Unsigned()
		}
		return reply
	})
}

// turn runs one turn and interrupts it at random.
func (k *talk) turn() {
	t := k.t
	k.mu.Lock()
	k.replies = rapid.SliceOfN(answers(), 0, 4).Draw(t, "replies")
	k.mu.Unlock()
	decisions := rapid.SliceOfN(rapid.SampledFrom([]Decision{Deny, AllowOnce, AllowOnce, AllowChat}), 0, 4).Draw(t, "decisions")
	k.decide = func() Decision {
		if len(decisions) == 0 {
			return AllowOnce
		}
		d := decisions[0]
		decisions = decisions[1:]
		return d
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	stop := rapid.OneOf(rapid.Just(1000), rapid.IntRange(0, 12)).Draw(t, "stop")
	breaks := rapid.Bool().Draw(t, "breaks")
	parts := []*genai.Part{genai.NewPartFromText("go on")}
	if rapid.IntRange(0, 3).Draw(t, "retry") == 0 {
		parts = nil
	} else if rapid.IntRange(0, 9).Draw(t, "picture") == 0 {
		parts = append(parts, genai.NewPartFromBytes(tinyPicture(), "image/png"))
	}
	seen := 0
	for e, err := range k.session.Send(ctx, parts...) {
		k.events = append(k.events, e)
		var f *Failure
		if err != nil && !errors.As(err, &f) && !errors.Is(err, ErrNothing) && ctx.Err() == nil {
			t.Fatalf("the turn fails with %v", err)
		}
		if seen++; seen > stop {
			cancel()
			if breaks {
				break
			}
		}
	}
	k.marks, k.told = append(k.marks, len(k.session.History())), append(k.told, len(k.events))
}

// compact summarises the conversation between two turns, or undoes the summary.
func (k *talk) compact(undo bool) {
	if undo {
		if e, ok := k.session.RestoreContext(); ok {
			k.events = append(k.events, e)
		}
	} else if e, err := k.session.Compact(k.t.Context()); err == nil {
		k.events = append(k.events, e)
	}
	k.told[len(k.told)-1] = len(k.events)
}

// change makes a random change to the conversation between two turns.
func (k *talk) change(other *Gemini) {
	t := k.t
	switch rapid.IntRange(0, 12).Draw(t, "change") {
	case 0: // another branch, or an edited message
		at := rapid.IntRange(0, len(k.marks)-1).Draw(t, "branch")
		k.marks, k.told = k.marks[:at+1], k.told[:at+1]
		k.events = k.events[:k.told[at]]
		k.session.Restore(slices.Clone(k.session.History()[:k.marks[at]]), k.events...)
	case 1: // saved and loaded
		data, err := json.Marshal(k.session.History())
		if err != nil {
			t.Fatal(err)
		}
		var history []*genai.Content
		if err := json.Unmarshal(data, &history); err != nil {
			t.Fatal(err)
		}
		k.session.Restore(history, k.events...)
	case 2: // another model, without SetModel
		k.session.Model, k.session.Budget = other, 2000
	case 5: // another model
		k.session.SetModel(other)
	case 6, 7:
		k.compact(false)
	case 8:
		k.compact(true)
	case 3: // a small budget
		k.session.Budget = rapid.IntRange(100, 5000).Draw(t, "budget")
	case 4: // the tools change
		k.box.Registry.Set("more", false, registry.Origin{}, []*mcp.Tool{{Name: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "tool"), InputSchema: map[string]any{"type": "object"}}})
	}
}

// The service refuses no request, regardless of the model's answers. A turn may be interrupted,
// denied, cut, limited, branched, edited, restored, trimmed or continued by another model at any
// point. The strict stand-in checks each request. RAPID_CHECKS=10000 makes 100,000 turns.
func TestPropertyNoRequestIsRefused(t *testing.T) {
	api, err := geminitest.Start(geminitest.DefaultKey)
	if err != nil {
		t.Fatal(err)
	}
	defer api.Close()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	model := func(name string) *Gemini {
		g, err := NewGemini(t.Context(), GeminiOptions{Key: geminitest.DefaultKey, BaseURL: api.URL, Model: name, HTTPClient: &http.Client{Transport: transport}})
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	flash, pro := model(""), model("gemini-pro-latest")
	keeper := &results.Store{Dir: t.TempDir(), MaxBytes: 8 << 20}
	large := strings.Repeat("a line of a large result\n", 1500)
	rapid.Check(t, func(t *rapid.T) {
		k := &talk{t: t, api: api, marks: []int{0}, told: []int{0}}
		k.box = tools(func(_ context.Context, tool string, _ map[string]any) (string, error) {
			switch tool {
			case "fail":
				return "", errors.New("out of ink")
			case "large":
				return large, nil
			}
			return `{"$ref":"#/x"}`, nil
		}, "ok", "fail", "large")
		k.session = &Session{
			Model: flash, Tools: k.box, Policy: &Policy{}, MaxSteps: rapid.IntRange(1, 5).Draw(t, "steps"), Idle: 5 * time.Second,
			Approve: each(func(context.Context, ToolCalled) (Decision, error) { return k.decide(), nil }), conversationState: conversationState{pause: time.Microsecond},
		}
		if rapid.Bool().Draw(t, "store") {
			k.session.Results = keeper
		}
		api.Handle(k.reply)
		before := len(api.Refusals())
		for range 10 {
			k.turn()
			if err := geminitest.CheckHistory(k.session.History()); err != nil {
				t.Fatal(err)
			}
			if refused := api.Refusals()[before:]; len(refused) > 0 {
				t.Fatalf("refused: %q", refused)
			}
			k.change(pro)
		}
	})
}
