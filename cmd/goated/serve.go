package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"goated/servers"
)

func serveCommand(o *options) *cobra.Command {
	var root string
	cmd := &cobra.Command{
		Use:   "serve NAME",
		Short: "Run a bundled MCP server over stdio",
		Long: "serve runs a bundled server for any MCP client. It speaks MCP on stdin and stdout, and logs to stderr.\n" +
			"It works in the working directory, unless you pass --root or --data.\n\n" + bundled(),
		Example: "  goated serve ghost\n" +
			"  {\"mcpServers\": {\"ghost\": {\"command\": \"goated\", \"args\": [\"serve\", \"ghost\"]}}}",
		Args: cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return serverNames(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, s := range servers.All() {
				if s.Name != args[0] {
					continue
				}
				opts := servers.Options{Root: root}
				if o.data != "" {
					opts.Data = o.dataDir()
				}
				err := s.New(opts).Run(cmd.Context(), &mcp.StdioTransport{})
				if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
					return nil // the client has left
				}
				return err
			}
			return fmt.Errorf("goated has no bundled server %q. Choose one of: %s", args[0], strings.Join(serverNames(), ", "))
		},
	}
	cmd.Flags().StringVar(&root, "root", "", "the project's folder (default: the working directory)")
	_ = cmd.MarkFlagDirname("root")
	return cmd
}

func serverNames() []string {
	var names []string
	for _, s := range servers.All() {
		names = append(names, s.Name)
	}
	return names
}

func bundled() string {
	var b strings.Builder
	b.WriteString("Servers:")
	for _, s := range servers.All() {
		fmt.Fprintf(&b, "\n  %-10s %s", s.Name, s.Summary)
	}
	return b.String()
}
