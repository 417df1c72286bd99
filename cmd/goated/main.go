// Command goated is a desktop client for MCP servers: a window or a terminal chat in which a model works
// with the tools of any MCP server.
//
// This package is the composition root. It reads flags, settings and secrets, opens the log, and
// connects the other packages. No package imports it.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"goated/agent"
	"goated/client"
	"goated/internal/config"
	"goated/internal/desktopcmd"
	"goated/internal/grantscmd"
	"goated/internal/historycmd"
	"goated/internal/inspectcmd"
	"goated/internal/installcmd"
	"goated/internal/proc"
	"goated/internal/programs"
	"goated/internal/replaycmd"
	"goated/internal/serverflags"
	"goated/internal/terminal"
)

var (
	_ agent.Tools      = (*client.Host)(nil)
	_ agent.Instructor = (*client.Host)(nil)
)

// keepArg is the argument that makes goated the supervisor of one server's processes.
const keepArg = "keep-server"

func main() {
	if len(os.Args) == 2 && os.Args[1] == keepArg {
		proc.Keep()
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := root().ExecuteContext(ctx)
	stopped := ctx.Err() != nil && errors.Is(err, context.Canceled)
	stop()
	var status terminal.ExitStatus
	switch {
	case err == nil:
	case errors.As(err, &status):
		os.Exit(int(status))
	case stopped:
		fmt.Fprintln(os.Stderr, "goated: You stopped it.")
		os.Exit(130)
	default:
		fmt.Fprintln(terminal.Plain{To: os.Stderr}, "goated: "+terminal.Sentence(err))
		os.Exit(1)
	}
}

func root() *cobra.Command {
	var o options
	cmd := &cobra.Command{
		Use:   "goated",
		Short: "A desktop client for MCP servers",
		Long: "goated opens a window in which a model works with the tools of any MCP server.\n" +
			"Without a Gemini key it looks for the tool that fits your words, and says so.",
		Example: "  goated\n" +
			"  goated --server ./weather.py\n" +
			"  goated chat -p \"list the files in .\"",
		Args:          cobra.NoArgs,
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
		PersistentPreRun: func(cmd *cobra.Command, _ []string) {
			cmd.SetOut(terminal.Plain{To: cmd.OutOrStdout()})
			cmd.SetErr(terminal.Plain{To: cmd.ErrOrStderr()})
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			if why := noWindow(); why != "" {
				fmt.Fprintln(cmd.ErrOrStderr(), why+" Opening the terminal chat.")
				return runChat(cmd, &o, chatOptions{})
			}
			return openWindow(cmd.Context(), &o)
		},
	}
	o.register(cmd)
	cmd.AddCommand(chatCommand(&o), historycmd.Chats(o.historyFile), historycmd.New(o.historyFile), toolsCommand(&o), inspectcmd.New(o.tap, o.connected), callCommand(&o), serversCommand(&o), serveCommand(&o), desktopcmd.New(o.dataDir, o.links().Ask), doctorCommand(&o), modelsCommand(&o), keyCommand(&o), grantscmd.New(o.grantsFile, func() ([]config.Launch, error) { return savedServers(&o) }), installcmd.New(func() *programs.Folder { return o.installer().Programs }),
		replaycmd.New(func(cmd *cobra.Command, use replaycmd.Use) error {
			return o.withServers(cmd, false, func(a *app) { use(a.host, a.policy.Allows) })
		}, o.askAgain))
	serverflags.ExplainUsage(cmd)
	serverflags.ShortenHelp(cmd, []string{"goated", "goated chat", "goated call", "goated tools", "goated inspect", "goated replay", "goated doctor"},
		[]string{"data", "verbose"}, map[string][]string{"goated models": {"endpoint", "model"}})
	return cmd
}

// version returns the module's version, or the commit that the program was built from.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "dev"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "dev-" + s.Value[:12]
		}
	}
	return "dev"
}
