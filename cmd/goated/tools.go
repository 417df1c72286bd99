package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"goated/client"
	"goated/internal/callcmd"
	"goated/internal/quarantine"
	"goated/internal/servertools"
	"goated/internal/terminal"
	"goated/internal/wording"
	"goated/ui/view"
)

func toolsCommand(o *options) *cobra.Command {
	var asJSON, costs bool
	var retry string
	cmd := &cobra.Command{
		Use:   "tools",
		Short: "List the tools of the connected servers",
		Long: "tools starts the bundled and the saved servers, and lists their tools.\n" +
			"If you use --server, it starts only the servers of --server and --with.",
		Example: "  goated tools\n" +
			"  goated tools --costs\n" +
			"  goated tools --server ./weather.py --json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var printed error
			err := o.withServers(cmd, o.given.Named(), func(a *app) {
				refused := o.quarantine()
				switch {
				case retry != "":
					e, err := callcmd.Choose(a.host, retry)
					if printed = err; err == nil {
						printed = servertools.Retry(cmd.OutOrStdout(), refused, e)
					}
				case asJSON:
					printed = servertools.JSON(terminal.Faithful{To: cmd.OutOrStdout()}, a.host.Tools(), refused)
				case costs:
					servertools.Costs(cmd.OutOrStdout(), a.host.Tools(), refused, serverNames(a))
				default:
					printToolsOf(cmd.OutOrStdout(), a.host.Snapshot(), "", refused)
				}
			})
			return cmp.Or(printed, err)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array with the schemas and the costs")
	cmd.Flags().BoolVar(&costs, "costs", false, "print the tokens of each tool, and how its schema changed for the model")
	cmd.Flags().StringVar(&retry, "retry", "", "offer this tool again after a model service refused it")
	return cmd
}

// withServers connects the servers and calls use. If a server fails, the error is the exit status.
// If only is set, only the servers of the command line start.
func (o *options) withServers(cmd *cobra.Command, only bool, use func(a *app)) error {
	var unconfined unconfinedFunc
	if terminal.Interactive() {
		unconfined = terminal.NewPrompter(terminal.NewReader(cmd.ErrOrStderr())).Unconfined
	}
	a, err := o.open(nil, unconfined, anyKey(cmd.Context()))
	if err != nil {
		return err
	}
	defer a.close()
	a.only = only
	failed, err := a.connect(cmd.Context(), cmd.ErrOrStderr(), terminal.PrompterOf(cmd), a.follower(cmd.ErrOrStderr()))
	if err != nil {
		return err
	}
	a.tellUnconfined(cmd.ErrOrStderr())
	a.tellMissing(cmd.ErrOrStderr())
	a.tap.Connected(a.host.Snapshot().Servers)
	use(a)
	return failed.status()
}

// connected is withServers for commands that do not know the app.
func (o *options) connected(cmd *cobra.Command, use func()) error {
	return o.withServers(cmd, o.given.Named(), func(*app) { use() })
}

// printToolsOf lists the tools of the server with a name, or of all servers if the name is empty.
func printToolsOf(out io.Writer, all client.Snapshot, name string, refused *quarantine.List) {
	for _, s := range all.Servers {
		if name != "" && !called(s, name) {
			continue
		}
		if s.Status == client.Failed {
			fmt.Fprintf(out, "%s · did not start\n", servertools.Heading(s))
			continue
		}
		fmt.Fprintf(out, "%s · %s\n", servertools.Heading(s), view.ToolCount(len(s.Tools)))
		if len(s.Tools)+len(s.Off)+len(s.Uncallable) == 0 && s.Status == client.Connected {
			fmt.Fprintf(out, "  %s\n", wording.NoToolsText(s))
		}
		for _, e := range s.Tools {
			fmt.Fprintf(out, "  %-28s %s\n", e.Tool.Name, headline(e.Tool.Description))
			for _, note := range servertools.LeftOut(refused, e) {
				fmt.Fprintf(out, "      %s\n", note)
			}
		}
		for _, e := range s.Off {
			fmt.Fprintf(out, "  %-28s is off\n", e.Tool.Name)
		}
		for _, p := range s.Uncallable {
			name := "(no name)"
			if p.Tool != nil && p.Tool.Name != "" {
				name = p.Tool.Name
			}
			fmt.Fprintf(out, "  %-28s can't be called: %s\n", name, p.Reason)
		}
	}
}

// headline returns the first line of a description.
func headline(description string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(description), "\n")
	if r := []rune(line); len(r) > 100 {
		return string(r[:99]) + "…"
	}
	return line
}
