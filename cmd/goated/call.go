package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"goated/agent"
	"goated/client"
	"goated/internal/callcmd"
	"goated/internal/safetext"
	"goated/internal/terminal"
	"goated/internal/wording"
	"goated/registry"
	"goated/ui/view"
	"goated/ui/view/question"
)

func callCommand(o *options) *cobra.Command {
	var args, output string
	var pairs []string
	var yes, asJSON bool
	cmd := &cobra.Command{
		Use:   "call TOOL",
		Short: "Call one tool",
		Long: "call runs a tool once and prints its result. TOOL is the tool's own name if only one\n" +
			"connected server has it. If several have it, use the qualified name from \"goated tools --json\".\n" +
			"With --verbose, call also prints what the server writes to stderr.\n" +
			"With --server, call looks only at the servers of --server and --with, and starts no other.\n" +
			"The exit status is 0 if the tool succeeded.",
		Example: "  goated call read_project_context --args '{\"directoryPath\": \".\"}'\n" +
			"  goated call roll --arg sides=6 --server ./dice.py --yes\n" +
			"  goated call draw --args @request.json --server artist --output .",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, names []string) error {
			if asJSON && output != "" {
				return errors.New("use --json or --output, not both")
			}
			values, err := callcmd.Arguments(args, os.Stdin)
			if err != nil {
				return err
			}
			if output != "" {
				if err := os.MkdirAll(output, 0o755); err != nil {
					return fmt.Errorf("--output %s: %w", output, err)
				}
			}
			p := terminal.NewPrompter(terminal.NewReader(cmd.ErrOrStderr()))
			var elicit elicitFunc
			var unconfined unconfinedFunc
			if terminal.Interactive() {
				elicit, unconfined, o.repeat = p.Elicit, p.Unconfined, repeatsAt(p)
			}
			a, err := o.open(elicit, unconfined, anyKey(cmd.Context()))
			if err != nil {
				return err
			}
			defer a.close()
			a.only = o.given.Named()
			defer a.tellMissing(cmd.ErrOrStderr())
			failed, err := a.connect(cmd.Context(), cmd.ErrOrStderr(), terminal.PrompterOf(cmd), a.follower(cmd.ErrOrStderr())) // the tool may belong to another running server
			a.tellUnconfined(cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			entry, err := callcmd.Choose(a.host, names[0])
			if callcmd.Missing(err) && failed.status() != nil && a.host.Snapshot().Connected() == 0 {
				return failed.status() // goated has already reported why the server does not run
			}
			if err != nil {
				return err
			}
			if values, err = callcmd.With(values, pairs, entry.Tool.InputSchema); err != nil {
				return err
			}
			if !yes { // --yes is the user's approval of this call
				if values, err = allow(cmd, a, p, entry, values); err != nil {
					return err
				}
			}
			watch := callcmd.Watch{W: cmd.ErrOrStderr(), Tool: safetext.Name(entry.Tool.Name), Terminal: terminal.Is(cmd.ErrOrStderr()), Logs: o.verbose}
			result, err := a.host.CallEntry(cmd.Context(), entry, values, watch.Progress())
			if result != nil && o.verbose { // without a result, the error contains the last lines
				watch.Output(client.ServerOutput(cmd.Context(), a.host, entry.Server))
			}
			if result == nil {
				if asJSON {
					printRefusal(cmd, err)
				}
				return err
			}
			if perr := printResult(cmd, result, asJSON, callcmd.Place{Tool: entry.Tool.Name, Dir: output}); perr != nil {
				return perr
			}
			if errors.Is(err, client.ErrTool) {
				return terminal.ExitStatus(1) // the result contains the reason
			}
			return err
		},
	}
	cmd.Flags().StringVar(&args, "args", "{}", "arguments as a JSON object, such as '{\"text\": \"hi\"}'; @FILE reads them from a file, - from stdin")
	cmd.Flags().StringArrayVar(&pairs, "arg", nil, "one argument, NAME=VALUE; may be repeated")
	cmd.Flags().StringVar(&output, "output", "", "save images, sounds and other data of the result in this folder")
	cmd.Flags().BoolVar(&yes, "yes", false, "allow the call without asking")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the whole result as JSON")
	_ = cmd.MarkFlagDirname("output")
	return cmd
}

// allow asks the policy and then the user. It returns the arguments, which the user may have
// changed.
func allow(cmd *cobra.Command, a *app, p *terminal.Prompter, e registry.Entry, args map[string]any) (map[string]any, error) {
	if a.policy.Allows(e, args) {
		return args, nil
	}
	if !terminal.Interactive() {
		return nil, fmt.Errorf("the tool %s may change something, and goated can't ask you here: add --yes to allow it", e.Tool.Name)
	}
	pending := agent.Pending{Entry: e, Call: agent.ToolCalled{Name: e.Name, Server: e.Server, Tool: e.Tool.Name, Args: args, At: time.Now()}}
	answers, err := terminal.Approver{Prompter: p, Grants: a.policy.Grants, Server: serverNames(a)}.Approve(cmd.Context(), []agent.Pending{pending})
	switch {
	case err != nil:
		return nil, err
	case answers[0].Decision == agent.Deny:
		return nil, errors.New("you did not allow the call, so goated did not make it")
	case answers[0].Decision == agent.AllowAlways:
		if err := a.policy.Grant(e); err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), wording.UnsavedPermissionText(err))
		}
	}
	return answers[0].Args, nil
}

func printResult(cmd *cobra.Command, r *mcp.CallToolResult, asJSON bool, to callcmd.Place) error {
	out := cmd.OutOrStdout()
	to.Terminal = terminal.Is(out)
	text, err := to.Text(r)
	if asJSON {
		text, out, err = view.FormatJSON(r), terminal.Faithful{To: out}, nil
	}
	if err != nil {
		return err
	}
	text = strings.TrimSuffix(text, "\n")
	if !asJSON && terminal.Is(out) { // a person reads the text, and no line may look like goated's own
		text = safetext.Quote(question.Quoted, text)
	}
	_, err = fmt.Fprintln(out, text)
	return err
}

// printRefusal prints the JSON-RPC error of a call with its data. It prints nothing for other
// errors.
func printRefusal(cmd *cobra.Command, err error) {
	wire := client.Refusal(err)
	if wire == nil {
		return
	}
	if text, err := json.MarshalIndent(map[string]any{"error": wire}, "", "  "); err == nil {
		fmt.Fprintln(terminal.Faithful{To: cmd.OutOrStdout()}, string(text))
	}
}
