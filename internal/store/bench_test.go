package store_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/store"
)

// words creates distinct texts of a typical length.
func words(i int) string {
	return fmt.Sprintf("Message %d is about the harbour of Genoa, its lighthouse and %x; what else would one ask for on a day in spring?", i, i*7919)
}

// fill creates a conversation with messages, half of them from the user.
func fill(tb testing.TB, s *store.Store, messages int) store.Conversation {
	tb.Helper()
	ctx := tb.Context()
	doc := generate(messages)
	ids, err := s.Import(ctx, doc, nil)
	if err != nil {
		tb.Fatal(err)
	}
	t, err := s.Thread(ctx, ids[0])
	if err != nil {
		tb.Fatal(err)
	}
	return t.Conversation
}

func BenchmarkThread(b *testing.B) {
	path := filepath.Join(b.TempDir(), "history.db")
	s := open(b, path)
	c := fill(b, s, 10_000)
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() { // from the disk, without a cache in the process
		s := open(b, path)
		t, err := s.Thread(b.Context(), c.ID)
		if err != nil || len(t.Turns) != 5000 || len(t.History()) != 10_000 {
			b.Fatal(len(t.Turns), len(t.History()), err)
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "history.db")
	s := open(b, path)
	fill(b, s, 10_000)
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := open(b, path).Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkRecord(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "history.db"))
	c, err := s.Create(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	r, err := s.Begin(b.Context(), c.ID, "", []*genai.Part{{Text: "Tell me a long story."}})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("delta", func(b *testing.B) {
		for b.Loop() {
			if err := r.Record(b.Context(), agent.TextDelta{Text: "and then, "}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("durable", func(b *testing.B) {
		for b.Loop() {
			if err := r.Record(b.Context(), agent.ToolDecided{ID: "call-1"}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "history.db"))
	fill(b, s, 10_000)
	for _, query := range []string{"lighthouse", "message 4711", "xyzzy", "ge", "nothing ge"} {
		b.Run(query, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.Search(b.Context(), query, 50); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkConversations(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "history.db"))
	for range 1000 {
		fill(b, s, 2)
	}
	for b.Loop() {
		if list, err := s.Conversations(b.Context()); err != nil || len(list) != 1000 {
			b.Fatal(len(list), err)
		}
	}
}

// BenchmarkTurn records a whole turn in a store that is not empty.
func BenchmarkTurn(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "history.db"))
	fill(b, s, 10_000)
	c := create(b, s)
	parent := ""
	for b.Loop() {
		parent = turn(b, s, c.ID, parent, words(1), words(2))
	}
}

func BenchmarkImport(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "history.db"))
	for b.Loop() {
		fill(b, s, 1000)
	}
}

func BenchmarkPurge(b *testing.B) {
	s := open(b, filepath.Join(b.TempDir(), "history.db"))
	fill(b, s, 10_000)
	for b.Loop() {
		c := fill(b, s, 1000)
		if err := s.Delete(b.Context(), c.ID); err != nil {
			b.Fatal(err)
		}
		if err := s.Purge(b.Context(), distant()); err != nil {
			b.Fatal(err)
		}
	}
}
