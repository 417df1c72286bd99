package markdown

import (
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goated/ui/richtext"
)

func said(s string) []richtext.Span { return []richtext.Span{{Text: s}} }

func paragraph(s string, at int) Block { return Block{Spans: said(s), At: at} }

func TestMarkdown(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []Block
	}{
		{"paragraphs", "one\ntwo\n\nthree", []Block{paragraph("one two", 0), paragraph("three", 0)}},
		{"headings", "# Top\ntext\n### Low ###", []Block{{Kind: Heading, Level: 1, Spans: said("Top")}, paragraph("text", 0), {Kind: Heading, Level: 3, Spans: said("Low")}}},
		{"lists within lists", "- a\n  - b\n", []Block{{Kind: List, Blocks: []Block{
			{Kind: ListItem, Marker: "•", Blocks: []Block{paragraph("a", 2), {Kind: List, At: 4, Blocks: []Block{
				{Kind: ListItem, Marker: "•", At: 6, Blocks: []Block{paragraph("b", 8)}}}}}}}}}},
		{"numbers", "3. c\n4. d", []Block{{Kind: List, Blocks: []Block{
			{Kind: ListItem, Marker: "3.", Blocks: []Block{paragraph("c", 3)}},
			{Kind: ListItem, Marker: "4.", At: 5, Blocks: []Block{paragraph("d", 8)}}}}}},
		{"tasks", "- [x] a\n- [ ] b", []Block{{Kind: List, Blocks: []Block{
			{Kind: ListItem, Marker: "•", Task: TaskDone, Blocks: []Block{paragraph("a", 4)}},
			{Kind: ListItem, Marker: "•", Task: TaskOpen, At: 6, Blocks: []Block{paragraph("b", 10)}}}}}},
		{"fence", "see\n```go\na := 1\n\nb\n```\nend", []Block{paragraph("see", 0), {Kind: Code, Marker: "go", Spans: []richtext.Span{{Text: "a := 1\n\nb", Code: true}}}, paragraph("end", 0)}},
		{"open fence", "```\nx", []Block{{Kind: Code, Spans: []richtext.Span{{Text: "x", Code: true}}}}},
		{"quote", "> a\n> b", []Block{{Kind: Quote, Blocks: []Block{paragraph("a b", 0)}}}},
		{"rule", "---", []Block{{Kind: Rule}}},
		{"table", "| Tool | n |\n|:-:|--:|\n| **read** | 11 |", []Block{{Kind: Table, Blocks: []Block{
			{Kind: TableRow, Head: true, Blocks: []Block{{Kind: TableCell, Align: AlignCenter, Spans: said("Tool")}, {Kind: TableCell, Align: AlignRight, Spans: said("n"), At: 5}}},
			{Kind: TableRow, At: 7, Blocks: []Block{{Kind: TableCell, Align: AlignCenter, Spans: []richtext.Span{{Text: "read", Bold: true}}, At: 7}, {Kind: TableCell, Align: AlignRight, Spans: said("11"), At: 12}}}}}}},
		{"unknown formula", "$$\n\\x^2\n$$", []Block{{Kind: Code, Marker: "math", Spans: []richtext.Span{{Text: "\\x^2", Code: true}}}}},
		{"a definition alone", "[a]: https://example.org\n", []Block{paragraph("[a]: https://example.org", 0)}},
		{"nothing", "\n\n", []Block{}},
	} {
		if got := Parse(c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\ngot  %#v\nwant %#v", c.name, got, c.want)
		}
	}
}

func TestSpans(t *testing.T) {
	const page = "https://example.org/a"
	for in, want := range map[string][]richtext.Span{
		"a **b** c":                        {{Text: "a "}, {Text: "b", Bold: true}, {Text: " c"}},
		"*i* and _j_":                      {{Text: "i", Italic: true}, {Text: " and "}, {Text: "j", Italic: true}},
		"`x*y*`":                           {{Text: "x*y*", Code: true}},
		"read_file_now":                    {{Text: "read_file_now"}},
		"**open":                           {{Text: "**open"}},
		`\*not\* &amp; &copy;`:             {{Text: "*not* & ©"}},
		"**a `b` c**":                      {{Text: "a ", Bold: true}, {Text: "b", Bold: true, Code: true}, {Text: " c", Bold: true}},
		"~~gone~~":                         {{Text: "gone", Strike: true}},
		"a<br>b":                           {{Text: "a\nb"}},
		"a <u>b</u>":                       {{Text: "a <u>b</u>"}},
		"costs $5 or $6":                   {{Text: "costs $5 or $6"}},
		"so $a_1*\\b$ is":                  {{Text: "so "}, {Text: "a_1*\\b", Code: true, TeX: "$a_1*\\b$", Begins: true}, {Text: " is"}},
		"so $2x$ is":                       {{Text: "so "}, {Text: "2", TeX: "$2x$", Begins: true}, {Text: "x", Italic: true, TeX: "$2x$"}, {Text: " is"}},
		`so \(2\) is`:                      {{Text: "so "}, {Text: "2", TeX: `\(2\)`, Begins: true}, {Text: " is"}},
		`\[x`:                              {{Text: "[x"}},
		`\(x`:                              {{Text: "(x"}},
		`\\(x\)`:                           {{Text: `\(x)`}},
		page:                               {{Text: page, Link: page}},
		"[here](" + page + ")":             {{Text: "here", Link: page}, {Text: " (example.org)", Link: page, Quiet: true}},
		"[example.org](" + page + ")":      {{Text: "example.org", Link: page}},
		"[https://bank.com](" + page + ")": {{Text: "https://bank.com", Link: page}, {Text: " (example.org)", Link: page, Quiet: true}},
		"[x](javascript:alert(1))":         {{Text: "x"}, {Text: " (javascript:alert(1))", Quiet: true}},
		"[x](file:///etc/passwd)":          {{Text: "x"}, {Text: " (file:///etc/passwd)", Quiet: true}},
		"[/login](" + page + ")":           {{Text: "/login", Link: page}, {Text: " (example.org)", Link: page, Quiet: true}},
		"[up](#top)":                       {{Text: "up"}},
		"[x]()":                            {{Text: "x"}},
		"[mail](mailto:a@example.org?x=y)": {{Text: "mail", Link: "mailto:a@example.org?x=y"}, {Text: " (a@example.org)", Link: "mailto:a@example.org?x=y", Quiet: true}},
		"email='alice@example.org":         {{Text: "email='"}, {Text: "alice@example.org", Link: "mailto:alice@example.org"}},
		"[mail](mailto:)":                  {{Text: "mail"}, {Text: " (mailto:)", Quiet: true}},
		"[x](https://)":                    {{Text: "x"}, {Text: " (https://)", Quiet: true}},
		"![cat](" + page + ")":             {{Text: "cat", Link: page}, {Text: " (example.org)", Link: page, Quiet: true}},
		"[x](https://a.com@evil.org/)":     {{Text: "x", Link: "https://a.com@evil.org/"}, {Text: " (evil.org)", Link: "https://a.com@evil.org/", Quiet: true}},
	} {
		blocks := Parse(in)
		if len(blocks) != 1 || !reflect.DeepEqual(blocks[0].Spans, want) {
			t.Errorf("%q:\ngot  %#v\nwant %#v", in, blocks, want)
		}
	}
}

