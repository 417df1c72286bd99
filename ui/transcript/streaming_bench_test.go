package transcript

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"goated/agent"
	"goated/ui/internal/samplechat"
	"goated/ui/view"
)

// BenchmarkStreaming streams an answer, ten tokens of five bytes with each update. The cost of an
// update on the UI goroutine must not grow with the answer: last/first compares the last tenth of
// the updates with the first.
func BenchmarkStreaming(b *testing.B) {
	for _, size := range []int{20_000, 200_000} {
		b.Run(fmt.Sprintf("%dkB", size/1000), func(b *testing.B) {
			for range b.N {
				d := newDesk(b)
				d.page.Begin = func(func()) {} // highlighting runs off the UI goroutine
				text := samplechat.NewProse(1).Answer(size)
				stream(d, samplechat.NewProse(2).Answer(4000)) // caches the words, as after some answers
				took := stream(d, text)
				report(b, took)
			}
		})
	}
}

func stream(d *desk, text string) []time.Duration {
	chat := view.Chat{}.Say("go")
	d.page.Reset()
	d.show(chat, true)
	var took []time.Duration
	for at := 0; at < len(text); at += 50 {
		chat = chat.Apply(agent.TextDelta{Text: text[at:min(at+50, len(text))]})
		began := time.Now()
		d.show(chat, true)
		took = append(took, time.Since(began))
	}
	return took
}

func report(b *testing.B, took []time.Duration) {
	mean := func(part []time.Duration) float64 {
		sum := time.Duration(0)
		for _, t := range part {
			sum += t
		}
		return float64(sum) / float64(len(part)) / float64(time.Millisecond)
	}
	calm := func(part []time.Duration) float64 { // ignores updates that the machine delayed
		part = slices.Sorted(slices.Values(part))
		return mean(part[:len(part)*95/100])
	}
	tenth := len(took) / 10
	b.ReportMetric(mean(took), "ms/update")
	b.ReportMetric(calm(took[len(took)-tenth:])/calm(took[:tenth]), "last/first")
	b.ReportMetric(worst(took), "ms-worst")
}

func worst(took []time.Duration) float64 {
	most := time.Duration(0)
	for _, t := range took {
		most = max(most, t)
	}
	return float64(most) / float64(time.Millisecond)
}

// shapes returns answers of about n bytes that consist of one block without an end.
func shapes(n int) map[string]string {
	p := samplechat.NewProse(1)
	build := func(begin string, part func() string) string {
		var b strings.Builder
		b.WriteString(begin)
		for b.Len() < n {
			b.WriteString(part())
		}
		return b.String()
	}
	return map[string]string{
		"paragraph": build("", func() string { return p.Words(40) + " " }),
		"code": build("```go\n", func() string {
			return fmt.Sprintf("\t%s := %s(%q, %d)\n", p.Word(), p.Word(), p.Word(), p.IntN(100))
		}),
		"list":  build("", func() string { return fmt.Sprintf("- %s\n", p.Words(4+p.IntN(4))) }),
		"table": build("| a | b | c |\n|---|---|--:|\n", func() string { return fmt.Sprintf("| %s | %s | %d |\n", p.Words(3), p.Words(2), p.IntN(1000)) }),
		"quote": build("", func() string { return fmt.Sprintf("> %s\n", p.Words(10)) }),
	}
}

// BenchmarkStreamingOneBlock streams the worst answers: one block that never ends. Highlighting
// runs off the UI goroutine.
func BenchmarkStreamingOneBlock(b *testing.B) {
	for _, size := range []int{20_000, 200_000} {
		texts := shapes(size)
		for _, name := range []string{"paragraph", "code", "list", "table", "quote"} {
			b.Run(fmt.Sprintf("%s/%dkB", name, size/1000), func(b *testing.B) {
				for range b.N {
					d := newDesk(b)
					d.page.Begin = func(func()) {}
					stream(d, samplechat.NewProse(2).Answer(4000))
					stream(d, texts[name][:2000]) // the window has shown one before
					report(b, stream(d, texts[name]))
				}
			})
		}
	}
}
