package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"goated/client"
	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/linked"
	"goated/internal/servertools"
	"goated/internal/toolcache"
)

// serverToolsCommand returns the command that lists the tools of a server, whether they are on, and
// what each costs.
func serverToolsCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "tools NAME",
		Short: "List the tools of a saved server, which are on, and their cost in tokens",
		Long: "tools lists the tools that a server had when it last ran. It starts nothing; \"goated tools\" starts the servers and asks them.\n" +
			"Every turn pays for the tools that are on. The numbers of tokens are estimates.",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, name, l, err := o.launchCalled(args[0])
			if err != nil {
				return err
			}
			return servertools.Print(cmd.OutOrStdout(), name, o.lastTools(l), s.ToolsOff(l), l.Subject() == "")
		},
	}
}

// switchToolCommand returns the command that turns a tool of a server on or off.
func switchToolCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:     "tool NAME TOOL on|off",
		Short:   "Turn a tool of a saved server on or off",
		Long:    "No model sees a tool that is off, and nothing can call it. An open goated window follows the change at once.",
		Example: "  goated servers tool filesystem write_file off",
		Args:    cobra.ExactArgs(3),
		RunE: func(cmd *cobra.Command, args []string) error {
			if args[2] != "on" && args[2] != "off" {
				return fmt.Errorf("%q is neither on nor off", args[2])
			}
			s, name, l, err := o.launchCalled(args[0])
			if err != nil {
				return err
			}
			var names []string
			for _, t := range o.lastTools(l) {
				names = append(names, t.Name)
			}
			if len(names) > 0 && !slices.Contains(names, args[1]) && !slices.Contains(s.ToolsOff(l), args[1]) {
				return fmt.Errorf("the server %s has no tool %q. Its tools are %s", name, args[1], strings.Join(names, ", "))
			}
			if err := o.change(cmd.Context(), edit{Verb: args[2], Name: name, Tool: args[1], Of: ranBy(l)}); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s of %s is %s\n", args[1], name, args[2])
			return nil
		},
	}
}

// launchCalled finds a server of the settings or of a linked file by its name. A bundled server has
// only a name.
func (o *options) launchCalled(called string) (s config.Settings, name string, l config.Launch, err error) {
	s, warning := o.loadSettings()
	if warning != nil {
		return s, "", l, warning
	}
	name, bundled, err := o.savedCalled(s, called)
	if fixed, ok := errors.AsType[*linked.FixedError](err); ok {
		return s, fixed.Server.Launch.DisplayName(), fixed.Server.Launch, nil
	}
	if err != nil || bundled {
		return s, name, config.Launch{Name: name}, err
	}
	l, _ = savedAs(s.Launch, name)
	return s, name, l, nil
}

// ranBy returns how a server runs, without its values, because those of a linked file stay in the
// file.
func ranBy(l config.Launch) config.Launch {
	return config.Launch{Name: l.Name, Path: l.Path, Command: l.Command, URL: l.URL, Args: l.Args, Dir: l.Dir}
}

// toolLists returns the folder that stores the last list of tools of each server.
func (o *options) toolLists() string { return filepath.Join(o.dataDir(), "tools") }

// lastTools returns the tools that a server listed when it last ran.
func (o *options) lastTools(l config.Launch) []*mcp.Tool {
	c := client.Config{Bundled: true, Name: l.Name}
	if l.Subject() != "" {
		c = consent.ConfigOf(l)
	}
	tools, _ := toolcache.New(o.toolLists()).Get(c.Key())
	return tools
}
