package ui

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"goated/agent"
	"goated/ui/kit"
	"goated/ui/transcript"
	"goated/ui/view"
)

// frameTime is what a frameTime may take, and so anything on the UI goroutine.
const frameTime = 50 * time.Millisecond

// A stopwatch measures what runs on the UI goroutine.
type stopwatch struct{ took []time.Duration }

func (w *stopwatch) run(f func()) {
	began := time.Now()
	f()
	w.took = append(w.took, time.Since(began))
}

// errands do their work where they are, of which only the UI's part counts.
func (w *stopwatch) errands() transcript.CardActions {
	return transcript.CardActions{Runner: kit.Runner{Begin: func(f func()) { f() }, Post: w.run}}
}

// report says how long the longest took, and the longest but those few that the
// machine held up.
func (w *stopwatch) report(b *testing.B) {
	slices.Sort(w.took)
	most := w.took[len(w.took)*98/100]
	b.ReportMetric(float64(most.Microseconds())/1000, "ms/p98")
	b.ReportMetric(float64(w.took[len(w.took)-1].Microseconds())/1000, "ms/longest")
	if most > frameTime {
		b.Errorf("a frameTime took %v", most)
	}
}

func calls(text string) []agent.Event {
	return []agent.Event{
		agent.ToolCalled{ID: "1", Tool: "t"},
		agent.ToolDecided{ID: "1", Decision: agent.AllowOnce},
		agent.ToolReturned{ID: "1", Result: said(text)},
	}
}

// A megabyte comes back to a card that is open.
func BenchmarkCardOfAMegabyte(b *testing.B) {
	for name, text := range map[string]string{"json": big(1 << 20), "text": lines(1 << 20)} {
		b.Run(name, func(b *testing.B) {
			d := newDesk(b, Options{})
			d.cards(calls("{\"warm\": 1}")...)[0].Toggle() // typefaces are read once
			var w stopwatch
			d.chats.Transcript.Actions = w.errands()
			c := view.Chat{}.Say("go")
			for _, e := range calls(text) {
				c = c.Apply(e)
			}
			d.chats.Chats[0].Chat = c
			for range b.N {
				d.chats.Transcript.Reset()
				w.run(d.chats.Refresh)
				w.run(d.chats.Transcript.View.Rows[1].Block.(*transcript.Card).Toggle)
			}
			w.report(b)
		})
	}
}

func BenchmarkTreeOfAMegabyte(b *testing.B) {
	p := view.TextOf("Result", big(1<<20))
	d := newDesk(b, Options{})
	c := d.cards(calls("{\"warm\": 1}")...)[0]
	c.Toggle()
	var w stopwatch
	for range b.N {
		var s *transcript.Section
		w.run(func() {
			s = c.NewSection(p)
			s.Root.Resize(fyne.NewSize(700, 500))
		})
		w.run(func() { s.Tree.Toggle(0) })
		s.Tree.Work = kit.Runner{Begin: func(f func()) { f() }, Post: w.run}
		s.Tree.OpenAll()
		w.run(func() { s.Tree.Reveal(50_000) })
	}
	w.report(b)
}

func BenchmarkViewerOfTenMegabytes(b *testing.B) {
	p := view.TextOf("Result", big(10<<20))
	d := newDesk(b, Options{})
	d.cards(calls("{\"warm\": 1}")...)[0].Toggle()
	var w stopwatch
	for range b.N {
		e := w.errands()
		var work []func()
		e.Begin = func(f func()) { work = append(work, f) }
		d.chats.Transcript.Actions = e
		run := func(f func()) {
			w.run(f)
			for ; len(work) > 0; work = work[1:] {
				work[0]()
			}
		}
		run(func() { d.view(p) })
		run(func() { d.frame.viewer.Query.Put("ada") })
		for range 20 {
			run(func() { d.frame.viewer.Step(997) })
		}
		run(func() { d.frame.viewer.Rows.ScrollTo(1e6) })
		run(func() { d.frame.viewer.OnClose() })
	}
	w.report(b)
}

func lines(n int) string {
	text := make([]byte, 0, n)
	for i := 0; len(text) < n; i++ {
		text = fmt.Appendf(text, "%d: line %x of a log, of which no two are the same, and there are many\n", i*7919, i*104729)
	}
	return string(text)
}
