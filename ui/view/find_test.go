package view

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// The viewer and the search of a conversation find the same matches, in bytes and in characters.
func TestBothSearchesFindTheSame(t *testing.T) {
	for _, tt := range []struct {
		text, query string
		want        []Match
	}{
		{"ΟΔΟΣ οδος", "οδος", []Match{{0, 8}, {9, 17}}}, // a final sigma has another form
		{"300 \u212a, 20 K", "k", []Match{{4, 7}, {12, 13}}},
		{"İstanbul ist", "ist", []Match{{0, 4}, {10, 13}}},
		{"a\xffÄb", "ä", []Match{{2, 4}}},
		{"\xff\xffx", "x", []Match{{2, 3}}},
		{"aaa", "aa", []Match{{0, 2}}},
		{"a", "", nil},
	} {
		if got := Find(tt.text, tt.query); !slices.Equal(got, tt.want) {
			t.Errorf("%q in %q: %v", tt.query, tt.text, got)
		}
		checkCharacters(t, tt.text, tt.query)
	}
	rapid.Check(t, func(t *rapid.T) {
		some := rapid.StringOf(rapid.SampledFrom([]rune("aAäÄßKk\u212aİiσςΣ☺")))
		checkCharacters(t, some.Draw(t, "text"), some.Draw(t, "query"))
	})
}

func checkCharacters(t rapid.TB, text, query string) {
	matches, chars := Find(text, strings.ToLower(query)), Occurrences(text, Folded(strings.ToLower(query)))
	if len(matches) != len(chars) {
		t.Fatalf("%q in %q: %v and %v", query, text, matches, chars)
	}
	for i, m := range matches {
		from, to := utf8.RuneCountInString(text[:m.Start]), utf8.RuneCountInString(text[:m.End])
		if chars[i] != [2]int{from, to} || Folded(text[m.Start:m.End]) != Folded(strings.ToLower(query)) {
			t.Errorf("%q in %q: %v and %v", query, text, matches, chars)
		}
	}
}

// The search of a chat found a Greek word in each text, but not in the cells of a table.
func TestATableIsFoundByEachFormOfALetter(t *testing.T) {
	root, _ := ParseNode(`[{"street":"Ερμού"},{"street":"οδος"}]`)
	g, ok := newGrid(root)
	if !ok {
		t.Fatal("there is no table")
	}
	for _, words := range []string{"οδος", "ΟΔΟΣ", Folded("οδος")} {
		if got := g.Matching(words); !slices.Equal(got, []int{1}) {
			t.Errorf("%s is in the rows %v", words, got)
		}
	}
}
