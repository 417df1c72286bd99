package markdown_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"goated/ui/kit"
	"goated/ui/markdown"
	md "goated/ui/view/markdown"
)

// A table with many columns broke words in the middle: "colu/mn".
func TestTablesBreakNoWord(t *testing.T) {
	test.NewTempApp(t)
	for _, columns := range []int{2, 5, 9, 14, 40} {
		for _, width := range []float32{300, 480, 720} {
			var text strings.Builder
			row := func(cell func(j int) string) {
				for j := range columns {
					fmt.Fprintf(&text, "| %s ", cell(j))
				}
				text.WriteString("|\n")
			}
			row(func(j int) string { return fmt.Sprintf("column %d", j) })
			row(func(int) string { return "---" })
			for i := range 3 {
				row(func(j int) string { return fmt.Sprintf("of value %d", 1131*i*j) })
			}
			b := md.Parse(text.String())[0]
			if b.Kind != md.Table {
				t.Fatalf("it is no table: %+v", b)
			}
			s := markdown.Layout{Measure: kit.NewWordMeasure(), Outer: &b}
			s.Height = s.Block(&b, 0, 0, width, markdown.Body(kit.ColorText))
			words := strings.Fields(text.String())
			for _, line := range s.Lines {
				var said strings.Builder
				for _, part := range line.Parts {
					said.WriteString(part.Text)
				}
				for word := range strings.FieldsSeq(said.String()) {
					if !slices.Contains(words, word) {
						t.Fatalf("%d columns in %v: a line has a part of a word: %q", columns, width, said.String())
					}
				}
				if end := line.X + line.Width(); end > width {
					t.Errorf("%d columns in %v: %q ends at %v", columns, width, said.String(), end)
				}
			}
		}
	}
}
