package agent

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/internal/geminitest"
	"goated/registry"
)

// windowed is a model with a context of the given tokens.
type windowed struct {
	Model
	tokens int
}

func (w windowed) Window() int { return w.tokens }

// wordyTools returns n tools of about 170 tokens each. Each returns a long result.
func wordyTools(n int) *toolbox {
	box := tools(func(context.Context, string, map[string]any) (string, error) {
		return strings.Repeat("result ", 5000), nil
	})
	offered := make([]*mcp.Tool, n)
	for i := range offered {
		offered[i] = &mcp.Tool{Name: fmt.Sprint("tool", i), Description: strings.Repeat("It does a thing. ", 30), InputSchema: map[string]any{
			"type": "object", "properties": map[string]any{"path": map[string]any{"type": "string", "description": "The path of the file to read."}},
		}}
	}
	box.Registry.Set("box", false, registry.Origin{}, offered)
	return box
}

// Instructions, tools, messages and results together fit into the model's context, even if it is
// small.
func TestRequestsFitTheContext(t *testing.T) {
	for _, tokens := range []int{4096, 8192, 32768} {
		t.Run(fmt.Sprint(tokens), func(t *testing.T) {
			s := geminitest.New(t)
			largest, calls := 0, 0
			s.Handle(func(r geminitest.Request) geminitest.Reply {
				largest = max(largest, len(r.Body))
				if len(declaredIn(r)) == 0 {
					return geminitest.Text("A summary.")
				}
				if calls++; calls%4 != 0 {
					return geminitest.Call(declaredIn(r)[0], map[string]any{"path": "/a"})
				}
				return geminitest.Text("Done.")
			})
			session := &Session{
				Model: windowed{gemini(t, s), tokens}, Tools: wordyTools(100), Approve: each(allowAll), Results: resultStore(t),
				System: strings.Repeat("Be brief. ", tokens/50), Pinned: []string{"box__tool7"},
			}
			for range 6 {
				if _, err := collect(t.Context(), session, "read "+strings.Repeat("word ", tokens/20)); err != nil {
					t.Fatal(err)
				}
			}
			if room := tokens * tokenSize; largest > room {
				t.Errorf("a request of %d bytes goes to a context of %d", largest, room)
			}
			if m := session.Measure(); m.Used() > m.Limit || m.Declared == 0 {
				t.Errorf("the meter shows %+v", m)
			}
		})
	}
}

// If the size of the context changes, for example because a program reloads the model, the declared
// tools change, too.
func TestToolsFollowTheContext(t *testing.T) {
	s := geminitest.New(t)
	s.Handle(func(geminitest.Request) geminitest.Reply { return geminitest.Text("Done.") })
	session := &Session{Model: windowed{gemini(t, s), 131072}, Tools: wordyTools(100)}
	for _, tokens := range []int{131072, 4096, 131072} {
		session.Model = windowed{gemini(t, s), tokens}
		if _, err := collect(t.Context(), session, "go"); err != nil {
			t.Fatal(err)
		}
	}
	var declared []int
	for _, r := range s.Requests() {
		declared = append(declared, len(declaredIn(r)))
	}
	if len(declared) != 3 || declared[0] != 100 || declared[1] > 10 || declared[2] != 100 {
		t.Errorf("it declared %v tools", declared)
	}
}

// An event records how much of its result the model receives, for any size of the context, with or
// without a store, and for pages of stored results.
func TestEventsSayWhatTheModelReceives(t *testing.T) {
	for _, tt := range []struct {
		name   string
		tokens int
		keeper ResultStore
		text   string
	}{
		{"a large context", 1 << 20, resultStore(t), strings.Repeat("a", 20_000)},
		{"a large context, a large result", 1 << 20, resultStore(t), strings.Repeat("a", 200_000)},
		{"a small context", 8192, resultStore(t), strings.Repeat("a", 20_000)},
		{"whole characters", 8192, resultStore(t), strings.Repeat("a☺", 5_000)},
		{"no store", 8192, nil, strings.Repeat("a", 20_000)},
		{"no store, a huge result", 8192, nil, strings.Repeat("a", maxResult+1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := geminitest.New(t)
			replies := []geminitest.Reply{geminitest.Call("box__x", nil)}
			if tt.keeper != nil {
				id, err := tt.keeper.Put([]byte(strings.Repeat("b", 100_000)))
				if err != nil {
					t.Fatal(err)
				}
				replies = append(replies, geminitest.Call("read_result", map[string]any{"id": id}))
			}
			s.Script(append(replies, geminitest.Text("Done."))...)
			box := tools(func(context.Context, string, map[string]any) (string, error) { return tt.text, nil }, "x")
			session := &Session{Model: windowed{gemini(t, s), tt.tokens}, Tools: box, Approve: each(allowAll), Results: tt.keeper}
			session.hasStored = tt.keeper != nil
			events, err := collect(t.Context(), session, "go")
			if err != nil {
				t.Fatal(err)
			}
			returned := only[ToolReturned](events)
			for i, c := range []int{2, 4}[:len(returned)] {
				_, said := responseText(session.history[c].Parts[0].FunctionResponse)
				got, _, _ := strings.Cut(said, "\n[")
				if i > 0 {
					got = said // a page has its own note
				}
				if sent, all := ReceivedBytes(returned[i]); sent != len(got) || all < sent || i == 0 && all != len(tt.text) {
					t.Errorf("call %d: the model received %d bytes, and the event says %d of %d", i, len(got), sent, all)
				}
			}
		})
	}
}

// An event contains everything that the window needs to show this, because reading a large result
// again takes long.
func TestEventsSaveReadingResultsAgain(t *testing.T) {
	s := geminitest.New(t)
	s.Script(geminitest.Call("box__x", nil), geminitest.Text("Done."))
	text := strings.Repeat("a", 200_000)
	box := tools(func(context.Context, string, map[string]any) (string, error) { return text, nil }, "x")
	events, err := collect(t.Context(), &Session{Model: gemini(t, s), Tools: box, Approve: each(allowAll), Results: resultStore(t)}, "go")
	if err != nil {
		t.Fatal(err)
	}
	e := only[ToolReturned](events)[0]
	e.Result = nil
	if sent, all := ReceivedBytes(e); sent != shownResultSize || all != len(text) {
		t.Errorf("it says %d of %d bytes", sent, all)
	}
}
