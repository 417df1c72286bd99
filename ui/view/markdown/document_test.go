package markdown

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"goated/ui/richtext"
)

// longBlocks generates a text of one or a few very long blocks.
func longBlocks() *rapid.Generator[string] {
	word := rapid.SampledFrom([]string{"one", "two ", "sea", "Ünder", "日本", "snake_case", "**bold**", "*it*", "`code`", "~~gone~~",
		"[a](https://example.org)", "[1]", "$5", "a|b", "<b>", "x < 3", "C:\\dir", "\\*", "*", "$x_1$", "https://example.org/x", "&amp;", "(“so”)"})
	plain := rapid.SampledFrom([]string{"one", "two", "sea", "Ünder", "日本"})
	line := func(t *rapid.T, w *rapid.Generator[string], most int) string {
		return strings.Join(rapid.SliceOfN(w, 1, most).Draw(t, "words"), " ")
	}
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(1, 3).Draw(t, "blocks") {
			n := rapid.IntRange(1, 25).Draw(t, "lines")
			switch rapid.IntRange(0, 4).Draw(t, "shape") {
			case 0: // a paragraph, with one or more lines
				w := plain
				if rapid.Bool().Draw(t, "marks") {
					w = word
				}
				for range n {
					b.WriteString(line(t, w, 40) + rapid.SampledFrom([]string{" ", " ", "\n", "  \n"}).Draw(t, "between"))
				}
				b.WriteString(rapid.SampledFrom([]string{"", "\n===\n", "\n|-|-|\n|a|b|"}).Draw(t, "turn"))
			case 1:
				b.WriteString(rapid.SampledFrom([]string{"```go\n", "~~~~\n", "  ```\n"}).Draw(t, "fence"))
				for range n {
					b.WriteString(rapid.SampledFrom([]string{"", "\t", "  ", "``", "```x", "~~~"}).Draw(t, "indent") + line(t, word, 5) + "\n")
				}
				b.WriteString(rapid.SampledFrom([]string{"```", "````  ", "~~~~", "", "```\nand"}).Draw(t, "end"))
			case 2:
				mark := rapid.SampledFrom([]string{"- ", "1. ", "* [ ] "}).Draw(t, "mark")
				for range n {
					b.WriteString(mark + line(t, word, 6) + rapid.SampledFrom([]string{"\n", "\n", "\n", "\n\n", "\n  - in\n", "\n  more\n"}).Draw(t, "between"))
				}
			case 3:
				b.WriteString("| a | b |\n|---|--:|\n")
				for range n {
					b.WriteString("| " + line(t, word, 3) + " | " + line(t, word, 3) + rapid.SampledFrom([]string{" |\n", "\n", "| x |\n"}).Draw(t, "end"))
				}
				b.WriteString(rapid.SampledFrom([]string{"", "", "---\n", "text\n", "\n- x\n"}).Draw(t, "turn"))
			case 4:
				for range n {
					b.WriteString("> " + line(t, word, 6) + "\n")
				}
			}
			b.WriteString(rapid.SampledFrom([]string{"\n\n", "\n", "\n\n"}).Draw(t, "gap"))
		}
		return b.String()
	})
}

// Long blocks are parsed in parts. At the end of each line, the result equals that of parsing the
// text in one piece, and the blocks that are reported as unchanged are unchanged.
func TestLongBlocksGrowInParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := longBlocks().Draw(t, "text")
		var d Document
		for at := 0; at < len(text); {
			at = min(at+rapid.IntRange(1, 400).Draw(t, "chunk"), len(text))
			if rapid.Bool().Draw(t, "line") {
				if end := strings.IndexByte(text[at:], '\n'); end >= 0 {
					at += end + 1
				}
			}
			before := make([]Block, len(d.Blocks()))
			for i, b := range d.Blocks() {
				before[i] = b
				before[i].Spans, before[i].Blocks = append([]richtext.Span(nil), b.Spans...), append([]Block(nil), b.Blocks...)
			}
			g := d.Grow(text[:at])
			after := d.Blocks()
			for i := range g.Same {
				if !before[i].equal(after[i]) {
					t.Fatalf("block %d changed unreported at %q", i, text[:at])
				}
			}
			if g.Inner > 0 || g.Bytes > 0 {
				was, is := before[g.Same], after[g.Same]
				for i := range g.Inner {
					if len(was.Blocks) > 0 && !was.Blocks[i].equal(is.Blocks[i]) || len(was.Spans) > 0 && was.Spans[i] != is.Spans[i] {
						t.Fatalf("part %d of block %d changed unreported at %q\nfrom %+v\nto   %+v", i, g.Same, text[:at], was, is)
					}
				}
				if n := min(g.Bytes, len(richtext.PlainText(is.Spans))); n > 0 && was.Spans[0].Text[:n] != is.Spans[0].Text[:n] {
					t.Fatalf("a listing changed unreported at %q", text[:at])
				}
			}
			want := Parse(text[:at])
			if text[at-1] != '\n' || strings.Contains(text[:at], "\n===") {
				continue
			}
			if len(want) != len(after) {
				t.Fatalf("%q\ngrew to %+v\nand is  %+v", text[:at], after, want)
			}
			for i := range want {
				if !want[i].equal(after[i]) {
					t.Fatalf("%q\ngrew to %+v\nand is  %+v", text[:at], after[i], want[i])
				}
			}
		}
		d.Finish(text)
		for i, b := range Parse(text) {
			if !b.equal(d.Blocks()[i]) {
				t.Fatalf("%q is not what it would be at once", text)
			}
		}
	})
}

// The amount of text that each update parses again is limited, for any kind of block.
func TestLittleOfALongBlockIsOpen(t *testing.T) {
	for name, line := range map[string]string{
		"paragraph": "words of **some** kind and `code` in between, costing $5 or $6. ",
		"lines":     "words of **some** kind and `code` in between,\n",
		"list":      "- an item of some words\n",
		"table":     "| a cell | and another |\n",
		"listing":   "\tfunc() // of it\n",
	} {
		text := strings.Repeat(line, 40_000/len(line))
		switch name {
		case "table":
			text = "| a | b |\n|---|---|\n" + text
		case "listing":
			text = "```go\n" + text
		}
		var d Document
		most := 0
		for at := 0; at < len(text); at += 50 {
			d.Grow(text[:at])
			if d.going.char == 0 {
				most = max(most, at-d.frozen)
			}
		}
		if most > 3000 {
			t.Errorf("%s: %d bytes are parsed again", name, most)
		}
	}
}

// Each update used to copy all finished blocks, so that a long answer became slower as it grew.
func TestUpdatesDoNotCopyFinishedBlocks(t *testing.T) {
	text := strings.Repeat("A finished paragraph.\n\n", 1000)
	var d Document
	d.Grow(text)
	copies := 0
	for range 20 {
		first := &d.Blocks()[0]
		text += "More words. "
		d.Grow(text)
		if &d.Blocks()[0] != first {
			copies++
		}
	}
	if copies > 1 { // the slice may have become too small
		t.Errorf("20 updates copy the blocks %d times", copies)
	}
}
