package chats

import (
	"errors"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
	"goated/ui/view"
)

// What the window read before a message was deleted does not bring the message back.
func TestOldReadingIsNotShown(t *testing.T) {
	ask := func(text string) []*genai.Part { return []*genai.Part{{Text: text}} }
	turns := []store.Turn{{ID: "1", User: ask("one"), Ended: time.Now()}, {ID: "2", User: ask("two"), Ended: time.Now()}}
	old := restore(store.Thread{Turns: turns})
	l := loader{page: &Page{on: Hooks{NewSession: func() *agent.Session { return &agent.Session{} }}}}
	c := &Conversation{Session: &agent.Session{}}
	l.take(c, old)
	taken := c.Read.taken
	l.take(c, restore(store.Thread{Turns: turns[:1]})) // the second turn is deleted
	if c.renew(old, taken) || len(c.Thread.Turns) != 1 {
		t.Errorf("%d turns are shown", len(c.Thread.Turns))
	}
}

// Saved turns fold to the same chat as their live events. A retry continues the existing chat,
// and a failure that was retried is gone.
func TestRetoldAsItWasLive(t *testing.T) {
	ask := func(text string) []*genai.Part { return []*genai.Part{{Text: text}} }
	text := func(s string) agent.Event { return agent.TextDelta{Text: s} }
	end := agent.TurnEnded{Reason: agent.Done, Usage: agent.Usage{Prompt: 5, Answer: 7}}
	now := time.Now()
	turns := []store.Turn{
		{ID: "1", User: ask("one"), Events: []agent.Event{text("half "), agent.ToolCalled{ID: "a", Tool: "t"}}, Error: "lost", Ended: now},
		{ID: "2", Events: []agent.Event{agent.ToolReturned{ID: "a", Result: &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "late"}}}}, text("rest"), end}, Ended: now},
		{ID: "3", User: ask("two"), Events: []agent.Event{text("half ")}, Error: "lost", Ended: now},
		{ID: "4", Events: []agent.Event{text("and half"), end}, Ended: now},
		{ID: "5", User: ask("three"), Error: "lost", Ended: now},
		{ID: "6", User: ask("four"), Events: []agent.Event{text("cut off")}},
	}
	var want view.Chat
	var starts []int
	for _, turn := range turns {
		want = want.Retract()
		starts = append(starts, want.Len())
		if len(turn.User) > 0 {
			want = want.Say(turn.User[0].Text)
		}
		for _, e := range turn.Events {
			want = want.Apply(e)
		}
		switch {
		case turn.Error != "":
			want = want.Fail(errors.New(turn.Error))
		case turn.Ended.IsZero():
			want = want.Fail(errors.New("goated quit during this turn"))
		}
	}
	got := restore(store.Thread{Turns: turns})
	if !reflect.DeepEqual(got.chat, want) || !slices.Equal(got.Starts, starts) || got.End != want.Len() {
		t.Errorf("%+v\n%v\nlive:\n%+v\n%v", got.chat, got.Starts, want, starts)
	}
}

// A fold copies only its own turn, so the memory for a history grows linearly with its length,
// not quadratically.
func TestRetoldInLine(t *testing.T) {
	took := func(n int) float64 {
		turns := make([]store.Turn, n)
		for i := range turns {
			turns[i] = store.Turn{
				User:     []*genai.Part{{Text: "ask"}},
				Events:   []agent.Event{agent.TextDelta{Text: "answer"}},
				Contents: []*genai.Content{genai.NewContentFromText("ask", genai.RoleUser), genai.NewContentFromText("answer", genai.RoleModel)},
				Ended:    time.Now(),
			}
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		restore(store.Thread{Turns: turns})
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if few, many := took(500), took(5000); many > 20*few {
		t.Errorf("ten times as many turns take %.0f times the memory", many/few)
	}
}
