package store_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"google.golang.org/genai"
	"pgregory.net/rapid"

	"goated/agent"
	"goated/internal/store"
)

// Property 6: the preview is the first 100 characters of the last message.
func TestPreview(t *testing.T) {
	t.Parallel()
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

// Property 8: a title has at most 200 characters and a preview at most 500.
func TestSchemaLimits(t *testing.T) {
	t.Parallel()
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

// Property 9: a method that fails changes nothing.
func TestFailureChangesNothing(t *testing.T) {
	t.Parallel()
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
			"draft":         func() error { return s.SetDraft(cancelled, c.ID, "x", nil) },
			"delete":        func() error { return s.Delete(ctx, no) },
			"undelete":      func() error { return s.Undelete(ctx, no) },
			"delete turn":   func() error { return s.DeleteTurn(ctx, no) },
			"undelete turn": func() error { return s.UndeleteTurn(ctx, no) },
			"set place":     func() error { return s.SetReadingPosition(ctx, no, "1 0") },
			"activate":      func() error { return s.Activate(ctx, other.ID, at) },
			"begin":         func() error { _, err := s.Begin(ctx, no, "", say("x")); return err },
			"begin after":   func() error { _, err := s.Begin(ctx, other.ID, at, say("x")); return err },
			"begin nil":     func() error { _, err := s.Begin(ctx, c.ID, "", []*genai.Part{nil}); return err },
			"import":        func() error { _, err := s.Import(ctx, strings.NewReader(`{"format":"x"}`), nil); return err },
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

// Property 12: tool calls and results are read as they were recorded.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
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

// value generates JSON values.
func value() *rapid.Generator[any] {
	return rapid.OneOf(
		rapid.Map(rapid.Float64Range(-1e300, 1e300), func(f float64) any { return json.Number(strconv.FormatFloat(f, 'g', -1, 64)) }), rapid.Bool().AsAny(), text().AsAny(),
		rapid.SampledFrom([]any{nil, json.Number("1e21"), json.Number("1E-7"), json.Number("9007199254740993"), json.Number("1.10"), json.Number("1e400")}),
		rapid.SliceOfN(text().AsAny(), 1, 3).AsAny(),
	).Filter(func(v any) bool { _, err := json.Marshal(v); return err == nil })
}
