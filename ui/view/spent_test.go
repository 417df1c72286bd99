package view

import (
	"testing"

	"goated/agent"
)

func TestSpentIsSaid(t *testing.T) {
	for _, c := range []struct {
		spent Spent
		want  string
	}{
		{Spent{}, ""},
		{Spent{Tokens: 1}, "1 token"},
		{Spent{Tokens: 1204}, "1,204 tokens"},
		{Spent{Tokens: 1204, Cost: 0.00421}, "1,204 tokens · about $0.0042"},
		{Spent{Tokens: 12, Cost: 0.0000012}, "12 tokens · about $0.0001"},
		{Spent{Tokens: 90_000, Cost: 0.0421}, "90,000 tokens · about $0.042"},
		{Spent{Tokens: 9_000_000, Cost: 12.345}, "9,000,000 tokens · about $12.35"},
		{Spent{Tokens: 2000, Cost: 0.5, Part: true}, "2,000 tokens · more than $0.500"},
	} {
		if got := c.spent.String(); got != c.want {
			t.Errorf("%+v is said %q, not %q", c.spent, got, c.want)
		}
	}
}

func TestTurnsAddUpWhateverTheyEndWith(t *testing.T) {
	turn := func(c Chat, cost float64) Chat {
		return c.Say("again").Apply(agent.TextDelta{Text: "x"}).
			Apply(agent.TurnEnded{Reason: agent.Done, Usage: agent.Usage{Prompt: 90, Answer: 10, Cost: cost}})
	}
	c := turn(turn(Chat{}, 0.25), 0.5)
	c = c.Say("silent").Apply(agent.TurnEnded{Reason: agent.StepLimit, Usage: agent.Usage{Prompt: 100, Cost: 0.25}})
	if want := (Spent{Tokens: 300, Cost: 1}); c.Spent != want {
		t.Errorf("spent is %+v, not %+v", c.Spent, want)
	}
	if before := c; turn(c, 0).Spent != (Spent{Tokens: 400, Cost: 1, Part: true}) || before.Spent.Tokens != 300 {
		t.Error("a turn without a price is not told, or the older value has changed")
	}
}
