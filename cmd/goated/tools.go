package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"goated/registry"
	"goated/ui/view"
)

func toolsCommand(o *options) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "List the tools of the connected servers",
		Example: "  goated tools\n" +
			"  goated tools --server ./weather.py --no-bundled --json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var unconfined unconfinedFunc
			if interactive() {
				unconfined = newPerson(newTerminal(cmd.ErrOrStderr())).unconfined
			}
			a, err := o.open(nil, unconfined, anyKey(cmd.Context()))
			if err != nil {
				return err
			}
			defer a.close()
			failed := a.connect(cmd.Context(), cmd.ErrOrStderr())
			a.tellUnconfined(cmd.ErrOrStderr())
			a.tellNeeds(cmd.ErrOrStderr())
			if asJSON {
				err = printToolsJSON(cmd, a)
			} else {
				printTools(cmd, a)
			}
			if failed != nil {
				return failed
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array with the schemas")
	return cmd
}

func printTools(cmd *cobra.Command, a *app) {
	out := cmd.OutOrStdout()
	for _, s := range a.host.Snapshot().Servers {
		fmt.Fprintf(out, "%s\n", view.ServerLabel(s))
		for _, e := range s.Tools {
			fmt.Fprintf(out, "  %-28s %s\n", e.Tool.Name, headline(e.Tool.Description))
		}
		for _, p := range s.Parked {
			name := "(no name)"
			if p.Tool != nil && p.Tool.Name != "" {
				name = p.Tool.Name
			}
			fmt.Fprintf(out, "  %-28s can't be called: %s\n", name, p.Reason)
		}
	}
}

// headline is the first line of a description.
func headline(description string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(description), "\n")
	if r := []rune(line); len(r) > 100 {
		return string(r[:99]) + "…"
	}
	return line
}

func printToolsJSON(cmd *cobra.Command, a *app) error {
	type tool struct {
		Name        string `json:"name"` // qualified
		Server      string `json:"server"`
		Tool        string `json:"tool"`
		Title       string `json:"title,omitempty"`
		Description string `json:"description,omitempty"`
		InputSchema any    `json:"inputSchema"`
		Annotations any    `json:"annotations,omitempty"`
	}
	list := []tool{}
	for e := range a.host.Tools() {
		t := tool{Name: e.Name, Server: e.Server, Tool: e.Tool.Name, Title: e.Tool.Title, Description: e.Tool.Description, InputSchema: e.Tool.InputSchema}
		if e.Tool.Annotations != nil {
			t.Annotations = e.Tool.Annotations
		}
		list = append(list, t)
	}
	enc := json.NewEncoder(faithful{cmd.OutOrStdout()})
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}

// choose finds the one tool with that name.
func choose(a *app, name string) (registry.Entry, error) {
	found := a.host.Named(name)
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return a.host.Lookup(name) // for its error
	}
	names := make([]string, len(found))
	for i, e := range found {
		names[i] = e.Name
	}
	return registry.Entry{}, fmt.Errorf("%d servers have a tool %q. Choose one of: %s", len(found), name, strings.Join(names, ", "))
}
