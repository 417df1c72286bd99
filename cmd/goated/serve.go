package main

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"goated/servers"
	"goated/servers/stdio"
)

func serveCommand(o *options) *cobra.Command {
	var root, backend string
	switches := make(map[string]*bool)
	cmd := &cobra.Command{
		Use:   "serve NAME",
		Short: "Run a bundled MCP server over stdio",
		Long: "serve runs a bundled server for any MCP client. It speaks MCP on stdin and stdout, and logs to stderr.\n" +
			"It works on the project in the working directory, unless you pass --root. All clients share its\n" +
			"memory in goated's data folder, unless you pass --data.\n\n" + bundled(),
		Example: "  goated serve ghost\n" +
			"  {\"mcpServers\": {\"ghost\": {\"command\": \"goated\", \"args\": [\"serve\", \"ghost\"]}}}",
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return servers.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if backend != "" && backend != "x11" && backend != "remote" {
				return fmt.Errorf("there is no backend %q. Choose x11 or remote", backend)
			}
			for _, s := range servers.All() {
				if s.Name != args[0] {
					continue
				}
				opts := servers.Options{Root: root, Data: o.dataDir(), Backend: backend, DialogSocket: dialogsDir(o.dataDir()),
					StartDialogSocket: func(ctx context.Context) error { return startWindow(ctx, o) }}
				for _, w := range s.Switches {
					if *switches[w.Name] {
						opts.On = append(opts.On, w.Name)
					}
				}
				return s.Run(cmd.Context(), opts, &stdio.Transport{In: os.Stdin, Out: os.Stdout, Log: cmd.ErrOrStderr()})
			}
			return fmt.Errorf("goated has no bundled server %q. Choose one of: %s", args[0], strings.Join(servers.Names(), ", "))
		},
	}
	cmd.Flags().StringVar(&root, "root", "", "the project's folder (default: the working directory)")
	_ = cmd.MarkFlagDirname("root")
	cmd.Flags().StringVar(&backend, "backend", "", "desktop: x11 drives this computer, remote the gRPC server of the environment (default: remote if it names one)")
	for _, s := range servers.All() {
		for _, w := range s.Switches {
			switches[w.Name] = cmd.Flags().Bool(w.Name, false, s.Name+": "+w.Summary)
		}
	}
	return cmd
}

func bundled() string {
	var b strings.Builder
	b.WriteString("Servers:")
	for _, s := range servers.All() {
		fmt.Fprintf(&b, "\n  %-10s %s", s.Name, s.Summary)
	}
	return b.String()
}
