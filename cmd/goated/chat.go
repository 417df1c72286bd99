package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/chat"
	"goated/internal/chatcmd"
	"goated/internal/config"
	"goated/internal/historycmd"
	"goated/internal/modelname"
	"goated/internal/models"
	"goated/internal/offers"
	"goated/internal/store"
	"goated/internal/terminal"
	"goated/internal/wording"
	"goated/ui/view"
	"goated/ui/view/question"
)

// chatOptions contains the flags of "goated chat".
type chatOptions struct {
	prompt    string
	json      bool
	yes       bool
	resume    string
	noHistory bool
	profile   string
}

func chatCommand(o *options) *cobra.Command {
	var c chatOptions
	cmd := &cobra.Command{
		Use:   "chat",
		Short: "Chat in the terminal",
		Long: "chat works as in the window: with the same model, tools, approvals, limits and history.\n" +
			"The window lists the conversations that you begin here, and --resume continues one from the window.\n" +
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
	cmd.Flags().BoolVar(&c.json, "json", false, "with -p: print each event as a JSON line; the last has the reason done if the turn succeeded")
	cmd.Flags().BoolVar(&c.yes, "yes", false, "allow tool calls without asking, except those that ask each time, such as shell commands")
	cmd.Flags().StringVar(&c.resume, "resume", "", "continue a conversation: an ID that \"goated chats\" lists, or last")
	cmd.Flags().StringVar(&c.profile, "profile", "", "start the servers of this profile; a conversation that you resume remembers its own")
	cmd.Flags().BoolVar(&c.noHistory, "no-history", false, "do not save this conversation")
	_ = cmd.RegisterFlagCompletionFunc("resume", func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
		return historycmd.Complete(cmd.Context(), o.historyFile()), cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	})
	return cmd
}

// runChat runs a conversation in the terminal. It writes answers to stdout and everything else to
// stderr.
func runChat(cmd *cobra.Command, o *options, c chatOptions) (end error) {
	if c.json && c.prompt == "" {
		return errors.New("--json needs -p")
	}
	if c.noHistory && cmd.Flags().Changed("resume") {
		return errors.New("use --resume or --no-history, not both")
	}
	if cmd.Flags().Changed("prompt") && strings.TrimSpace(c.prompt) == "" {
		return errors.New("the message of -p is empty")
	}
	p := terminal.NewPrompter(terminal.NewReader(cmd.ErrOrStderr()))
	var elicit elicitFunc
	var approve agent.Approve
	var ask agent.Ask
	var unconfined unconfinedFunc
	var a *app
	if terminal.Interactive() {
		elicit, ask, unconfined, o.repeat = p.Elicit, p.Ask, p.Unconfined, repeatsAt(p)
		if c.prompt == "" && !c.yes {
			o.permit = permits(p, &a)
		}
	}
	a, err := o.open(elicit, unconfined, anyKey(cmd.Context()))
	if err != nil {
		return err
	}
	defer a.close()
	a.policy.AllowAll = c.yes
	a.policy.Unsaved = func(err error) { fmt.Fprintln(cmd.ErrOrStderr(), wording.UnsavedPermissionText(err)) }
	if terminal.Interactive() {
		approve = terminal.Approver{Prompter: p, Grants: a.policy.Grants, Server: serverNames(a)}.Approve
	}

	var saved *record
	var earlier store.Thread
	if !c.noHistory {
		saved = o.newRecord(cmd.Context(), cmd.ErrOrStderr())
		defer func() {
			if !saved.close() && end == nil {
				end = terminal.ExitStatus(1) // so that a script notices
			}
		}()
	}
	if cmd.Flags().Changed("resume") {
		if earlier, err = saved.resume(cmd.Context(), c.resume); err != nil {
			return err
		}
	}
	if err := a.useProfile(c.profile, &earlier.Conversation.Choices); err != nil {
		return err
	}
	failed, stop, err := a.connectSoon(cmd.Context(), cmd.ErrOrStderr(), p)
	defer stop()
	if err != nil {
		return err
	}
	if c.prompt != "" && failed.mistaken {
		return failed.status() // the message needs that server, and a script would not see the reason
	}
	a.tellUnconfined(cmd.ErrOrStderr())
	if c.prompt == "" && terminal.Interactive() {
		a.askFor(cmd.Context(), p) // a server with a new permission may be able to run now
	} else {
		a.tellMissing(cmd.ErrOrStderr())
	}
	a.source.Offline = offlineModel(a, ask)
	model, err := a.newModel(cmd.Context())
	if err != nil {
		return err
	}
	talk := &chatcmd.Talk{Source: a.source, Settings: a.settings, Choices: earlier.Conversation.Choices, Out: terminal.Plain{To: cmd.OutOrStdout()}, Notes: cmd.ErrOrStderr(), Margin: question.Margin}
	if saved != nil {
		talk.Store, talk.Conversation, talk.Parent = saved.store, &saved.conversation, &saved.parent
	}
	if c := talk.Choices; c.Model+c.Service != "" && o.model+o.endpoint == "" {
		model = a.source.Open(a.settings, config.ModelRef{Service: c.Service, Name: c.Model})
	}
	talk.Session, talk.Model = a.newSession(model, approve), model
	talk.Moved = func(turns []store.Turn, message bool) { printMoved(cmd.ErrOrStderr(), turns, message, serverNames(a)) }
	talk.Instruct()
	if c.profile != "" {
		talk.Changed()
	}
	talk.Resume(earlier)
	if c.prompt == "" {
		return converse(cmd, a, talk, saved, earlier, p)
	}
	return sendOnce(cmd, a, talk, saved, c)
}

