package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"
	"google.golang.org/genai"
	"pgregory.net/rapid"

	"goated/agent"
	"goated/internal/store"
)

// text generates what people and models say.
func text() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringN(1, 40, -1),
		rapid.StringOf(rapid.RuneFrom([]rune("abcABC éÉßŁł日本語🙂\"*'()-\n"))).Filter(func(s string) bool { return s != "" }),
		rapid.SampledFrom([]string{"Hello, world", "What is the weather in Zürich?", "ΑΒΓ αβγ", "x", "AND OR NOT NEAR(", "100%_"}),
	)
}

func say(text string) []*genai.Part { return []*genai.Part{{Text: text}} }

// turn records a whole turn.
func turn(tb rapid.TB, s *store.Store, conversation, parent, ask, answer string) string {
	tb.Helper()
	ctx := context.Background()
	r, err := s.Begin(ctx, conversation, parent, say(ask))
	if err == nil {
		err = r.Record(ctx, agent.TextDelta{Text: answer})
	}
	if err == nil {
		err = r.Contents(ctx, []*genai.Content{
			{Role: genai.RoleUser, Parts: say(ask)}, {Role: genai.RoleModel, Parts: say(answer)},
		})
	}
	if err == nil {
		err = r.End(ctx, nil)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return r.ID
}

func create(tb rapid.TB, s *store.Store) store.Conversation {
	tb.Helper()
	c, err := s.Create(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return c
}

func list(tb rapid.TB, s *store.Store) []store.Conversation {
	tb.Helper()
	all, err := s.Conversations(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	return all
}

func thread(tb rapid.TB, s *store.Store, id string) store.Thread {
	tb.Helper()
	t, err := s.Thread(context.Background(), id)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func conversation(tb rapid.TB, s *store.Store, id string) store.Conversation {
	tb.Helper()
	return thread(tb, s, id).Conversation
}

// Property 1: what was said is there after the program has ended.
func TestPersistence(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	rapid.Check(t, func(t *rapid.T) {
		s := reopen(t, nil, path)
		c := create(t, s)
		var said []string
		parent := ""
		for range rapid.IntRange(1, 3).Draw(t, "turns") {
			ask, answer := text().Draw(t, "ask"), text().Draw(t, "answer")
			parent = turn(t, s, c.ID, parent, ask, answer)
			said = append(said, ask, answer)
		}
		before := thread(t, s, c.ID)
		s = reopen(t, s, path)
		after := thread(t, s, c.ID)
		if !reflect.DeepEqual(before, after) {
			t.Fatalf("before %+v\nafter %+v", before, after)
		}
		if got := messages(after); !slices.Equal(got, said) {
			t.Fatalf("%q instead of %q", got, said)
		}
	})
}

func messages(t store.Thread) []string {
	var all []string
	for _, turn := range t.Turns {
		all = append(all, turn.User[0].Text)
		for _, e := range turn.Events {
			if d, ok := e.(agent.TextDelta); ok {
				all = append(all, d.Text)
			}
		}
	}
	return all
}

// tester is a test that runs functions when it ends: a [testing.TB], or one case of
// a property.
type tester interface {
	rapid.TB
	Cleanup(func())
}

// reopen closes a store, if there is one, and opens it again. The store closes at the
// latest when tb ends: rapid discards a case by a panic in the middle of it, whenever
// a generator finds no value.
func reopen(tb tester, s *store.Store, path string) *store.Store {
	tb.Helper()
	if s != nil {
		if err := s.Close(); err != nil {
			tb.Fatal(err)
		}
	}
	s, err := store.Open(context.Background(), path)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	})
	if s.Warning() != nil {
		tb.Fatal(s.Warning())
	}
	return s
}

// A case of a property that rapid discards leaves no database open.
func TestDiscardedCaseClosesItsStore(t *testing.T) {
	before := goleak.IgnoreCurrent()
	path := filepath.Join(t.TempDir(), "history.db")
	cases, discarded := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		create(t, reopen(t, nil, path))
		if cases++; cases%2 == 0 {
			discarded++
			t.Skip("as a generator does that finds no value")
		}
	})
	if discarded == 0 {
		t.Fatal("rapid discarded no case")
	}
	if err := goleak.Find(before); err != nil {
		t.Errorf("after %d discarded cases: %v", discarded, err)
	}
}

