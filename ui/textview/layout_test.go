package textview

import (
	"testing"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/ui/internal/pagetest"
	"goated/ui/internal/samples"
	"goated/ui/kit"
	"goated/ui/markdown"
	md "goated/ui/view/markdown"
)

// FuzzLayout lays out the inputs of a fuzzer, streamed and in one piece, at several widths.
func FuzzLayout(f *testing.F) {
	for _, seed := range []string{samples.RichAnswer, "```go\nx", "| a |\n|-|\n| b", "- a\n\n  > b\n\n1. c", "\\[ x \\]", "![a](data:image/png;base64,AAAA)", "\u202ea\u200d\U0001F468\u200d\U0001F469"} {
		f.Add(seed, uint16(800), uint8(7))
	}
	pagetest.New(f, false, fyne.NewSize(1020, 700))
	run := func(f, done func()) { f(); done() }
	host := &Host{
		Marks: func(int, int) []Mark { return nil }, Grow: func() float32 { return 0 },
		Measure: kit.NewWordMeasure(), Colours: NewColours(run), Pictures: NewPictures(run),
	}
	f.Fuzz(func(t *testing.T, text string, width uint16, chunk uint8) {
		if len(text) > 4096 || !utf8.ValidString(text) {
			t.Skip()
		}
		wide := float32(width%2000) + 1
		var doc md.Document
		for at := 0; at < len(text); at += int(chunk)*8 + 64 {
			doc.Grow(text[:at])
		}
		doc.Finish(text)
		for i, b := range doc.Blocks() {
			p := New(host, 0, i, b, markdown.Body(kit.ColorText))
			p.Resize(fyne.NewSize(wide, p.HeightFor(wide)))
			test.WidgetRenderer(p).Refresh()
			n := utf8.RuneCountInString(b.Text())
			if l, bad := samples.Misplaced(p.Block.Text(), p.Set); bad {
				t.Fatalf("a line at %v of %v, up to character %d of %d", l.Y, p.Set.Height, l.At+l.End, n)
			}
			_ = md.Source([]md.Block{b.Part(n/3, n)})
		}
	})
}
