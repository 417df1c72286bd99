package transcript

import (
	"fmt"
	"testing"

	"fyne.io/fyne/v2"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/ui/internal/pagetest"
	"goated/ui/internal/samples"
	"goated/ui/section"
	"goated/ui/view"
)

// returned is a chat with a call that returned text.
func returned(text string) view.Chat {
	return view.Chat{}.Say("go").
		Apply(agent.ToolCalled{ID: "1", Tool: "t"}).
		Apply(agent.ToolDecided{ID: "1", Decision: agent.AllowOnce}).
		Apply(agent.ToolReturned{ID: "1", Result: &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}})
}

// warm opens a card, so that the typefaces are loaded.
func (d *desk) warm() *Card {
	d.show(returned("{\"warm\": 1}"), false)
	c := d.page.View.Rows[1].Block.(*Card)
	c.Toggle()
	return c
}

// BenchmarkCardOfAMegabyte opens a card with a result of a megabyte.
func BenchmarkCardOfAMegabyte(b *testing.B) {
	for name, text := range map[string]string{"json": samples.OrderList(1 << 20), "text": logText(1 << 20)} {
		b.Run(name, func(b *testing.B) {
			d := newDesk(b)
			d.warm()
			var w pagetest.Stopwatch
			d.page.Actions = CardActions{Runner: w.Runner(nil)}
			c := returned(text)
			for range b.N {
				d.page.Reset()
				w.Run(func() { d.show(c, false) })
				w.Run(d.page.View.Rows[1].Block.(*Card).Toggle)
			}
			w.Report(b)
		})
	}
}

func BenchmarkTreeOfAMegabyte(b *testing.B) {
	p := view.TextOf("Result", samples.OrderList(1<<20))
	p.Grid = nil // otherwise the table would come first
	c := newDesk(b).warm()
	var w pagetest.Stopwatch
	for range b.N {
		var s *section.Section
		w.Run(func() {
			s = c.newSection(p)
			s.Root.Resize(fyne.NewSize(700, 500))
		})
		w.Run(func() { s.Tree.Toggle(0) })
		s.Tree.Work = w.Runner(nil)
		s.Tree.OpenAll()
		w.Run(func() { s.Tree.Reveal(50_000) })
	}
	w.Report(b)
}

func logText(n int) string {
	text := make([]byte, 0, n)
	for i := 0; len(text) < n; i++ {
		text = fmt.Appendf(text, "%d: line %x of a log, of which no two are the same, and there are many\n", i*7919, i*104729)
	}
	return string(text)
}
