package richtext_test

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"pgregory.net/rapid"

	"goated/ui/kit"
	"goated/ui/markdown"
	"goated/ui/richtext"
	"goated/ui/typeset"
)

func lineTexts(lines []kit.Line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		for _, f := range l.Parts {
			out[i] += f.Text
		}
	}
	return out
}

func TestLinesBreak(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(kit.Theme{Measure: kit.NewMeasure()})
	g := kit.NewWordMeasure()
	for _, c := range []struct {
		name, text string
		width      float32
		want       []string
	}{
		{"between words", "one two three", 60, []string{"one two ", "three"}},
		{"at a line feed", "one\n\ntwo", 600, []string{"one", "", "two"}},
		{"within a word that is too long", "https://example.org/" + strings.Repeat("x", 8), 70, []string{"https://", "example.o", "rg/xxxxxx", "xx"}},
		{"narrower than a letter", "ab", 1, []string{"a", "b"}},
		{"narrower than nothing, as before the first layout", "ab", -8, []string{"a", "b"}},
	} {
		s := kit.LineBreaker{Measure: g, TextSize: 14, Width: c.width}
		if got := lineTexts(s.Break([]richtext.Span{{Text: c.text}})); strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// Values in cards are verbatim. They break after blanks and separators. They break anywhere else
// only if half of the line would remain empty otherwise.
func TestVerbatimLinesBreakBetweenWords(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(kit.Theme{Measure: kit.NewMeasure()})
	g := kit.NewWordMeasure()
	mono := fyne.TextStyle{Monospace: true}
	ten := g.Width(strings.Repeat("0", 10), 12, mono) + 0.1
	for text, want := range map[string]string{
		"please remind me":       "please |remind me",
		"tenletters next":        "tenletters |next",
		"/home/user/notes/a.txt": "/home/|user/notes|/a.txt",
		"a bcdefghijklmn":        "a bcdefghi|jklmn",
		"0123456789abcdef":       "0123456789|abcdef",
	} {
		s := kit.LineBreaker{Measure: g, TextSize: 12, Style: mono, Width: ten}
		if got := strings.Join(lineTexts(s.Break([]richtext.Span{{Text: text}})), "|"); got != want {
			t.Errorf("%q is broken as %q, not %q", text, got, want)
		}
	}
}

func TestScriptsWithoutBlanksBreakAnywhere(t *testing.T) {
	var got []string
	typeset.Words("日本語。「はい」と言う、then 한국어", false, func(w string) { got = append(got, w) })
	if want := "日|本|語。|「|は|い」|と|言|う、|then| |한|국|어"; strings.Join(got, "|") != want {
		t.Errorf("got %q", strings.Join(got, "|"))
	}
}

// For any text and width, every character is on a line, in order. No line is wider than the
// limit, unless a single letter is.
func TestEveryCharacterIsSet(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(kit.Theme{Measure: kit.NewMeasure()})
	g := kit.NewWordMeasure()
	piece := rapid.SampledFrom([]string{"word ", "wo", " ", "\n", "\t", "é", "x.y", "verylongwordthatgoesonandon"})
	rapid.Check(t, func(t *rapid.T) {
		var spans []richtext.Span
		var all strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "spans") {
			s := richtext.Span{Text: strings.Join(rapid.SliceOfN(piece, 1, 8).Draw(t, "text"), ""), Bold: rapid.Bool().Draw(t, "bold"), Code: rapid.Bool().Draw(t, "code")}
			spans = append(spans, s)
			all.WriteString(s.Text)
		}
		width := float32(rapid.IntRange(-20, 300).Draw(t, "width"))
		s := kit.LineBreaker{Measure: g, TextSize: 14, Width: width, Style: fyne.TextStyle{Monospace: rapid.Bool().Draw(t, "mono")}}
		text, at := []rune(all.String()), 0
		for _, line := range s.Break(spans) {
			for _, f := range line.Parts {
				for at < len(text) && text[at] == '\n' {
					at++
				}
				if at != f.At || string(text[at:at+f.N]) != f.Text {
					t.Fatalf("%q is set at %d, not %d", f.Text, f.At, at)
				}
				at += f.N
				if strings.TrimSpace(f.Text) != "" && f.X+g.Width(kit.Shown(strings.TrimRight(f.Text, " \t")), kit.RunSize(14, f.Code), f.Font) > width+1 && f.N > 1 && f.X > 0 && len(strings.Fields(f.Text)) > 1 {
					t.Fatalf("%q reaches beyond %v", f.Text, width)
				}
			}
		}
		if rest := strings.Trim(string(text[at:]), "\n"); rest != "" {
			t.Fatalf("%q is not set", rest)
		}
	})
}

// Growing text has the same lines as text that arrives in one piece.
func TestSettingResumes(t *testing.T) {
	test.NewTempApp(t).Settings().SetTheme(kit.Theme{Measure: kit.NewMeasure()})
	g := kit.NewWordMeasure()
	piece := rapid.SampledFrom([]string{"word ", "wo", " ", "  ", "\n", "\n\n", "\t", "é", "日", "。", "verylongwordthatgoesonandon"})
	rapid.Check(t, func(t *rapid.T) {
		m := markdown.Style{TextSize: 14, Leading: 22, Style: fyne.TextStyle{Monospace: rapid.Bool().Draw(t, "mono")}}
		width := float32(rapid.IntRange(30, 200).Draw(t, "width"))
		var spans []richtext.Span
		old := markdown.Layout{Measure: g}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			s := richtext.Span{Bold: rapid.Bool().Draw(t, "bold"), Code: rapid.IntRange(0, 5).Draw(t, "code") == 0}
			text := piece.Draw(t, "text")
			grown := append([]richtext.Span(nil), spans...)
			if n := len(grown); n > 0 && rapid.Bool().Draw(t, "same") {
				grown[n-1].Text += text
			} else {
				s.Text = text
				grown = append(grown, s)
			}
			if rapid.IntRange(0, 9).Draw(t, "change") == 0 {
				grown[0].Text = "other " + grown[0].Text
			}
			spans = grown
			now := markdown.Layout{Measure: g, Old: old.Runs}
			got := now.Broken(spans, width, m)
			fresh := markdown.Layout{Measure: g}
			same := func(a, b kit.Line) bool {
				return a.At == b.At && a.End == b.End && slices.EqualFunc(a.Parts, b.Parts, func(x, y kit.Fragment) bool {
					near := x.X-y.X < 0.01 && y.X-x.X < 0.01 && x.W-y.W < 0.01 && y.W-x.W < 0.01
					x.X, x.W = y.X, y.W
					return near && x == y
				})
			}
			if want := fresh.Broken(spans, width, m); !slices.EqualFunc(got, want, same) {
				t.Fatalf("%+v at %v\nis set %+v\nand not %+v", spans, width, got, want)
			}
			old = now
		}
	})
}
