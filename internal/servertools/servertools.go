// Package servertools prints tools in the terminal: the tools that a server had at its last start,
// whether they are on, what each costs and does, and what the model gets of the tools that can be
// called. It must not know where the lists are stored.
package servertools

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"goated/agent"
	"goated/client"
	"goated/registry"
	"goated/ui/view"
)

// Print lists the tools of a server by name. The tools in off are turned off. The costs are
// estimates, in tokens per turn. Print returns an error if no tools are known.
func Print(w io.Writer, name string, tools []*mcp.Tool, off []string, bundled bool) error {
	if len(tools) == 0 {
		return fmt.Errorf("the server %s has not run yet, so its tools are not known. Start it once, for example with: goated tools", name)
	}
	slices.SortFunc(tools, func(a, b *mcp.Tool) int { return strings.Compare(a.Name, b.Name) })
	on, tokens := 0, 0
	for _, t := range tools {
		state := "on "
		e := registry.Entry{Name: registry.Qualify(registry.ServerID(name), t.Name), Tool: t, Bundled: bundled}
		cost := agent.Declare(e).Tokens
		if slices.Contains(off, t.Name) {
			state = "off"
		} else {
			on, tokens = on+1, tokens+cost
		}
		fmt.Fprintf(w, "%s  %-28s %5d tokens  %-18s %s\n", state, t.Name, cost, view.EffectOf(e), view.ToolTitle(t))
	}
	fmt.Fprintf(w, "%d of %s on, about %d tokens in every turn\n", on, view.ToolCount(len(tools)), tokens)
	return nil
}

// Heading returns the name of a server that commands accept. If users see another name, it adds
// that one.
func Heading(s client.Server) string {
	if strings.EqualFold(s.Name, s.ID) { // commands ignore case
		return s.Name
	}
	return fmt.Sprintf("%s (%s)", s.ID, s.Name)
}