// Property 2: conversations are listed by the last activity, the newest first,
// and pinned ones before all.
func TestOrdering(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := temporary(t)
		var order []string // by activity, the newest first
		pinned := make(map[string]bool)
		for range 4 {
			order = slices.Insert(order, 0, create(t, s).ID)
		}
		for _, n := range rapid.SliceOfN(rapid.IntRange(0, 3), 0, 10).Draw(t, "active") {
			id := order[n]
			if rapid.Bool().Draw(t, "pin") {
				pinned[id] = !pinned[id]
				if err := s.Pin(context.Background(), id, pinned[id]); err != nil {
					t.Fatal(err)
				}
				continue
			}
			turn(t, s, id, "", "again", "yes")
			order = slices.Insert(slices.Delete(order, n, n+1), 0, id)
		}
		want := slices.Clone(order)
		slices.SortStableFunc(want, func(a, b string) int {
			switch {
			case pinned[a] == pinned[b]:
				return 0
			case pinned[a]:
				return -1
			}
			return 1
		})
		var got []string
		for _, c := range list(t, s) {
			got = append(got, c.ID)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%v instead of %v", got, want)
		}
	})
}

// temporary opens a store in a folder of its own.
func temporary(tb tester) *store.Store {
	tb.Helper()
	return reopen(tb, nil, filepath.Join(temporaryFolder(tb), "history.db"))
}

// temporaryFolder makes what TempDir does for a rapid.T, which has no TempDir.
func temporaryFolder(tb tester) string {
	tb.Helper()
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			tb.Error(err)
		}
	})
	return dir
}

// Property 3: a conversation gives back its messages, in order, and only its own.
func TestRetrieval(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	rapid.Check(t, func(t *rapid.T) {
		want := make(map[string][]string)
		last := make(map[string]string)
		ids := []string{create(t, s).ID, create(t, s).ID}
		for range rapid.IntRange(0, 6).Draw(t, "turns") {
			id := rapid.SampledFrom(ids).Draw(t, "conversation")
			ask, answer := text().Draw(t, "ask"), text().Draw(t, "answer")
			last[id] = turn(t, s, id, last[id], ask, answer)
			want[id] = append(want[id], ask, answer)
		}
		for _, id := range ids {
			if got := messages(thread(t, s, id)); !slices.Equal(got, want[id]) {
				t.Fatalf("%q instead of %q", got, want[id])
			}
		}
	})
}

// Property 4: who reads the list, here or with the file open for himself, gets
// each change that was acknowledged, whatever was changed.
func TestEmission(t *testing.T) {
	path := filepath.Join(t.TempDir(), "history.db")
	s, other := open(t, path), open(t, path)
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		want := create(t, s)
		for _, change := range rapid.SliceOfN(rapid.IntRange(0, 3), 0, 5).Draw(t, "changes") {
			var err error
			switch change {
			case 0:
				want.Pinned = !want.Pinned
				err = s.Pin(ctx, want.ID, want.Pinned)
			case 1:
				want.Draft = uuid.NewString()
				err = s.SetDraft(ctx, want.ID, want.Draft)
			case 2:
				err = errors.Join(s.Delete(ctx, want.ID), s.Undelete(ctx, want.ID))
			case 3:
				want.Title = uuid.NewString()
				err = s.Rename(ctx, want.ID, want.Title)
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, reader := range []*store.Store{s, other} {
				all, err := reader.Conversations(ctx)
				i := slices.IndexFunc(all, func(c store.Conversation) bool { return c.ID == want.ID })
				if err != nil || i < 0 || all[i].Pinned != want.Pinned || all[i].Draft != want.Draft || all[i].Title != want.Title {
					t.Fatal(err, i, all)
				}
			}
		}
	})
}

