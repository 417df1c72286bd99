package textview

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"goated/ui/internal/pagetest"
	"goated/ui/internal/samples"
	"goated/ui/kit"
	"goated/ui/markdown"
	md "goated/ui/view/markdown"
)

// A text with more pictures than the cache holds decoded its pictures again and again.
func TestEachPictureOfATextIsDecodedOnce(t *testing.T) {
	pagetest.New(t, false, fyne.NewSize(1020, 700))
	var work []func()
	pictures := NewPictures(func(f, done func()) { work = append(work, func() { f(); done() }) })
	host := &Host{
		Marks: func(int, int) []Mark { return nil }, Grow: func() float32 { return 0 },
		Measure: kit.NewWordMeasure(), Colours: NewColours(func(f, done func()) { f(); done() }), Pictures: pictures,
	}
	const many = maxPictures + 2
	var text strings.Builder
	for i := range many {
		fmt.Fprintf(&text, "- ![picture %d](data:image/png;base64,%s)\n", i, base64.StdEncoding.EncodeToString(samples.Chart(40+i, 20)))
	}
	blocks := md.Parse(text.String())
	p := New(host, 0, 0, blocks[0], markdown.Body(kit.ColorText))
	p.Resize(fyne.NewSize(600, p.HeightFor(600)))
	r := test.WidgetRenderer(p).(*renderer)
	if r.Refresh(); len(blocks) != 1 || len(p.Set.Pictures) != many {
		t.Fatalf("the text has %d blocks and %d pictures", len(blocks), len(p.Set.Pictures))
	}
	decoded := 0
	for ; len(work) > 0 && decoded < 2*many; decoded++ {
		do := work[0]
		work = work[1:]
		do()
		for uri, asked := range pictures.asking {
			if len(asked) > 1 {
				t.Fatalf("after %d pictures, %.40s redraws the same text %d times", decoded+1, uri, len(asked))
			}
		}
	}
	if decoded != many || len(r.images) != many {
		t.Errorf("%d pictures were decoded at least %d times", many, decoded)
	}
}
