package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/wording"
	"goated/ui/view"
)

type chatOptions struct {
	prompt string
	json   bool
	yes    bool
}

func chatCommand(o *options) *cobra.Command {
	var c chatOptions
	cmd := &cobra.Command{
		Use:   "chat",
		Short: "Chat in the terminal",
		Long: "chat is the same conversation as in the window: the same model, tools, approvals and limits.\n" +
			"With -p it says one thing, prints the answer and ends; the exit status is 0 if the turn succeeded.",
		Example: "  goated chat\n" +
			"  goated chat -p \"list the files in .\" --yes\n" +
			"  goated chat --server ./weather.py -p \"weather in Lisbon\" --json",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return chat(cmd, o, c) },
	}
	cmd.Flags().StringVarP(&c.prompt, "prompt", "p", "", "say this, and end; - reads it from stdin")
	cmd.Flags().BoolVar(&c.json, "json", false, "with -p: print each event as a JSON line")
	cmd.Flags().BoolVar(&c.yes, "yes", false, "allow every tool call without asking")
	return cmd
}

// chat is a conversation on the terminal. Answers go to stdout, everything else
// to stderr.
func chat(cmd *cobra.Command, o *options, c chatOptions) error {
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
	failed := a.connect(cmd.Context(), cmd.ErrOrStderr())
	a.tellUnconfined(cmd.ErrOrStderr())
	if c.prompt == "" && interactive() {
		if a.askFor(cmd.Context(), p) { // what lacked it has it now, and may run
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

	if c.prompt != "" {
		text := c.prompt
		if text == "-" {
			data, err := io.ReadAll(io.LimitReader(os.Stdin, 4<<20))
			if err != nil {
				return fmt.Errorf("reading stdin: %w", err)
			}
			text = string(data)
		}
		t := &teller{out: cmd.OutOrStdout(), aside: cmd.ErrOrStderr(), json: c.json}
		if c.json {
			t.out = faithful{t.out}
		}
		defer a.tellNeeds(cmd.ErrOrStderr())
		return t.turn(cmd.Context(), session, text, name == "offline")
	}
	return converse(cmd, a, session, p, name)
}

// converse takes turns until the input ends.
func converse(cmd *cobra.Command, a *app, session *agent.Session, p *person, name string) error {
	aside := cmd.ErrOrStderr()
	fmt.Fprintf(aside, "goated %s · model: %s · %s\n", version(), name, view.ToolCount(a.host.Snapshot().Tools()))
	if name == "offline" {
		fmt.Fprintln(aside, "No model is answering: set GEMINI_API_KEY, or run \"goated key set\". Until then, I find the tool that fits your words.")
	}
	fmt.Fprintln(aside, "Type a message, such as \"list the files in .\"; /tool {arguments} calls a tool, and Ctrl+D leaves.")
	for {
		if interactive() {
			a.askFor(cmd.Context(), p)
		} else {
			a.tellNeeds(aside)
		}
		text, err := p.t.line(cmd.Context(), "› ")
		switch {
		case errors.Is(err, io.EOF), cmd.Context().Err() != nil:
			fmt.Fprintln(aside)
			return nil
		case err != nil:
			return fmt.Errorf("reading the terminal: %w", err)
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		// Ctrl+C stops the turn, not the program.
		ctx, stop := signal.NotifyContext(context.WithoutCancel(cmd.Context()), os.Interrupt)
		tell := &teller{out: cmd.OutOrStdout(), aside: aside}
		err = tell.turn(ctx, session, text, false)
		stop()
		var status exitStatus
		if err != nil && !errors.As(err, &status) {
			fmt.Fprintln(aside, sentence(err))
		}
	}
}

// A teller tells a turn as it goes: the answer on out, tools aside.
type teller struct {
	out, aside io.Writer
	json       bool

	called map[string]agent.ToolCalled
	calls  int
	failed bool // a call failed
	atLine bool // the last text ended within a line
	spoke  map[string]time.Time
}

// turn runs one turn. Its error is an exitStatus where the turn came to an end
// that is no success. Offline succeeds if it called a tool and that succeeded.
func (t *teller) turn(ctx context.Context, s *agent.Session, text string, offline bool) error {
	t.called = make(map[string]agent.ToolCalled)
	reason := agent.Reason("")
	for e, err := range s.Send(ctx, genai.NewPartFromText(text)) {
		if err != nil {
			if t.json {
				line, _ := json.Marshal(map[string]string{"type": "error", "message": err.Error()})
				fmt.Fprintln(t.out, string(line))
				return exitStatus(1)
			}
			t.newline()
			return err
		}
		if end, ok := e.(agent.TurnEnded); ok {
			reason = end.Reason
		}
		if err := t.tell(e); err != nil {
			return err
		}
	}
	t.newline()
	switch {
	case reason == agent.Cancelled:
		return exitStatus(130)
	case reason != agent.Done, offline && (t.calls == 0 || t.failed):
		return exitStatus(1)
	}
	return nil
}

func (t *teller) tell(e agent.Event) error {
	switch e := e.(type) {
	case agent.ToolCalled:
		t.calls++
		t.called[e.ID] = e
	case agent.ToolReturned:
		t.failed = t.failed || e.Error != ""
	}
	if t.json {
		line, err := agent.EncodeEvent(e)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(t.out, string(line))
		return err
	}
	switch e := e.(type) {
	case agent.TextDelta:
		fmt.Fprint(t.out, e.Text)
		t.atLine = !strings.HasSuffix(e.Text, "\n")
	case agent.ToolCalled:
		t.newline()
		fmt.Fprintf(t.aside, "⚙ %s · %s %s\n", first(e.Tool, e.Name), e.Server, brief(e.Args))
	case agent.ToolProgressed:
		t.progress(e)
	case agent.ToolReturned:
		mark, word := "✓", ""
		if e.Error != "" {
			mark, word = "✗", " "+wording.Call(e)
		}
		fmt.Fprintf(t.aside, "%s %s %s%s\n", mark, first(t.called[e.ID].Tool, t.called[e.ID].Name), e.Duration.Round(time.Millisecond), word)
	case agent.TurnEnded:
		t.newline()
		if note := wording.TurnEnd(e); note != "" {
			fmt.Fprintln(t.aside, note)
		}
	}
	return nil
}

// progressTime is the least time between two lines about one call.
const progressTime = 2 * time.Second

// progress tells a person who waits how far a call is, now and then. Where
// nobody sits it would be noise.
func (t *teller) progress(e agent.ToolProgressed) {
	f, ok := bare(t.aside).(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || time.Since(t.spoke[e.ID]) < progressTime {
		return
	}
	if t.spoke == nil {
		t.spoke = make(map[string]time.Time)
	}
	t.spoke[e.ID] = time.Now()
	t.newline()
	lines := strings.Split(e.Message, "\n")
	fmt.Fprintf(t.aside, "… %s %s\n", first(t.called[e.ID].Tool, t.called[e.ID].Name),
		strings.TrimSpace(view.Portion(e.Progress, e.Total)+" "+view.Cut(lines[len(lines)-1], 80)))
}

// newline ends an unfinished line of the answer.
func (t *teller) newline() {
	if t.atLine {
		fmt.Fprintln(t.out)
		t.atLine = false
	}
}

// brief is a call's arguments on one line.
func brief(args map[string]any) string {
	data, err := json.Marshal(args)
	if err != nil || len(args) == 0 {
		return ""
	}
	if r := []rune(string(data)); len(r) > 100 {
		return string(r[:100]) + "…"
	}
	return string(data)
}
