package agent

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"google.golang.org/genai"

	"goated/internal/geminitest"
)

// stepsServer returns a service that answers n requests with a call each, and then with text.
func stepsServer(b *testing.B, n int) *geminitest.Server {
	s, err := geminitest.Start(geminitest.DefaultKey)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.Close)
	s.Handle(func(r geminitest.Request) geminitest.Reply {
		if len(r.Contents) > 2*n {
			return geminitest.Text("Done.")
		}
		return geminitest.Call("box__t", map[string]any{"n": len(r.Contents)})
	})
	return s
}

// BenchmarkStep measures one step of a turn with 50 or 200 steps. It includes the time in which the
// local service reads and checks the request.
func BenchmarkStep(b *testing.B) {
	for _, n := range []int{50, 200} {
		b.Run(fmt.Sprintf("steps=%d", n), func(b *testing.B) {
			s := stepsServer(b, n)
			g, err := NewGemini(b.Context(), GeminiOptions{Key: geminitest.DefaultKey, BaseURL: s.URL})
			if err != nil {
				b.Fatal(err)
			}
			box := tools(echo, "t")
			began, steps := time.Now(), 0
			for b.Loop() {
				session := &Session{Model: g, Tools: box, Policy: &Policy{AllowAll: true}, MaxSteps: 2 * n}
				for _, err := range session.Send(b.Context(), genai.NewPartFromText("go")) {
					if err != nil {
						b.Fatal(err)
					}
				}
				steps += n
			}
			b.ReportMetric(float64(time.Since(began).Microseconds())/float64(steps), "µs/step")
		})
	}
}

// A piece of text takes as long at the end of a long answer as at its beginning.
func TestAnswersGrowLinearly(t *testing.T) {
	cost := func(n int) float64 {
		var a answer
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range n {
			a.add(&genai.Part{Text: "word, "})
		}
		a.flush()
		runtime.ReadMemStats(&after)
		if got := len(a.parts[0].Text); got != n*len("word, ") {
			t.Fatalf("%d bytes of text", got)
		}
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(n)
	}
	if few, many := cost(1000), cost(30_000); many > 1.5*few {
		t.Errorf("a piece allocates %.0f bytes among 30,000, and %.0f among 1,000", many, few)
	}
}