// Property 5: ids are UUIDs, and no two are the same.
func TestUniqueIDs(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	seen := make(map[string]bool)
	rapid.Check(t, func(t *rapid.T) {
		c := create(t, s)
		for _, id := range []string{c.ID, turn(t, s, c.ID, "", "a", "b"), turn(t, s, c.ID, "", "a", "b")} {
			if seen[id] || uuid.Validate(id) != nil || len(id) > 36 {
				t.Fatalf("id %q", id)
			}
			seen[id] = true
		}
	})
}

// Property 6: the preview is the first 100 characters of the last message.
func TestPreview(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	rapid.Check(t, func(t *rapid.T) {
		c := create(t, s)
		ask, answer := text().Draw(t, "ask"), strings.Repeat(text().Draw(t, "answer"), rapid.IntRange(1, 30).Draw(t, "times"))
		r, err := s.Begin(context.Background(), c.ID, "", say(ask))
		if err != nil {
			t.Fatal(err)
		}
		check := func(want string) {
			want = strings.Join(strings.Fields(want), " ")
			if runes := []rune(want); len(runes) > 100 {
				want = string(runes[:100])
			}
			if got := conversation(t, s, c.ID).Preview; got != want {
				t.Fatalf("%q instead of %q", got, want)
			}
		}
		check(ask)
		if err := errors.Join(r.Record(context.Background(), agent.TextDelta{Text: answer}), r.End(context.Background(), nil)); err != nil {
			t.Fatal(err)
		}
		if strings.TrimSpace(answer) == "" {
			answer = ask
		}
		check(answer)
	})
}

// Property 8: a title has at most 200 characters, a preview 500, an id 36.
func TestSchemaLimits(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		c := create(t, s)
		turn(t, s, c.ID, "", strings.Repeat(text().Draw(t, "ask"), 50), strings.Repeat(text().Draw(t, "answer"), 200))
		titled := conversation(t, s, c.ID)
		if utf8.RuneCountInString(titled.Title) > 60 || utf8.RuneCountInString(titled.Preview) > 100 {
			t.Fatalf("%+v", titled)
		}
		title := rapid.StringOfN(rapid.RuneFrom([]rune("aé日🙂")), 150, 250, -1).Draw(t, "title")
		err := s.Rename(ctx, c.ID, title)
		if long := utf8.RuneCountInString(title) > 200; long != errors.Is(err, store.ErrTitle) || !long && err != nil {
			t.Fatal(err)
		}
		want := title
		if err != nil {
			want = titled.Title
		}
		if got := conversation(t, s, c.ID).Title; got != want {
			t.Fatalf("title %q", got)
		}
	})
}

// Property 9: what fails changes nothing.
func TestFailureSafe(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	at := turn(t, s, c.ID, "", "a question", "an answer")
	other := create(t, s)
	turn(t, s, other.ID, "", "another question", "another answer")
	before := export(t, s)
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		no := uuid.NewString()
		cancelled, cancel := context.WithCancel(ctx)
		cancel()
		fail := map[string]func() error{
			"rename":        func() error { return s.Rename(ctx, no, "x") },
			"long title":    func() error { return s.Rename(ctx, c.ID, strings.Repeat("x", 201)) },
			"pin":           func() error { return s.Pin(ctx, no, true) },
			"draft":         func() error { return s.SetDraft(cancelled, c.ID, "x") },
			"delete":        func() error { return s.Delete(ctx, no) },
			"undelete":      func() error { return s.Undelete(ctx, no) },
			"delete turn":   func() error { return s.DeleteTurn(ctx, no) },
			"undelete turn": func() error { return s.UndeleteTurn(ctx, no) },
			"keep a place":  func() error { return s.SetPlace(ctx, no, "1 0") },
			"activate":      func() error { return s.Activate(ctx, other.ID, at) },
			"begin":         func() error { _, err := s.Begin(ctx, no, "", say("x")); return err },
			"begin after":   func() error { _, err := s.Begin(ctx, other.ID, at, say("x")); return err },
			"begin nil":     func() error { _, err := s.Begin(ctx, c.ID, "", []*genai.Part{nil}); return err },
			"import":        func() error { _, err := s.Import(ctx, strings.NewReader(`{"format":"x"}`)); return err },
			"thread":        func() error { _, err := s.Thread(ctx, no); return err },
			"export":        func() error { return s.ExportJSON(ctx, &bytes.Buffer{}, no) },
		}
		names := slices.Sorted(func(yield func(string) bool) {
			for name := range fail {
				if !yield(name) {
					return
				}
			}
		})
		name := rapid.SampledFrom(names).Draw(t, "operation")
		if err := fail[name](); err == nil {
			t.Fatalf("%s did not fail", name)
		}
		if after := export(t, s); after != before {
			t.Fatalf("%s changed\n%s\ninto\n%s", name, before, after)
		}
	})
}

