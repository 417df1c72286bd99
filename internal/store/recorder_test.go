package store_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
	"goated/internal/waittest"
)

func begin(tb testing.TB, s *store.Store, conversation, parent, ask string) *store.Recorder {
	tb.Helper()
	r, err := s.Begin(context.Background(), conversation, parent, say(ask))
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// Waiting text is written without another call, and this store can read it even before that.
func TestTextIsWrittenLater(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	synctest.Test(t, func(t *testing.T) {
		s, other := open(t, path), open(t, path)
		c := create(t, s)
		r := begin(t, s, c.ID, "", "hello")
		if err := r.Record(t.Context(), agent.TextDelta{Text: "one "}); err != nil {
			t.Fatal(err)
		}
		if got := messages(thread(t, s, c.ID)); len(got) != 2 || got[1] != "one " {
			t.Fatalf("%q", got)
		}
		if err := r.Record(t.Context(), agent.TextDelta{Text: "two"}); err != nil {
			t.Fatal(err)
		}
		if got := messages(thread(t, other, c.ID)); len(got) != 2 || got[1] != "one " {
			t.Fatalf("before 250 ms: %q", got)
		}
		time.Sleep(250 * time.Millisecond)
		synctest.Wait()
		if got := messages(thread(t, other, c.ID)); len(got) != 2 || got[1] != "one two" {
			t.Fatalf("after 250 ms: %q", got)
		}
	})
}

// Text that arrived in pieces is read as one piece, whatever its size.
func TestPiecesAreJoined(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	r := begin(t, s, c.ID, "", "hello")
	var want strings.Builder
	for i := range 5000 {
		piece := strings.Repeat(string(rune('a'+i%26)), 20)
		want.WriteString(piece)
		if err := r.Record(t.Context(), agent.TextDelta{Text: piece}); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range []agent.Event{agent.ThoughtDelta{Text: "hm"}, agent.ThoughtDelta{Text: "m"}, agent.TextDelta{Text: "so"}} {
		if err := r.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.End(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	got := thread(t, s, c.ID).Turns[0].Events
	if len(got) != 3 || got[0] != (agent.TextDelta{Text: want.String()}) || got[1] != (agent.ThoughtDelta{Text: "hmm"}) || got[2] != (agent.TextDelta{Text: "so"}) {
		t.Fatalf("%d events", len(got))
	}
}

// A stopped turn is recorded to its end, although its context has ended.
func TestStoppedTurn(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	r := begin(t, s, c.ID, "", "hello")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := errors.Join(
		r.Record(ctx, agent.TextDelta{Text: "I was about"}),
		r.Record(ctx, agent.TurnEnded{Reason: agent.Cancelled}),
		r.Contents(ctx, []*genai.Content{{Role: genai.RoleUser, Parts: say("hello")}}),
		r.End(ctx, errors.New("it was stopped")),
	)
	if err != nil {
		t.Fatal(err)
	}
	turn := thread(t, s, c.ID).Turns[0]
	if len(turn.Events) != 2 || len(turn.Contents) != 1 || turn.Error != "it was stopped" || turn.Ended.Before(turn.Started) {
		t.Fatalf("%+v", turn)
	}
	if err := r.Record(ctx, agent.TextDelta{Text: "more"}); !errors.Is(err, store.ErrEnded) {
		t.Fatal(err)
	}
	if err := r.End(ctx, nil); err != nil {
		t.Fatal(err)
	}
}

// Contents may repeat, change, or shrink.
func TestContents(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	r := begin(t, s, c.ID, "", "hello")
	content := func(text string) *genai.Content { return &genai.Content{Role: genai.RoleModel, Parts: say(text)} }
	a, b, d := content("a"), content("b"), content("d")
	for _, contents := range [][]*genai.Content{{a}, {a, b}, {a, b}, {a, d, b}, {d}, {}, {b, b}} {
		if err := r.Contents(t.Context(), contents); err != nil {
			t.Fatal(err)
		}
		got := thread(t, s, c.ID).Turns[0].Contents
		if len(got) != len(contents) {
			t.Fatalf("%d contents instead of %d", len(got), len(contents))
		}
		for i := range got {
			if got[i].Parts[0].Text != contents[i].Parts[0].Text {
				t.Fatalf("content %d is %q", i, got[i].Parts[0].Text)
			}
		}
	}
	if err := r.Contents(t.Context(), []*genai.Content{nil}); err == nil {
		t.Fatal("a nil content was accepted")
	}
}

// A deleted turn continues to be recorded until it is purged. After that its recorder returns errors
// and never writes to another turn.
func TestRecordingDeletedTurn(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	r := begin(t, s, c.ID, "", "hello")
	if err := s.DeleteTurn(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if err := r.Record(t.Context(), agent.ToolCalled{ID: "call-1", Name: "f"}); err != nil {
		t.Fatal(err)
	}
	if got := thread(t, s, c.ID); len(got.Turns) != 0 || got.Conversation.Preview != "" {
		t.Fatalf("%+v", got)
	}
	if err := s.UndeleteTurn(t.Context(), r.ID); err != nil {
		t.Fatal(err)
	}
	if got := thread(t, s, c.ID).Turns; len(got) != 1 || len(got[0].Events) != 1 {
		t.Fatalf("%+v", got)
	}
	if err := errors.Join(s.DeleteTurn(t.Context(), r.ID), s.Purge(t.Context(), distant())); err != nil {
		t.Fatal(err)
	}
	begin(t, s, c.ID, "", "another")
	for _, err := range []error{
		r.Record(t.Context(), agent.TurnEnded{}),
		r.Contents(t.Context(), []*genai.Content{{Parts: say("x")}}),
		r.End(t.Context(), nil),
	} {
		if !errors.Is(err, store.ErrNotFound) {
			t.Fatal(err)
		}
	}
	if got := thread(t, s, c.ID).Turns; len(got) != 1 || len(got[0].Events) != 0 {
		t.Fatalf("%+v", got)
	}
}

// Close writes waiting text, ends watchers, and refuses everything afterwards.
func TestClose(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	s := reopen(t, nil, path)
	c := create(t, s)
	r := begin(t, s, c.ID, "", "hello")
	if err := r.Record(t.Context(), agent.TextDelta{Text: "late"}); err != nil {
		t.Fatal(err)
	}
	var watching sync.WaitGroup
	watching.Go(func() {
		for range s.Pending(t.Context()) {
		}
	})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	waittest.Return(t, "the watch ends", watching.Wait)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Create(t.Context()); err == nil {
		t.Fatal("a closed store created a conversation")
	}
	if err := r.Record(t.Context(), agent.TextDelta{Text: "x"}); err == nil {
		t.Fatal("a closed store recorded text")
	}
	s = open(t, path)
	if got := messages(thread(t, s, c.ID)); len(got) != 2 || got[1] != "late" {
		t.Fatalf("%q", got)
	}
	if hits := search(t, s, "late"); len(hits) != 1 { // although the turn did not end
		t.Fatalf("%+v", hits)
	}
}

// Goroutines write and read whole turns concurrently.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			c, err := s.Create(context.Background())
			if err != nil {
				t.Error(err)
				return
			}
			parent := ""
			for range 10 {
				parent = turn(t, s, c.ID, parent, "ask", "answer")
				if th, err := s.Thread(context.Background(), c.ID); err != nil || th.Turns[len(th.Turns)-1].ID != parent {
					t.Error(err)
				}
				if _, err := s.Search(context.Background(), "ask", 10); err != nil {
					t.Error(err)
				}
			}
		})
	}
	waittest.Return(t, "all turns end", all.Wait)
}

// A call without a decision waits as text does. Another process can read it, with the contents of its
// step, after some time, after the decision, or after Close.
func TestCallWaitsForItsDecision(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "history.db")
	content := &genai.Content{Role: genai.RoleModel, Parts: []*genai.Part{{FunctionCall: &genai.FunctionCall{Name: "f", Args: map[string]any{}}}}}
	synctest.Test(t, func(t *testing.T) {
		s, other := open(t, path), open(t, path)
		c := create(t, s)
		written := func() (events, contents int) {
			turns := thread(t, other, c.ID).Turns
			last := turns[len(turns)-1]
			return len(last.Events), len(last.Contents)
		}
		for _, way := range []struct {
			name string
			end  func(r *store.Recorder)
			want int
		}{
			{"time", func(*store.Recorder) { time.Sleep(time.Second) }, 2},
			{"decision", func(r *store.Recorder) {
				_ = r.Step(t.Context(), agent.ToolDecided{ID: "1"}, []*genai.Content{content})
			}, 3},
			{"close", func(*store.Recorder) { _ = s.Close() }, 2},
		} {
			r := begin(t, s, c.ID, thread(t, s, c.ID).Conversation.Active, "go")
			for _, e := range []agent.Event{agent.TextDelta{Text: "I call it."}, agent.ToolCalled{ID: "1", Name: "f"}} {
				if err := r.Step(t.Context(), e, []*genai.Content{content}); err != nil {
					t.Fatal(err)
				}
			}
			if events, _ := written(); events != 0 {
				t.Errorf("%s: %d events are written at once", way.name, events)
			}
			way.end(r)
			if events, contents := written(); events != way.want || contents != 1 {
				t.Errorf("%s: %d events and %d contents are written, want %d and 1", way.name, events, contents, way.want)
			}
		}
	})
}
