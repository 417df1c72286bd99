package view

import (
	"fmt"
	"strconv"

	"goated/agent"
	"goated/ui/view/format"
)

// Spent is the usage of one or more turns.
type Spent struct {
	Tokens int     // the tokens of all requests, input and output; 0 if unknown
	Cost   float64 // estimate in USD; 0 if unknown
	Part   bool    // Cost excludes turns with an unknown cost
}

// String returns, for example, "1,204 tokens · about $0.0042". It returns "" if nothing is known.
func (s Spent) String() string {
	switch {
	case s.Tokens == 0:
		return ""
	case s.Cost == 0:
		return tokenCount(s.Tokens)
	case s.Part:
		return fmt.Sprintf("%s · more than %s", tokenCount(s.Tokens), dollars(s.Cost))
	}
	return fmt.Sprintf("%s · about %s", tokenCount(s.Tokens), dollars(s.Cost))
}

// dollars formats an amount in USD with two to four decimals.
func dollars(usd float64) string {
	digits := 2
	switch {
	case usd < 0.00005:
		return "$0.0001"
	case usd < 0.01:
		digits = 4
	case usd < 1:
		digits = 3
	}
	return "$" + strconv.FormatFloat(usd, 'f', digits, 64)
}

// tokenCount formats a number of tokens, for example "1,204 tokens".
func tokenCount(n int) string {
	return format.Plural(n, "%[2]s token", "%[2]s tokens", format.Grouped(n))
}

// count adds the usage of a turn to its last answer and to the total.
func (c Chat) count(e agent.TurnEnded) Chat {
	u := e.Usage
	if u.Total() == 0 {
		return c
	}
	turn := Spent{Tokens: u.Total(), Cost: u.Cost}
	c.Spent.Part = c.Spent.Part || turn.Cost == 0
	c.Spent.Tokens += turn.Tokens
	c.Spent.Cost += turn.Cost
	if e.Reason == agent.NoSummary {
		return c // the usage belongs to no answer
	}
	for i, item := range c.items.backward() {
		switch item := item.(type) {
		case User, Summary: // the usage of a summary belongs to no answer
			return c
		case Answer:
			item.Spent = turn
			return c.replace(i, item)
		}
	}
	return c
}