func export(tb rapid.TB, s *store.Store, ids ...string) string {
	tb.Helper()
	var b strings.Builder
	if err := s.ExportJSON(context.Background(), &b, ids...); err != nil {
		tb.Fatal(err)
	}
	return b.String()
}

// Property 12: calls of tools and their results come back as they were.
func TestRoundTrip(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	rapid.Check(t, func(t *rapid.T) {
		c := create(t, s)
		r, err := s.Begin(context.Background(), c.ID, "", say("go"))
		if err != nil {
			t.Fatal(err)
		}
		called := agent.ToolCalled{
			ID: "call-1", Name: "box__" + text().Draw(t, "name"), Server: "box", Tool: "tool", At: time.Now().UTC().Round(0),
			Args: rapid.MapOfN(text(), value(), 1, 4).Draw(t, "args"),
		}
		returned := agent.ToolReturned{ID: "call-1", Duration: 7, Result: &mcp.CallToolResult{
			Content:           []mcp.Content{&mcp.TextContent{Text: text().Draw(t, "result")}, &mcp.ImageContent{Data: []byte{1, 2, 0}, MIMEType: "image/png"}},
			StructuredContent: rapid.MapOfN(text(), value(), 1, 4).Draw(t, "structured"),
		}}
		events := []agent.Event{called, agent.ToolDecided{ID: "call-1", Decision: agent.AllowOnce, Asked: true}, returned,
			agent.TurnEnded{Reason: agent.StepLimit, Detail: "why", Steps: 3, Usage: agent.Usage{Prompt: 1, Answer: 2, Thought: 3}}}
		for _, e := range events {
			if err := r.Record(context.Background(), e); err != nil {
				t.Fatal(err)
			}
		}
		got := thread(t, s, c.ID).Turns[0].Events
		if len(got) != len(events) {
			t.Fatalf("%d events", len(got))
		}
		for i := range events {
			if !reflect.DeepEqual(encode(t, got[i]), encode(t, events[i])) {
				t.Fatalf("%#v instead of %#v", got[i], events[i])
			}
		}
		if !reflect.DeepEqual(got[0], agent.Event(called)) {
			t.Fatalf("%#v instead of %#v", got[0], called)
		}
	})
}

func encode(tb rapid.TB, e agent.Event) string {
	data, err := agent.EncodeEvent(e)
	if err != nil {
		tb.Fatal(err)
	}
	return string(data)
}

// value generates what JSON can say.
func value() *rapid.Generator[any] {
	return rapid.OneOf(
		rapid.Float64().AsAny(), rapid.Bool().AsAny(), text().AsAny(),
		rapid.SampledFrom([]any{nil, 1e21, 1e-7, 9007199254740993.0, 0.1}),
		rapid.SliceOfN(text().AsAny(), 1, 3).AsAny(),
	).Filter(func(v any) bool { _, err := json.Marshal(v); return err == nil })
}
