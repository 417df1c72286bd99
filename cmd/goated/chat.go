package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"goated/agent"
	"goated/internal/chat"
	"goated/internal/store"
	"goated/ui/view"
)

// chatOptions are the flags of "goated chat".
type chatOptions struct {
	prompt    string
	json      bool
	yes       bool
	resume    string
	noHistory bool
}

func chatCommand(o *options) *cobra.Command {
	var c chatOptions
	cmd := &cobra.Command{
		Use:   "chat",
		Short: "Chat in the terminal",
		Long: "chat is the same conversation as in the window: the same model, tools, approvals, limits and history.\n" +
			"The window lists what you say here, and --resume continues what you said there.\n" +
			"With -p it sends one message, prints the answer and ends; the exit status is 0 if the turn succeeded.",
		Example: "  goated chat\n" +
			"  goated chat --resume last\n" +
			"  goated chat -p \"list the files in .\" --yes\n" +
			"  goated chat --resume last -p \"and which of them is the largest?\"\n" +
			"  goated chat --server ./weather.py -p \"weather in Lisbon\" --json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runChat(cmd, o, c) },
	}
	cmd.Flags().StringVarP(&c.prompt, "prompt", "p", "", "send this message, and end; - reads it from stdin")
	cmd.Flags().BoolVar(&c.json, "json", false, "with -p: print each event as a JSON line")
	cmd.Flags().BoolVar(&c.yes, "yes", false, "allow every tool call without asking")
	cmd.Flags().StringVar(&c.resume, "resume", "", "continue a conversation: an id that \"goated chats\" lists, or last")
	cmd.Flags().BoolVar(&c.noHistory, "no-history", false, "do not save this conversation")
	cmd.MarkFlagsMutuallyExclusive("resume", "no-history")
	_ = cmd.RegisterFlagCompletionFunc("resume", func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return o.completeChats(cmd.Context()), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	})
	return cmd
}

// runChat holds a conversation in the terminal. Answers go to stdout, everything
// else to stderr.
func runChat(cmd *cobra.Command, o *options, c chatOptions) error {
	if c.json && c.prompt == "" {
		return errors.New("--json needs -p")
	}
	p := newPerson(newTerminal(cmd.ErrOrStderr()))
	var elicit elicitFunc
	var approve agent.Approve
	var ask agent.Ask
	var unconfined unconfinedFunc
	if interactive() {
		elicit, approve, ask, unconfined = p.elicit, p.approve, p.ask, p.unconfined
	}
	a, err := o.open(elicit, unconfined, anyKey(cmd.Context()))
	if err != nil {
		return err
	}
	defer a.close()
	a.policy.AllowAll = c.yes

	var saved *record
	var earlier store.Thread
	if !c.noHistory {
		saved = o.newRecord(cmd.Context(), cmd.ErrOrStderr())
		defer saved.close()
	}
	if cmd.Flags().Changed("resume") {
		if earlier, err = saved.resume(cmd.Context(), c.resume); err != nil {
			return err
		}
	}

	failed := a.connect(cmd.Context(), cmd.ErrOrStderr())
	a.tellUnconfined(cmd.ErrOrStderr())
	if c.prompt == "" && interactive() {
		if a.askFor(cmd.Context(), p) { // a server with a new permission may run now
			failed = a.missing()
		}
	} else {
		a.tellNeeds(cmd.ErrOrStderr())
	}
	if failed != nil {
		return failed
	}
	model, name, err := a.newModel(cmd.Context(), ask)
	if err != nil {
		return err
	}
	session := a.newSession(model, approve)
	session.Restore(earlier.History())

	if c.prompt == "" {
		return converse(cmd, a, session, saved, earlier, p, name)
	}
	text := c.prompt
	if text == "-" {
		data, err := io.ReadAll(io.LimitReader(os.Stdin, 4<<20))
		if err != nil {
			return fmt.Errorf("reading stdin: %w", err)
		}
		text = string(data)
	}
	out := &printer{out: cmd.OutOrStdout(), stderr: cmd.ErrOrStderr(), json: c.json}
	if c.json {
		out.out = faithful{out.out}
	}
	defer a.tellNeeds(cmd.ErrOrStderr())
	return out.turn(cmd.Context(), saved.turn(session, text), name == "offline")
}

// converse takes turns until the input ends.
func converse(cmd *cobra.Command, a *app, session *agent.Session, saved *record, earlier store.Thread, p *person, name string) error {
	// The context of the command ends with the first Ctrl+C, which may have
	// stopped no more than a turn.
	ctx, stop := signal.NotifyContext(context.WithoutCancel(cmd.Context()), syscall.SIGTERM)
	defer stop()
	stderr := cmd.ErrOrStderr()
	fmt.Fprintf(stderr, "goated %s · model: %s · %s\n", version(), name, view.ToolCount(a.host.Snapshot().Tools()))
	if name == "offline" {
		fmt.Fprintln(stderr, "No model is answering: set GEMINI_API_KEY, or run \"goated key set\". Until then, I find the tool that fits your words.")
	}
	fmt.Fprintln(stderr, "Type a message, such as \"list the files in .\"; /tool {arguments} calls a tool, and Ctrl+D leaves.")
	printEarlier(stderr, earlier)
	saved.ready(ctx)
	defer func() {
		if hint := saved.hint(); hint != "" {
			fmt.Fprintln(stderr, hint)
		}
	}()
	for {
		if interactive() {
			a.askFor(ctx, p)
		} else {
			a.tellNeeds(stderr)
		}
		prompt, leave := signal.NotifyContext(ctx, os.Interrupt)
		text, err := p.t.line(prompt, "› ")
		left := prompt.Err() != nil
		leave()
		switch {
		case errors.Is(err, io.EOF), left:
			fmt.Fprintln(stderr)
			return nil
		case err != nil:
			return fmt.Errorf("reading the terminal: %w", err)
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		if err := oneTurn(ctx, cmd, saved.turn(session, text)); err != nil {
			fmt.Fprintln(stderr, sentence(err))
		}
		saved.check(ctx)
	}
}

// oneTurn prints a turn, which Ctrl+C stops.
func oneTurn(ctx context.Context, cmd *cobra.Command, t *chat.Turn) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	out := &printer{out: cmd.OutOrStdout(), stderr: cmd.ErrOrStderr()}
	err := out.turn(ctx, t, false)
	var status exitStatus
	if errors.As(err, &status) {
		return nil // the printer said why
	}
	return err
}
