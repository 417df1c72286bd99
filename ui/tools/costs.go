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

// costs caches the cost of each tool in a request.
type costs map[*mcp.Tool]int

// of estimates the tokens that a tool adds to every request. It returns 0 if the tool cannot be
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

// tokens formats a number of tokens for a column, for example 1.9k, 0.2k or 95.
func tokens(n int) string {
	if n >= 100 {
		return fmt.Sprintf("%.1fk", float64(n)/1000)
	}
	return fmt.Sprint(n)
}

// lastUsed formats the time when a server was last used.
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

// sum describes how many servers are on, and what models receive of the running ones.
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
