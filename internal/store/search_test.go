package store_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"goated/agent"
	"goated/internal/store"
)

func search(tb rapid.TB, s *store.Store, query string) []store.Hit {
	tb.Helper()
	hits, err := s.Search(context.Background(), query, 1000)
	if err != nil {
		tb.Fatalf("searching %q: %v", query, err)
	}
	return hits
}

func turnsOf(hits []store.Hit) []string {
	var ids []string
	for _, h := range hits {
		if h.Turn != "" {
			ids = append(ids, h.Turn)
		}
	}
	slices.Sort(ids)
	return ids
}

// contains is an independent definition of a match: the text contains each word, where characters are
// compared under Unicode's simple folding.
func contains(text, query string) bool {
	for _, w := range strings.Fields(query) {
		found := false
		for i := range text {
			rest := []rune(text[i:])
			if n := utf8.RuneCountInString(w); len(rest) >= n && strings.EqualFold(string(rest[:n]), w) {
				found = true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// Property 10: search finds exactly the turns that contain the words.
func TestSearch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := temporary(t)
		c := create(t, s)
		texts := make(map[string]string)
		for range rapid.IntRange(1, 5).Draw(t, "turns") {
			ask, answer := text().Draw(t, "ask"), text().Draw(t, "answer")
			id := turn(t, s, c.ID, "", ask, answer)
			texts[id] = strings.ReplaceAll(ask+"\n"+answer, "\x00", " ")
		}
		whole := []rune(texts[slices.Collect(func(yield func(string) bool) {
			for id := range texts {
				if !yield(id) {
					return
				}
			}
		})[0]])
		from := rapid.IntRange(0, len(whole)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(whole)).Draw(t, "to")
		query := rapid.OneOf(rapid.Just(string(whole[from:to])), text()).Draw(t, "query")
		query = strings.ReplaceAll(query, "\x00", " ")
		if len(strings.Fields(query)) == 0 {
			return
		}
		var want []string
		for id, text := range texts {
			if contains(text, query) {
				want = append(want, id)
			}
		}
		slices.Sort(want)
		hits := search(t, s, query)
		if got := turnsOf(hits); !slices.Equal(got, want) {
			t.Fatalf("%q in %q: %v instead of %v", query, texts, got, want)
		}
		for _, h := range hits {
			marked(t, h, query)
		}
	})
}

// marked checks that the matches in a snippet are words of the query.
func marked(tb rapid.TB, h store.Hit, query string) {
	tb.Helper()
	if !utf8.ValidString(h.Snippet) || len(h.Matches) == 0 || strings.ContainsAny(h.Snippet, "\n\x00") {
		tb.Fatalf("%q: %+v", query, h)
	}
	end := -1
	for _, m := range h.Matches {
		if m[0] <= end || m[1] <= m[0] || m[1] > len(h.Snippet) || !utf8.ValidString(h.Snippet[m[0]:m[1]]) {
			tb.Fatalf("%q: %+v", query, h)
		}
		end = m[1]
		if !slices.ContainsFunc(strings.Fields(query), func(w string) bool { return contains(h.Snippet[m[0]:m[1]], w) }) {
			tb.Fatalf("%q: %q is marked in %q", query, h.Snippet[m[0]:m[1]], h.Snippet)
		}
	}
}

// Property 11: search ignores case.
func TestCaseInsensitive(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOfN(rapid.RuneFrom([]rune("abcdeéßüøłαβγσωджя")), 1, 12, -1).Draw(t, "text")
		id := turn(t, s, c.ID, "", text, "yes")
		for _, query := range []string{text, strings.ToUpper(text), strings.ToTitle(text), flip(text)} {
			if !slices.Contains(turnsOf(search(t, s, query)), id) {
				t.Fatalf("%q does not find %q", query, text)
			}
		}
	})
}

// flip changes the case of every other character.
func flip(text string) string {
	i := 0
	return strings.Map(func(r rune) rune {
		if i++; i%2 == 0 {
			return unicode.ToUpper(r)
		}
		return r
	}, text)
}

// Any query finds a turn that contains it.
func FuzzSearch(f *testing.F) {
	for _, query := range []string{"", " ", `"`, `""`, `a"b"c`, "AND", "x OR y", "NEAR(a b)", "text:abc", "-abc", "abc*", "^abc", "100%", "_", "🙂", "日本", "日本語", "\x00", "\xff\xfeabc", "0\xde\xf40", "'; DROP TABLE turn"} {
		f.Add(query)
	}
	s := open(f, filepath.Join(f.TempDir(), "history.db"))
	c := create(f, s)
	turn(f, s, c.ID, "", `a "quoted" AND NEAR(text) 100%_*`, "日本語のテキスト 🙂")
	f.Fuzz(func(t *testing.T, query string) {
		id := turn(t, s, c.ID, "", "x "+query, "y")
		if strings.TrimSpace(strings.ReplaceAll(query, "\x00", " ")) == "" {
			return
		}
		hits := search(t, s, query)
		if !slices.Contains(turnsOf(hits), id) {
			t.Fatalf("%q does not find itself", query)
		}
	})
}

// Search finds titles, too, but no deleted conversations.
func TestSearchScope(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	id := turn(t, s, c.ID, "", "Who keeps the lighthouse?", "Its keeper does.")
	if err := s.Rename(ctx, c.ID, "Lighthouses of Liguria"); err != nil {
		t.Fatal(err)
	}
	hits := search(t, s, "LIGHTHOUSE")
	if len(hits) != 2 || hits[0].Turn != "" || hits[1].Turn != id || hits[1].Snippet != "Who keeps the lighthouse? Its keeper does." {
		t.Fatalf("%+v", hits)
	}
	if got := hits[1].Matches; len(got) != 1 || hits[1].Snippet[got[0][0]:got[0][1]] != "lighthouse" {
		t.Fatal(got)
	}
	if hits := search(t, s, "who keeper"); len(hits) != 1 { // words from the message and the answer
		t.Fatalf("%+v", hits)
	}
	if hits, err := s.Search(ctx, "lighthouse", 1); err != nil || len(hits) != 1 {
		t.Fatalf("%+v, %v", hits, err)
	}
	if err := s.Delete(ctx, c.ID); err != nil {
		t.Fatal(err)
	}
	if hits := search(t, s, "lighthouse"); len(hits) != 0 {
		t.Fatalf("%+v", hits)
	}
}

// A text that was discarded is neither found nor used as the preview.
func TestDiscardedTextIsNotFound(t *testing.T) {
	t.Parallel()
	s := open(t, filepath.Join(t.TempDir(), "history.db"))
	c := create(t, s)
	r := begin(t, s, c.ID, "", "hello")
	for _, e := range []agent.Event{
		agent.TextDelta{Text: "a broken beginning"}, agent.AnswerDiscarded{Kind: agent.AnswerCut}, agent.TextDelta{Text: "a whole answer"},
		agent.ToolCalled{ID: "1", Name: "s__t"}, agent.ToolReturned{ID: "1"},
		agent.TextDelta{Text: "the last broken one"}, agent.AnswerDiscarded{Kind: agent.AnswerCut},
	} {
		if err := r.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.End(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if hits := search(t, s, "broken"); len(hits) > 0 {
		t.Errorf("discarded text is found: %+v", hits)
	}
	if hits := search(t, s, "whole"); len(hits) != 1 {
		t.Errorf("%d hits", len(hits))
	}
	if p := thread(t, s, c.ID).Conversation.Preview; p != "a whole answer" {
		t.Errorf("the preview is %q", p)
	}
}
