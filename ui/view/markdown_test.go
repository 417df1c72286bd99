package view

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func plain(s string) []Span { return []Span{{Text: s}} }

func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []Block
	}{
		{"paragraphs", "one\ntwo\n\nthree", []Block{{Spans: plain("one\ntwo")}, {Spans: plain("three")}}},
		{"heading", "# Top\ntext\n### Low ###", []Block{{Kind: Heading, Level: 1, Spans: plain("Top")}, {Spans: plain("text")}, {Kind: Heading, Level: 3, Spans: plain("Low")}}},
		{"lists", "- a\n  - b\n1. c\n2) d", []Block{
			{Kind: Bullet, Marker: "•", Spans: plain("a")}, {Kind: Bullet, Level: 1, Marker: "•", Spans: plain("b")},
			{Kind: Numbered, Marker: "1.", Spans: plain("c")}, {Kind: Numbered, Marker: "2)", Spans: plain("d")}}},
		{"an item goes on", "- a\n  more", []Block{{Kind: Bullet, Marker: "•", Spans: []Span{{Text: "a"}, {Text: " more"}}}}},
		{"fence", "see\n```go\na := 1\n\nb\n```\nend", []Block{{Spans: plain("see")}, {Kind: Code, Marker: "go", Spans: []Span{{Text: "a := 1\n\nb", Code: true}}}, {Spans: plain("end")}}},
		{"open fence", "```\nx", []Block{{Kind: Code, Spans: []Span{{Text: "x", Code: true}}}}},
		{"quote", "> a\n> b\nc", []Block{{Kind: Quote, Spans: plain("a\nb")}, {Spans: plain("c")}}},
		{"rule", "a\n\n---\n\nb", []Block{{Spans: plain("a")}, {Kind: Rule}, {Spans: plain("b")}}},
		{"table", "| Tool | n |\n|:--|--|\n| **read** | 11 |\nend", []Block{{Kind: Code, Marker: "table", Spans: []Span{{Text: "Tool   n\n─────────\nread   11", Code: true}}}, {Spans: plain("end")}}},
		{"nothing", "\n\n", nil},
	} {
		if got := Blocks(c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\ngot  %#v\nwant %#v", c.name, got, c.want)
		}
	}
}

func TestSpans(t *testing.T) {
	for in, want := range map[string][]Span{
		"a **b** c":       {{Text: "a "}, {Text: "b", Bold: true}, {Text: " c"}},
		"*i* and _j_":     {{Text: "i", Italic: true}, {Text: " and "}, {Text: "j", Italic: true}},
		"`x*y*`":          {{Text: "x*y*", Code: true}},
		"``a`b``":         {{Text: "a`b", Code: true}},
		"read_file_now":   {{Text: "read_file_now"}},
		"2 * 3 * 4":       {{Text: "2 * 3 * 4"}},
		"**open":          {{Text: "**open"}},
		"`open":           {{Text: "`open"}},
		`\*not\*`:         {{Text: "*not*"}},
		"**a `b` c**":     {{Text: "a ", Bold: true}, {Text: "b", Bold: true, Code: true}, {Text: " c", Bold: true}},
		"**bold *both***": {{Text: "bold ", Bold: true}, {Text: "both", Bold: true, Italic: true}},
	} {
		if got := Spans(in); !reflect.DeepEqual(got, want) {
			t.Errorf("%q:\ngot  %#v\nwant %#v", in, got, want)
		}
	}
}

// Markdown that a model is still writing ends anywhere. No prefix of anything
// panics, and no letter is lost.
func TestMarkdownTakesAnything(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "b ", "|", "|-|", "*", "**", "_", "`", "```", "\n", "\n\n", "- ", "1. ", "# ", "> ", "\\", "  ", "é", "日"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
		letters := func(s string) string {
			return strings.Map(func(r rune) rune {
				if strings.ContainsRune("abé日", r) {
					return r
				}
				return -1
			}, s)
		}
		var got strings.Builder
		for _, b := range Blocks(text) {
			if b.Kind == Code && b.Marker != "table" {
				got.WriteString(b.Marker)
			}
			for _, s := range b.Spans {
				got.WriteString(s.Text)
			}
		}
		if letters(got.String()) != letters(text) {
			t.Fatalf("%q becomes %#v", text, Blocks(text))
		}
	})
}
