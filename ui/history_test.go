package ui

import (
	"errors"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
	"goated/ui/view"
)

func archive(t *testing.T) (*store.Store, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "history.db")
	s, err := store.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s, path
}

// What was said is there when goated is opened again, and goes on from there.
func TestHistoryIsReopened(t *testing.T) {
	s, _ := archive(t)
	d := newDesk(t, Options{History: s, NewSession: sessions(script(echo))})
	d.show()
	d.send("remember the tide tables")
	d.until("the turn is kept", func() bool {
		return d.idle() && d.conversation().active != "" && len(d.conversation().thread.turns) == 1
	})
	items := len(d.conversation().chat.Items)
	spent := d.conversation().chat.Spent
	d.Close()

	again := newDesk(t, Options{History: s, NewSession: sessions(script(echo))})
	again.show()
	again.until("the conversation is there", func() bool { return len(again.conversation().chat.Items) == items })
	if got := again.conversation().chat.Spent; got != spent || got.Cost == 0 || !again.reads(spent.String()) {
		t.Errorf("spent was %+v and is %+v", spent, got)
	}
	if got := len(again.conversation().session.History()); got < 2 {
		t.Errorf("the model is told %d contents", got)
	}
	again.send("and now")
	again.until("it goes on", func() bool { return again.idle() && len(again.conversation().thread.turns) == 2 })
}

// An edited message makes a branch; both are kept, and can be shown.
func TestEditMakesABranch(t *testing.T) {
	s, _ := archive(t)
	d := newDesk(t, Options{History: s, NewSession: sessions(script(echo))})
	d.show()
	d.send("first")
	d.until("the turn is kept", func() bool { return d.idle() && len(d.conversation().thread.turns) == 1 })
	d.transcript.OnEdit(0)
	if got := d.composer.input.Text; got != "first" {
		t.Fatalf("the composer has %q", got)
	}
	d.send("second")
	d.until("the branch is kept", func() bool {
		turns := d.conversation().thread.turns
		return d.idle() && len(turns) == 1 && len(turns[0].Siblings) == 2
	})
	if len(d.versions()) != 1 {
		t.Fatalf("%d other versions", len(d.versions()))
	}
	d.versions()[0].Run()
	d.until("the first is shown again", func() bool {
		items := d.conversation().chat.Items
		u, ok := items[0].(view.User)
		return ok && u.Text == "first"
	})
}

func TestDeleteAndBringBack(t *testing.T) {
	s, _ := archive(t)
	d := newDesk(t, Options{History: s, NewSession: sessions(script(echo))})
	d.show()
	d.send("keep me")
	d.until("the turn is kept", func() bool { return d.idle() && d.conversation().id != "" && len(d.conversation().thread.turns) == 1 })
	d.discard(d.conversation())
	d.until("it is gone", func() bool { return len(d.removed) == 1 && d.conversation().id == "" })
	if list, _ := s.Conversations(t.Context()); len(list) != 0 {
		t.Errorf("the store has %d", len(list))
	}
	d.restore()
	d.until("it is back", func() bool { return len(d.removed) == 0 && d.conversation().id != "" })
}

// What was used last is last, though the clock goes back by ten years.
func TestOrderWithoutTheClock(t *testing.T) {
	s, _ := archive(t)
	d := newDesk(t, Options{History: s, NewSession: sessions(script(echo))})
	d.show()
	now := time.Now()
	d.now = func() time.Time { return now }
	d.send("first")
	d.until("the turn is kept", func() bool { return d.idle() && len(d.conversation().thread.turns) == 1 })
	d.newChat()
	now = now.AddDate(-10, 0, 0)
	d.send("second")
	d.until("the turn is kept", func() bool { return d.idle() && len(d.conversation().thread.turns) == 1 })
	if last := d.chats[len(d.chats)-1]; last.heading() != "second" {
		t.Errorf("the last is %q", last.heading())
	}
	again := newDesk(t, Options{History: s, NewSession: sessions(script(echo))})
	again.show()
	again.until("the last is shown", func() bool { return again.conversation().heading() == "second" })
}

// What is kept is folded turn by turn to what the live fold of all of it is:
// retries go on with what was there, failures that were tried again are gone.
func TestRetoldAsItWasLive(t *testing.T) {
	ask := func(text string) []*genai.Part { return []*genai.Part{{Text: text}} }
	text := func(s string) agent.Event { return agent.TextDelta{Text: s} }
	end := agent.TurnEnded{Reason: agent.Done, Usage: agent.Usage{Prompt: 5, Answer: 7}}
	now := time.Now()
	turns := []store.Turn{
		{ID: "1", User: ask("one"), Events: []agent.Event{text("half "), agent.ToolCalled{ID: "a", Tool: "t"}}, Error: "lost", Ended: now},
		{ID: "2", Events: []agent.Event{agent.ToolReturned{ID: "a", Result: said("late")}, text("rest"), end}, Ended: now},
		{ID: "3", User: ask("two"), Events: []agent.Event{text("half ")}, Error: "lost", Ended: now},
		{ID: "4", Events: []agent.Event{text("and half"), end}, Ended: now},
		{ID: "5", User: ask("three"), Error: "lost", Ended: now},
		{ID: "6", User: ask("four"), Events: []agent.Event{text("cut off")}},
	}
	var want view.Chat
	var starts []int
	for _, turn := range turns {
		want = want.Retract()
		starts = append(starts, len(want.Items))
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
			want = want.Fail(errors.New("goated ended while this turn was under way"))
		}
	}
	got := retold(store.Thread{Turns: turns})
	if !reflect.DeepEqual(got.chat, want) || !slices.Equal(got.starts, starts) || got.end != len(want.Items) {
		t.Errorf("%+v\n%v\nlive:\n%+v\n%v", got.chat, got.starts, want, starts)
	}
}

// A fold copies no more than its turn: what a long history takes is its own
// size a few times over, and not its square.
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
		retold(store.Thread{Turns: turns})
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	if few, many := took(500), took(5000); many > 20*few {
		t.Errorf("ten times as many turns take %.0f times the memory", many/few)
	}
}