func TestText(t *testing.T) {
	const source = "# Head\n\n1. a\n   - b\n2. `c`\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n> said\n\n```\n\tcode\n```\n- [x] done"
	const want = "Head\n\n1. a\n  • b\n2. c\n\nx\ty\n1\t2\n\nsaid\n\n\tcode\n\n[x] done"
	if got := Gather(Parse(source)).Text(); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// scraps generates texts from the building blocks of Markdown that no person would write.
func scraps() *rapid.Generator[string] {
	piece := rapid.SampledFrom([]string{"a", "b ", "c", "|", "|-|", "|a|b|\n|-|-|\n", "*", "**", "_", "`", "```", "```\n", "\n", "\n\n", "- ", "  - ", "1. ", "# ", "> ", "\\", "  ", "    ", "é", "日", "$", "$$", "$$\n", "\\[\n", "\\]", "~~", "[", "](x)", "---\n", "===\n", "<b>", "&amp;", "\t"})
	return rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "") })
}

// Markdown that a model is still writing may end anywhere. A document that grew to a text finally
// equals the document of the whole text.
func TestDocumentGrowsToTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := scraps().Draw(t, "text")
		var d Document
		for at := range text {
			before := d.Blocks()
			same := d.Grow(text[:at]).Same
			for i := range same {
				if !before[i].equal(d.Blocks()[i]) {
					t.Fatalf("block %d changed unreported at %q", i, text[:at])
				}
			}
		}
		d.Finish(text)
		if got, want := d.Blocks(), Parse(text); !reflect.DeepEqual(got, want) && len(got)+len(want) > 0 {
			t.Fatalf("%q\ngrew to %#v\nand is  %#v", text, got, want)
		}
	})
}

// No letter is lost, except in definitions, in addresses, and in cells for which a table has no
// column.
func TestNoLetterIsLost(t *testing.T) {
	piece := rapid.SampledFrom([]string{"a", "b ", "*", "**", "_", "`a", "```\n", "\n", "\n\n", "- ", "1. ", "# ", "> ", "\\", "  ", "é", "日", "$", "~~b", "---\n"})
	letters := func(s string) [4]int {
		return [4]int{strings.Count(s, "a"), strings.Count(s, "b"), strings.Count(s, "é"), strings.Count(s, "日")}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(piece).Draw(t, "pieces"), "")
		if got := Gather(Parse(text)).Text(); letters(got) != letters(text) {
			t.Fatalf("%q becomes %q", text, got)
		}
	})
}

// While a document grows by whole lines, it freezes nothing too early, unless a definition
// affects earlier text.
func TestDocumentIsRightWhileItGrows(t *testing.T) {
	const source = "# One\n\nA paragraph of\ntwo lines.\n\n- a\n- b\n\n  more of b\n\n1. x\n1. y\n   - in\n   - it\n1. z\n\n- p\n\n- q\n\n- [ ] r\n- s\n\n```go\nfunc main() {\n\n}\n```\n\n| a | b |\n|---|---|\n| c | d |\n\ntext\n| e | f |\n|---|---|\n| g | h |\n\n> quoted\n> twice\n\n---\n\n    indented\n\nSet\n===\n\nend"
	var d Document
	for at := range source {
		d.Grow(source[:at+1])
		if source[at] != '\n' {
			continue
		}
		if got, want := d.Blocks(), Parse(source[:at+1]); !reflect.DeepEqual(got, want) {
			t.Fatalf("after %q:\ngot  %#v\nwant %#v", source[:at+1], got, want)
		}
	}
	if d.kept < 9 {
		t.Errorf("only %d blocks are frozen", d.kept)
	}
	if same := d.Finish(source); same != len(d.Blocks()) {
		t.Errorf("the end changes block %d of %d", same, len(d.Blocks()))
	}
}
