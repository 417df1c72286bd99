package markdown

import (
	"runtime"
	"strings"
	"testing"
)

// shape returns the kinds and the texts of blocks.
func shape(blocks []Block) string {
	names := map[BlockKind]string{Paragraph: "text", Formula: "formula", Code: "code", List: "list", Quote: "quote", Heading: "heading"}
	var out []string
	for _, b := range blocks {
		out = append(out, names[b.Kind]+": "+b.Text())
	}
	return strings.Join(out, " | ")
}

// Formulas were shown as TeX source in a code block.
func TestFormulasAreRead(t *testing.T) {
	for in, want := range map[string]string{
		"so $x^2$ is":                       "text: so x² is",
		"$$\nE = mc^2\n$$":                  "formula: E = mc²",
		"so\n$$\nx\n$$\nand":                "text: so | formula: x | text: and",
		"so\n\n\\[ x_1 \\]\n\nand":          "text: so | formula: x₁ | text: and",
		"\\[\na\n+ b\n- c\n=\n= d\n\\]":     "formula: a + b − c == d",
		"- a\n  $$\n  x\n  + y\n  $$\n- b":  "list: • a\nx + y\n• b",
		"> $$\n> x\n> $$":                   "quote: x",
		"one $$x$$ two":                     "text: one x two",
		"$$x$$ two":                         "text: x two",
		"costs $5 and $10, $5-$10 or US$ 5": "text: costs $5 and $10, $5-$10 or US$ 5",
		"$$\n\\nothing\n$$":                 "code: \\nothing",
		"a `$x$` b":                         "text: a $x$ b",
		"```\n$$\nx\n$$\n```":               "code: $$\nx\n$$",
		"$$\nx\n\ny\n$$":                    "text: $$ x | text: y $$",
		"$$ not closed\nand more":           "text: $$ not closed and more",
		"\\[ not closed\n\n\\]":             "text: [ not closed | text: ]",
		"$x$ and \\(y\\)\\(y\\)":            "text: x and yy",
		"### The $n$-th":                    "heading: The n-th",
		"**bold $x$**":                      "text: bold x",
	} {
		if got := shape(Parse(in)); got != want {
			t.Errorf("%q\nis  %s\nnot %s", in, got, want)
		}
	}
}

// While an answer streams, a formula is text until its closing mark arrives. Then it is the same
// as in the finished answer.
func TestFormulasStream(t *testing.T) {
	const text = "Before it.\n\n$$\nx^2\n+ 1\n$$\n\nWith $a_1$ and\n\\[\ny\n\\]\nafter."
	var d Document
	formulas := 0
	for at := range len(text) + 1 {
		d.Grow(text[:at])
		now := strings.Count(shape(d.Blocks()), "formula:")
		if now < formulas {
			t.Fatalf("%q has no formula any more", text[:at])
		}
		formulas = now
	}
	const want = "text: Before it. | formula: x² + 1 | text: With a₁ and | formula: y | text: after."
	if got := shape(d.Blocks()); got != want {
		t.Errorf("it grew to %s", got)
	}
	if same := d.Finish(text); same != len(d.Blocks()) {
		t.Errorf("the end changes block %d", same)
	}
}

// A copied formula, or a part of one, is copied as source.
func TestFormulasAreCopiedAsSource(t *testing.T) {
	for _, source := range []string{
		"so $x^2 + 1$ is *so*", "so \\(x\\)\\(x\\) is", "$$\nx + y\n$$", "\\[\n\\frac{a}{b}\n\\]\n\nand $\\unknown$",
		"| a | b |\n|---|---|\n| $x_1$ | 2 |", "> $$\n> x\n> $$",
	} {
		if got := Source(Parse(source)); got != source {
			t.Errorf("%q\nis copied as %q", source, got)
		}
	}
	if got := Parse("$$\\frac{a}{b}$$")[0].Listing(); got != "$$\\frac{a}{b}$$" || !IsTeX(got) {
		t.Errorf("the block is copied as %q", got)
	}
	if got := Parse("$$\\frac{a}{b}$$")[0].Listing(); got != "$$\\frac{a}{b}$$" || !IsTeX(got) {
		t.Errorf("the block is copied as %q", got)
	}
	b := Parse("so $x^2 + 1$ is")[0]
	if got := Source([]Block{b.Part(4, 9)}); got != "$x^2 + 1$ i" && got != "$x^2 + 1$" {
		t.Errorf("a part is copied as %q", got)
	}
}

// The search for the end of an open formula must not repeat for each of its lines, and must not
// copy the text each time. Four times as many lines took 16 times as long. Repeated reading
// allocates again, and allocations do not depend on other programs.
func TestManyOpenFormulasAreFast(t *testing.T) {
	allocated := func(text string) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_ = Parse(text)
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	_ = allocated("$x$") // allocates what is created only once
	for _, line := range []string{"\\[\n", "$$ x\n", "\\[ a \\] b\n", "$x\n", "\\(\n", "text\n"} {
		few, many := allocated(strings.Repeat(line, 2_500)), allocated(strings.Repeat(line, 10_000))
		if many > 6*few {
			t.Errorf("%q: 2,500 lines take %d bytes and 10,000 lines %d", line, few, many)
		}
	}
	if closes([]byte("a\n\\[ b\n\\]\n"), `\[`, `\]`) {
		t.Error("the search for the end goes on after the next formula begins") // the search itself allocates nothing
	}
}
