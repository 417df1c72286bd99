package tools

import (
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/registry"
	"goated/ui/view"
	"goated/ui/view/format"
)

// costs remember what each tool costs in a request, by its declaration.
type costs map[*mcp.Tool]int

// of estimates the tokens that every request pays for a tool; 0 if it cannot be
// declared.
func (c costs) of(e registry.Entry) int {
	n, ok := c[e.Tool]
	if !ok {
		if d := agent.Declare(e); d.Err == nil {
			n = d.Tokens
		}
		c[e.Tool] = n
	}
	return n
}

// tokens writes a number of tokens in a column: 1.9k, 180.
func tokens(n int) string {
	if n >= 100 {
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprint(n)
}

// lastUsed writes when a server was last used.
func lastUsed(t, now time.Time) string {
	y, m, d := now.Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	t = t.In(now.Location())
	switch {
	case t.IsZero() || t.Unix() <= 0:
		return "Never"
	case now.Sub(t) < time.Minute:
		return "Now"
	case now.Sub(t) < time.Hour:
		return fmt.Sprintf("%d min ago", int(now.Sub(t).Minutes()))
	case !t.Before(today):
		return t.Format("15:04")
	case !t.Before(today.AddDate(0, 0, -1)):
		return "Yesterday"
	case !t.Before(today.AddDate(0, 0, -6)):
		return t.Weekday().String()
	case t.Year() == now.Year():
		return t.Format("2 Jan")
	}
	return t.Format("Jan 2006")
}

// sum says which servers are on, and what models get of those that run now.
func sum(all []row) string {
	on, tools, cost := 0, 0, 0
	for _, r := range all {
		if r.on {
			on++
		}
		if r.server.ID != "" && r.server.Status == client.Connected {
			tools += r.callable()
			cost += r.tokens
		}
	}
	return fmt.Sprintf("%d of %s on · %s · %s tokens in every turn", on, view.ServerCount(len(all)), view.ToolCount(tools), format.Short(cost))
}
