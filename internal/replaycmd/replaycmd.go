// Package replaycmd contains the command "goated replay". It prints a saved conversation without a
// network, compares it with the current servers and model, and turns it into a test. It must not
// know the window, nor how servers are connected.
package replaycmd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"google.golang.org/genai"

	"goated/agent"
	"goated/internal/replay"
	"goated/internal/safetext"
	"goated/internal/state"
	"goated/internal/store"
	"goated/registry"
	"goated/ui/view"
)

// A Connect connects the servers, calls use, and disconnects them. Its error reports how many
// servers do not run.
type Connect func(cmd *cobra.Command, use Use) error

// Use receives the current tools, and a function that reports which calls may run without a
// question.
type Use func(tools replay.Tools, may func(registry.Entry, map[string]any) bool)

// An Ask connects the servers, calls use with the current model and a function that creates
// sessions for it, and disconnects the servers. It fails if there is no model.
type Ask func(cmd *cobra.Command, use func(model agent.Model, session func() *agent.Session)) error

// ErrDiffers is the error of a comparison that found differences. By then they have been printed.
var ErrDiffers = errors.New("it differs from what was recorded")

type flags struct {
	conversation     string
	save             string
	live, check, yes bool
	ask              bool
}

// New returns the command.
func New(connect Connect, ask Ask) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "replay FILE",
		Short: "Print a saved conversation, and compare it with today's servers or model",
		Long: "replay prints a conversation that goated exported as JSON. It needs no network, no model and no server.\n\n" +
			"--live makes the calls again and prints where the results differ. It makes only the calls that run\n" +
			"without your approval; --yes makes all of them, except those that ask each time.\n" +
			"--ask sends today's model the input of each recorded answer, in one request for each, and prints where its\n" +
			"calls differ. The model gets the tools of today's servers, but replay runs none of them. It prints an\n" +
			"answer in other words, but reports no difference for it.\n" +
			"--save writes the calls and their results to a case: a file that you can edit and use as a test of your server.\n" +
			"--check runs a case.\n\n" +
			"The exit status is 1 if a result or a call differs.",
		Example: "  goated replay \"goated conversations.json\"\n" +
			"  goated replay chat.json --live --server ./weather.py\n" +
			"  goated replay chat.json --ask --model gemini-3.1-pro-preview --server ./weather.py\n" +
			"  goated replay chat.json --save weather-case.json\n" +
			"  goated replay --check weather-case.json --yes --server ./weather.py",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error { return f.run(cmd, connect, ask, files[0]) },
	}
	cmd.Flags().StringVar(&f.conversation, "conversation", "", "only the conversation whose ID or title begins with this")
	cmd.Flags().StringVar(&f.save, "save", "", "write the calls and their results to this file, as a case")
	cmd.Flags().BoolVar(&f.live, "live", false, "make the calls again, and compare the results")
	cmd.Flags().BoolVar(&f.ask, "ask", false, "ask today's model again, and compare its calls")
	cmd.Flags().BoolVar(&f.check, "check", false, "FILE is a case: make its calls, and compare the results")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "also make calls that may change something, except those that ask each time")
	return cmd
}

func (f *flags) run(cmd *cobra.Command, connect Connect, ask Ask, file string) error {
	data, err := os.Open(file)
	if err != nil {
		return err
	}
	defer data.Close()
	if f.check {
		if f.save != "" || f.live || f.ask {
			return errors.New("--check runs a case, so you can't combine it with --save, --live or --ask")
		}
		c, err := replay.Read(data)
		if err != nil {
			return err
		}
		return f.compare(cmd, connect, c)
	}
	all, err := store.ReadExport(data)
	if err != nil {
		return err
	}
	chosen, err := f.choose(all)
	if err != nil {
		return err
	}
	if f.save == "" && !f.live && !f.ask {
		for _, r := range chosen {
			print(cmd.OutOrStdout(), r)
		}
		return nil
	}
	if f.ask {
		err := f.again(cmd, ask, chosen)
		if err != nil && !errors.Is(err, ErrDiffers) || f.save == "" && !f.live {
			return err
		}
		return errors.Join(err, f.calls(cmd, connect, chosen))
	}
	return f.calls(cmd, connect, chosen)
}

