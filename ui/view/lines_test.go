package view

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goated/ui/view/format"
)

// The rows of a text, joined by the line feeds between them, are exactly the text. No row is
// longer than the number of columns.
func TestLinesAreTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"", "\n", "\n\n", "\t", strings.Repeat("x", 50), "日本語日本語", "\r\n", "\xff",
		}))).Draw(t, "pieces"), "")
		columns := rapid.IntRange(4, 40).Draw(t, "columns")
		l := NewLines(text, columns)
		var b strings.Builder
		numbered := 0
		for i := range l.Len() {
			start, end := l.Span(i)
			if n := l.Number(i); n > 0 {
				if numbered++; n != numbered {
					t.Fatalf("row %d is line %d, after %d", i, n, numbered-1)
				}
				if i > 0 {
					b.WriteByte('\n')
				}
			}
			b.WriteString(text[start:end])
			if n := len([]rune(text[start:end])); n > columns {
				t.Fatalf("row %d is %d long", i, n)
			}
			if start < end && l.At(start) != i {
				t.Fatalf("place %d is in row %d, not %d", start, i, l.At(start))
			}
		}
		if b.String() != text {
			t.Fatalf("the rows say %q, not %q", b.String(), text)
		}
		if numbered != l.Count() || l.Count() != strings.Count(text, "\n")+1 {
			t.Fatalf("%d lines", l.Count())
		}
	})
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		text, query string
		want        []Match
	}{
		{"abcABC", "b", []Match{{1, 2}, {4, 5}}},
		{"abcABC", "B", []Match{{4, 5}}},
		{"aaaa", "aa", []Match{{0, 2}, {2, 4}}},
		{"Über über", "über", []Match{{0, 5}, {6, 11}}},
		{"a.b", ".", []Match{{1, 2}}},
		{"abc", "", nil},
		{"abc", "x", nil},
	} {
		got := Find(c.text, c.query)
		if len(got) != len(c.want) {
			t.Errorf("%q in %q: %v", c.query, c.text, got)
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%q in %q: %v", c.query, c.text, got)
			}
		}
	}
}

func TestSingleLine(t *testing.T) {
	for text, want := range map[string]string{"a\tb": "a    b", "a\r": "a", "\x00x": "⟨U+0000⟩x", "é\xff": "é\uFFFD", "plain": "plain"} {
		if got := SingleLine(text); got != want {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}

func BenchmarkLines(b *testing.B) {
	text, _ := Pretty(megabyte(8 << 20))
	b.Logf("%s", format.Size(int64(len(text))))
	b.Run("lines", func(b *testing.B) {
		for range b.N {
			NewLines(text, 120)
		}
	})
	b.Run("find", func(b *testing.B) {
		for range b.N {
			Find(text, "customer 499")
		}
	})
	b.Run("findfolded", func(b *testing.B) {
		for range b.N {
			Find(text, "änderung")
		}
	})
}
