package markdown

import (
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

// An example is Markdown and the expected HTML.
type example struct {
	Markdown, HTML string
	Example        int
}

// examples returns the examples of the CommonMark specification and of goldmark's extensions.
func examples(t *testing.T) []example {
	t.Helper()
	data, err := os.ReadFile("testdata/commonmark/spec.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []example
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/goldmark/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no examples of the extensions", err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(data), "//= = = = = = = = = = = = = = = = = = = = = = = =//") {
			if sides := strings.Split(part, "//- - - - - - - - -//\n"); len(sides) == 3 {
				all = append(all, example{Markdown: sides[1], HTML: sides[2]})
			}
		}
	}
	return all
}

// goated writes the number of a footnote as superscript digits.
var raised = regexp.MustCompile(`<sup.*?</sup>`)

var tag = regexp.MustCompile(`<[^>]*>`)

// words returns the letters that a browser would show for a page.
func words(page string) string {
	page = html.UnescapeString(tag.ReplaceAllString(raised.ReplaceAllString(page, ""), " "))
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, page)
}

// goated shows all letters of the page, in the same order.
func TestNothingOfTheSuitesIsLost(t *testing.T) {
	all := examples(t)
	if len(all) < 700 {
		t.Errorf("there are only %d examples", len(all))
	}
	for _, e := range all {
		got := []rune(Gather(Parse(e.Markdown)).Text())
		at := 0
		for _, r := range words(e.HTML) {
			for at < len(got) && got[at] != r {
				at++
			}
			if at == len(got) {
				t.Errorf("example %d: %q\nis      %q\nand not %q", e.Example, e.Markdown, string(got), e.HTML)
				break
			}
			at++
		}
	}
}

// Every prefix of every example can be shown, and a document that grows to the example finally
// equals it.
func TestSuitesGrow(t *testing.T) {
	for _, e := range examples(t) {
		var d Document
		for at := range e.Markdown {
			d.Grow(e.Markdown[:at])
			_ = Gather(d.Blocks()).Text()
		}
		d.Finish(e.Markdown)
		if got, want := Gather(d.Blocks()).Text(), Gather(Parse(e.Markdown)).Text(); got != want {
			t.Errorf("%q grew to %q and is %q", e.Markdown, got, want)
		}
	}
}