// calls saves the calls of conversations, or repeats them.
func (f *flags) calls(cmd *cobra.Command, connect Connect, chosen []store.Recording) error {
	c := replay.Of("", nil)
	for _, r := range chosen {
		one := replay.Of(r.Title, r.Turns)
		c.Title, c.Calls = strings.TrimPrefix(c.Title+", "+one.Title, ", "), append(c.Calls, one.Calls...)
	}
	if len(c.Calls) == 0 {
		return errors.New("no tool of a server ran in this conversation, so there is nothing to compare")
	}
	if f.save != "" {
		var out bytes.Buffer
		if err := c.Write(&out); err != nil {
			return err
		}
		if err := state.WriteFile(f.save, out.Bytes()); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%d calls are in %s. Run them with: goated replay --check %s\n", len(c.Calls), f.save, f.save)
	}
	if f.live {
		return f.compare(cmd, connect, c)
	}
	return nil
}

// choose returns the conversations that the user selects. Without a selection it returns all.
func (f *flags) choose(all []store.Recording) ([]store.Recording, error) {
	var out []store.Recording
	for _, r := range all {
		if strings.HasPrefix(r.ID, f.conversation) || strings.HasPrefix(r.Title, f.conversation) {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the file has %d conversations, and none has an ID or title that begins with %q", len(all), f.conversation)
	}
	return out, nil
}

// compare repeats the calls of a case and prints the result of each.
func (f *flags) compare(cmd *cobra.Command, connect Connect, c replay.Case) error {
	var failed error
	err := connect(cmd, func(tools replay.Tools, may func(registry.Entry, map[string]any) bool) {
		same, differ, skipped := 0, 0, 0
		failed = c.Run(cmd.Context(), tools, func(e registry.Entry, args map[string]any) bool { return f.yes && !e.EachCall() || may(e, args) }, func(o replay.Outcome) {
			mark, more := "same   ", ""
			switch {
			case o.Skipped:
				skipped++
				mark = "skipped"
			case o.Differs != "":
				differ++
				mark, more = "differs", "\n         "+safetext.OneLine(o.Differs)
			default:
				same++
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s  %s%s\n", mark, call(o.Tool, o.Args), more)
		})
		fmt.Fprintf(cmd.ErrOrStderr(), "%d same, %d differ, %d skipped.\n", same, differ, skipped)
		switch {
		case skipped > 0 && f.yes:
			fmt.Fprintln(cmd.ErrOrStderr(), "Skipped calls need your approval each time: make them with goated call.")
		case skipped > 0:
			fmt.Fprintln(cmd.ErrOrStderr(), "Skipped calls may change something: --yes makes them too, except those that ask each time.")
		}
		if failed == nil && differ > 0 {
			failed = ErrDiffers
		}
	})
	return errors.Join(failed, err)
}

// call formats a call on one line.
func call(tool string, args map[string]any) string {
	data, _ := json.Marshal(args) // cannot fail: it was JSON before
	return safetext.OneLine(tool + " " + string(data))
}

// print prints a conversation.
func print(out io.Writer, r store.Recording) {
	fmt.Fprintf(out, "# %s\n", safetext.OneLine(r.Title))
	for _, t := range r.Turns {
		if text := said(t.User); text != "" {
			fmt.Fprintf(out, "\nYou: %s\n", text)
		}
		called := make(map[string]agent.ToolCalled)
		for _, e := range t.Events {
			switch e := e.(type) {
			case agent.TextDelta:
				fmt.Fprintf(out, "\n%s\n", e.Text)
			case agent.ToolCalled:
				called[e.ID] = e
			case agent.ToolReturned:
				c := called[e.ID]
				fmt.Fprintf(out, "\n> %s\n", call(c.Tool, c.Args))
				result := e.Error
				if e.Result != nil {
					result = view.FormatResult(e.Result)
				}
				for line := range strings.Lines(result) {
					fmt.Fprintf(out, "  %s\n", strings.TrimRight(line, "\n"))
				}
			}
		}
		if t.Error != "" {
			fmt.Fprintf(out, "\n%s\n", t.Error)
		}
	}
	fmt.Fprintln(out)
}

// said returns the text of a message.
func said(parts []*genai.Part) string {
	var lines []string
	for _, p := range parts {
		if p != nil && p.Text != "" {
			lines = append(lines, p.Text)
		}
	}
	return strings.Join(lines, "\n")
}
