package markdown

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestPartIsWellFormed(t *testing.T) {
	const table = "| Tool | n |\n|---|--:|\n| **read** | 11 |\n| write | 2 |"
	for _, c := range []struct{ source, part, want string }{
		{"so **it is bold** now", "is bo", "**is bo**"},
		{"so **it is bold** now", "o it is", "o **it is**"},
		{"*a **b** c*", "b c", "***b*** *c*"},
		{"see [the page](https://example.org/x) now", "page", "[page](https://example.org/x)"},
		{"a `code word` b", "word b", "`word` b"},
		{"costs 2 * 3_4", "2 * 3_4", `2 \* 3\_4`},
		{table, "read\t11\nwri", "| Tool | n |\n|---|--:|\n| **read** | 11 |\n| wri |  |"},
		{table, "rea", "**rea**"},
		{"- one\n- two\n  - in\n- three", "two\n  • in", "- two\n  - in"},
		{"1. one\n2. two", "ne\n2. tw", "1. ne\n2. tw"},
		{"```go\na := 1\nb := 2\n```", "b := 2", "```go\nb := 2\n```"},
		{"> quoted **words** here\n>\n> more", "words here\n\nmo", "> **words** here\n>\n> mo"},
		{"# A *heading*", "A head", "# A *head*"},
		{"- [x] done\n- [ ] open", "[x] done\n[ ] op", "- [x] done\n- [ ] op"},
	} {
		b := Parse(c.source)[0]
		text := b.Text()
		at := strings.Index(text, c.part)
		if at < 0 {
			t.Fatalf("%q is not in %q", c.part, text)
		}
		from := utf8.RuneCountInString(text[:at])
		if got := Source([]Block{b.Part(from, from+utf8.RuneCountInString(c.part))}); got != c.want {
			t.Errorf("%q of %q:\ngot  %q\nwant %q", c.part, c.source, got, c.want)
		}
	}
}

// Parsing the written Markdown gives the same text: no character of the text becomes a Markdown
// mark, and no word is lost.
func TestSourceIsReadAgain(t *testing.T) {
	plain := func(s string) string { return strings.Join(strings.Fields(s), "") }
	word := rapid.SampledFrom([]string{"one", "two", "a*b", "snake_case", "**bold**", "*it*", "***both***", "`co de`", "~~gone~~", "[l](https://example.org/x)", "$5", "<b>", `\*`, "x < 3", "C:\\dir", "&amp;", "[1]", "日本", "#", "1."})
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 5).Draw(t, "blocks") {
			words := strings.Join(rapid.SliceOfN(word, 1, 6).Draw(t, "words"), " ")
			b.WriteString(rapid.SampledFrom([]string{"", "# ", "- ", "1. ", "> ", "- a\n  - ", "| a | b |\n|---|--:|\n| x | ", "- [ ] "}).Draw(t, "mark") + words + "\n\n")
		}
		blocks := Parse(b.String())
		written := Source(blocks)
		if got, want := plain(Gather(Parse(written)).Text()), plain(Gather(blocks).Text()); got != want {
			t.Fatalf("%q\nis written %q\nand reads %q\nnot       %q", b.String(), written, got, want)
		}
		for _, k := range blocks { // and none of its parts causes a panic
			n := utf8.RuneCountInString(k.Text())
			from := rapid.IntRange(0, n).Draw(t, "from")
			_ = Source([]Block{k.Part(from, rapid.IntRange(from, n).Draw(t, "to"))})
		}
	})
}