// useProfile applies the settings of a profile to this conversation. The saved settings do not
// change. An empty name means the profile that the conversation chose before.
func (a *app) useProfile(name string, choices *store.Choices) error {
	profile := cmp.Or(name, choices.Profile)
	names := a.settings.ProfileNames()
	if name != "" && !slices.Contains(names, profile) {
		return fmt.Errorf("there is no profile %q. Choose one of: %s", profile, strings.Join(names, ", "))
	}
	if slices.Contains(names, profile) {
		a.settings = config.UseProfile(a.settings, profile, ownServers())
		choices.Profile = profile
	}
	return nil
}

// sendOnce sends the message of -p and prints the turn.
func sendOnce(cmd *cobra.Command, a *app, talk *chatcmd.Talk, saved *record, c chatOptions) error {
	text := c.prompt
	if text == "-" {
		data, err := io.ReadAll(io.LimitReader(os.Stdin, 4<<20))
		if err != nil {
			return fmt.Errorf("reading stdin: %w", err)
		}
		if text = string(data); strings.TrimSpace(text) == "" {
			return errors.New("stdin has no message")
		}
	}
	out := &terminal.Printer{Out: cmd.OutOrStdout(), Stderr: cmd.ErrOrStderr(), JSON: c.json, Margin: terminal.Is(cmd.OutOrStdout()), Server: serverNames(a)}
	if c.json {
		out.Out = terminal.Faithful{To: out.Out}
	} else {
		tellOffline(cmd.ErrOrStderr(), talk.Model)
	}
	defer a.tellMissing(cmd.ErrOrStderr())
	defer talk.Save(context.WithoutCancel(cmd.Context()))
	return out.Turn(talk.Take(cmd.Context(), saved.turn(talk.Session, genai.NewPartFromText(text))), talk.Model.NeedsAllTools())
}

// converse runs turns until the input ends.
func converse(cmd *cobra.Command, a *app, talk *chatcmd.Talk, saved *record, earlier store.Thread, p *terminal.Prompter) error {
	// The command's context ends with the first Ctrl+C, which may only have stopped a turn.
	ctx, stop := signal.NotifyContext(context.WithoutCancel(cmd.Context()), syscall.SIGTERM)
	defer stop()
	stderr := cmd.ErrOrStderr()
	fmt.Fprintf(stderr, "goated %s · model: %s · %s\n", version(), modelname.Title(talk.Model.Ref()), view.ToolCount(a.host.Snapshot().Tools()))
	tellOffline(stderr, talk.Model)
	fmt.Fprintln(stderr, "Type a message, such as \"list the files in .\"; /help lists the commands, and /exit leaves.")
	slash := &slash{app: a, out: cmd.OutOrStdout(), reloads: make(map[string]int), talk: talk}
	cache := new(offers.Cache)
	printEarlier(stderr, earlier, serverNames(a))
	talk.Suggest()
	saved.ready(ctx)
	defer func() {
		if hint := saved.hint(); hint != "" {
			fmt.Fprintln(stderr, hint)
		}
	}()
	for {
		if terminal.Interactive() {
			a.askFor(ctx, p)
		} else {
			a.tellMissing(stderr)
		}
		slash.tellReloads(stderr)
		prompt, leave := signal.NotifyContext(ctx, os.Interrupt)
		text, err := p.Reader.Line(prompt, "› ")
		left := prompt.Err() != nil
		leave()
		switch {
		case errors.Is(err, io.EOF), left:
			fmt.Fprintln(stderr)
			return nil
		case err != nil:
			return fmt.Errorf("reading the terminal: %w", err)
		case leaves(text):
			return nil
		}
		parts, send := prepare(ctx, slash, cache, stderr, text)
		if !send {
			continue
		}
		if err := oneTurn(ctx, cmd, a, talk, saved.turn(talk.Session, parts...)); err != nil {
			fmt.Fprintln(stderr, terminal.Sentence(err))
		}
		talk.Suggest()
		talk.Save(ctx)
		saved.check(ctx)
	}
}

// tellOffline reports that no model is answering, and what to do, if that is the case.
func tellOffline(stderr io.Writer, m *models.Model) {
	if m.NeedsAllTools() {
		fmt.Fprintln(stderr, "No model is answering: set GEMINI_API_KEY, or run \"goated key set\". Until then, I find the tool that fits your words.")
	}
}

// prepare runs a line that is a command. Otherwise it makes a message from the line. Ctrl+C stops
// it, because it may wait for a model or a server.
func prepare(ctx context.Context, s *slash, cache *offers.Cache, stderr io.Writer, line string) (parts []*genai.Part, send bool) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	switch {
	case strings.TrimSpace(line) == chatcmd.RetryCommand:
		return s.talk.Retry()
	case strings.TrimSpace(line) == "" || s.run(ctx, line):
		return nil, false
	}
	text, files, send := cache.Line(ctx, s.app.host, stderr, line)
	if send && text == line { // otherwise the line is a prompt
		if meant := s.mistyped(line); meant != "" {
			fmt.Fprintf(stderr, "There is no command or tool %q. Did you mean %s? To send the line as a message, enter it again.\n", strings.Fields(line)[0], meant)
			return nil, false
		}
	}
	return chatcmd.Message(stderr, text, files, send && ctx.Err() == nil)
}

// oneTurn runs and prints a turn. Ctrl+C stops the turn.
func oneTurn(ctx context.Context, cmd *cobra.Command, a *app, talk *chatcmd.Talk, t *chat.Turn) error {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	out := &terminal.Printer{Out: cmd.OutOrStdout(), Stderr: cmd.ErrOrStderr(), Margin: terminal.Is(cmd.OutOrStdout()), Server: serverNames(a)}
	err := out.Turn(talk.Take(ctx, t), false)
	var status terminal.ExitStatus
	if errors.As(err, &status) {
		return nil // the printer has printed the reason
	}
	return err
}
