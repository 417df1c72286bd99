package view

import (
	"fmt"
	"runtime"
	"testing"

	"goated/agent"
)

// Appending a piece of an answer allocates as much after 50,000 items as after one, and does not
// copy the text.
func TestDeltaCostsTheSameInLongChats(t *testing.T) {
	cost := func(c Chat) float64 {
		return testing.AllocsPerRun(20, func() {
			for range 100 {
				c = c.Apply(agent.TextDelta{Text: "word, "})
			}
		})
	}
	list := make([]Item, 0, 50_000)
	for i := range cap(list) / 2 {
		list = append(list, User{Text: fmt.Sprint("question ", i)}, Answer{Text: "answer"})
	}
	long := NewChat(list, Spent{})
	for name, c := range map[string]Chat{"a message": long.Say("go"), "an answer": long, "a wait": long.Say("go").Apply(agent.TextDelta{Text: "a"}).Apply(agent.RetryScheduled{})} {
		if short, got := cost(Chat{}.Say("go")), cost(c); got > short+2 {
			t.Errorf("after %s, 100 pieces cost %.0f allocations, in an empty chat %.0f", name, got, short)
		}
	}
	c := long.Say("go")
	if bytes := allocated(10_000, func() { c = c.Apply(agent.TextDelta{Text: "word, "}) }); bytes > 200 {
		t.Errorf("a piece allocates %d bytes", bytes)
	}
}

// Messages share the earlier items too.
func TestLongChatsGrowLinearly(t *testing.T) {
	c := Chat{}
	if bytes := allocated(5000, func() {
		c = c.Say("question").Apply(agent.TextDelta{Text: "answer"}).Apply(agent.ToolCalled{ID: "1"}).Apply(agent.ToolReturned{ID: "1"}).Apply(agent.TurnEnded{Reason: agent.Done})
	}); bytes > 20_000 {
		t.Errorf("a turn allocates %d bytes, with up to %d items", bytes, c.Len())
	}
}

// allocated returns the average number of bytes that a call of do allocates.
func allocated(n int, do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range n {
		do()
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / uint64(n)
}
