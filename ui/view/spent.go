package view

import (
	"fmt"
	"slices"
	"strconv"

	"goated/agent"
	"goated/ui/view/format"
)

// Spent is what one turn or several took.
type Spent struct {
	Tokens int     // over all requests and both ways; 0 if they are not known
	Cost   float64 // about, in USD; 0 if it is not known
	Part   bool    // Cost is not that of all turns: of some it is not known
}

// String is such as "1,204 tokens · about $0.0042"; empty if nothing is known.
func (s Spent) String() string {
	switch {
	case s.Tokens == 0:
		return ""
	case s.Cost == 0:
		return TokenCount(s.Tokens)
	case s.Part:
		return fmt.Sprintf("%s · more than %s", TokenCount(s.Tokens), Dollars(s.Cost))
	}
	return fmt.Sprintf("%s · about %s", TokenCount(s.Tokens), Dollars(s.Cost))
}

// Dollars writes an amount with as many digits as say something.
func Dollars(usd float64) string {
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

// TokenCount says how many tokens a turn took.
func TokenCount(n int) string {
	return format.Plural(n, "%[2]s token", "%[2]s tokens", format.Grouped(n))
}

// count notes what a turn took: at its last answer, and in the sum of all.
func (c Chat) count(u agent.Usage) Chat {
	if u.Total() == 0 {
		return c
	}
	turn := Spent{Tokens: u.Total(), Cost: u.Cost}
	c.Spent.Part = c.Spent.Part || turn.Cost == 0
	c.Spent.Tokens += turn.Tokens
	c.Spent.Cost += turn.Cost
	for i, item := range slices.Backward(c.Items) {
		switch item := item.(type) {
		case User:
			return c
		case Answer:
			item.Spent = turn
			return c.replace(i, item)
		}
	}
	return c
}
