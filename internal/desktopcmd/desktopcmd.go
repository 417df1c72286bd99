// Package desktopcmd contains the command "goated desktop", which lists and repeats the actions of
// the desktop server. It must not know the window, or how to operate a desktop.
package desktopcmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"goated/internal/adding"
	"goated/internal/safetext"
	"goated/internal/truncate"
	"goated/servers"
	"goated/servers/desktop/journal"
	"goated/servers/desktop/replay"
)

type flags struct {
	actions                string
	yes, scripting, hidden bool
}

// New returns the command. data returns goated's folder when the command runs. ask returns the
// prompter, or nil if there is none.
func New(data func() string, ask func(*cobra.Command) adding.Prompter) *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:   "desktop",
		Short: "List and repeat what models did with your applications",
		Long: "desktop reads the record of the desktop server: each click, text and change that a model made, without\n" +
			"secrets. Pass FILE to read another record or a part of one. The default is the record in goated's data folder.",
		Example: "  goated desktop actions\n" +
			"  goated desktop replay --actions 12-20\n" +
			"  goated desktop replay --hidden form.jsonl",
		Args: cobra.NoArgs,
	}
	list := &cobra.Command{
		Use: "actions [FILE]", Short: "List the recorded actions", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error {
			entries, err := f.read(data(), files)
			if err != nil {
				return err
			}
			print(cmd.OutOrStdout(), entries, maxShown)
			if len(entries) == 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), "No action is recorded.")
			}
			return nil
		},
	}
	again := &cobra.Command{
		Use: "replay [FILE]", Short: "Perform recorded actions again", Args: cobra.MaximumNArgs(1),
		Long: "replay repeats recorded actions on your desktop or on a hidden one. It lists them and asks first.\n" +
			"It finds applications, windows and elements by their names. It stops at the first action that\n" +
			"fails, has another target, or has another result. The rules of the desktop server apply: it types no\n" +
			"passwords, avoids goated's windows, makes at most 20 actions a second, and Ctrl+Alt+Escape stops it.\n" +
			"It asks before each shell command and before it reads the clipboard, also with --yes.\n" +
			"It leaves out actions that failed. It turns accessibility on while it runs.",
		RunE: func(cmd *cobra.Command, files []string) error {
			entries, err := f.read(data(), files)
			if err != nil {
				return err
			}
			return f.replay(cmd, data(), entries, ask(cmd))
		},
	}
	for _, c := range []*cobra.Command{list, again} {
		c.Flags().StringVar(&f.actions, "actions", "", "only these: a number, or two such as 12-20")
	}
	again.Flags().BoolVar(&f.yes, "yes", false, "perform them without a question")
	again.Flags().BoolVar(&f.scripting, servers.Scripting, false, "allow shell commands, and keys in terminals")
	again.Flags().BoolVar(&f.hidden, servers.Hidden, false, "perform them on a second, hidden desktop")
	cmd.AddCommand(list, again)
	return cmd
}

// read reads the actions that the flags choose.
func (f *flags) read(data string, files []string) ([]journal.Entry, error) {
	path := servers.DesktopJournal(servers.Options{Data: data})
	if len(files) > 0 {
		path = files[0]
	}
	from, to, err := span(f.actions)
	if err != nil {
		return nil, err
	}
	entries, err := journal.Read(path)
	return slices.DeleteFunc(entries, func(e journal.Entry) bool { return e.Seq < from || e.Seq > to }), err
}

// span parses "12" or "12-20". An empty text means all actions.
func span(text string) (from, to int64, err error) {
	if text == "" {
		return 0, 1 << 62, nil
	}
	first, last, two := strings.Cut(text, "-")
	if !two {
		last = first
	}
	from, err = strconv.ParseInt(first, 10, 64)
	if err == nil {
		to, err = strconv.ParseInt(last, 10, 64)
	}
	if err != nil || from < 1 || to < from {
		return 0, 0, fmt.Errorf("--actions is %q. Use a number of \"goated desktop actions\", or two such as 12-20", text)
	}
	return from, to, nil
}

const (
	maxShown = 200     // characters of a request in the list
	whole    = 1 << 30 // the user agrees to what they see, so nothing is cut
)

// print lists actions.
func print(w io.Writer, entries []journal.Entry, most int) {
	for _, e := range entries {
		fmt.Fprintln(w, line(e, most))
	}
}

// line describes an action, with at most the given number of characters of its request. The record
// contains texts from applications, so line makes them safe to show.
func line(e journal.Entry, most int) string {
	text := fmt.Sprintf("%5d  %s  %s", e.Seq, e.Time.Local().Format("2006-01-02 15:04:05"), safetext.Name(e.Method))
	if e.Target != "" {
		text += "  " + safetext.OneLine(e.Target)
	}
	if e.App != "" {
		text += "  in " + safetext.Name(e.App)
	}
	if len(e.Request) > 0 && string(e.Request) != "{}" {
		text += "  " + safetext.OneLine(truncate.Runes(string(e.Request), most))
	}
	switch {
	case e.Error != "":
		text += "  failed: " + safetext.OneLine(e.Error)
	case e.Redacted:
		text += "  (parts are left out: it can't be replayed)"
	}
	return text
}

// replay asks the user and then performs the actions.
func (f *flags) replay(cmd *cobra.Command, data string, entries []journal.Entry, p adding.Prompter) error {
	list, err := replay.Choose(entries)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errors.New("the record has no action with an effect")
	}
	print(cmd.OutOrStdout(), list, whole)
	if !f.yes {
		if p == nil {
			return errors.New("goated can't ask you here, so it performed nothing. Use --yes to perform these actions")
		}
		if a := p.Says(cmd.Context(), "They run on your desktop as you, and can do what you can do there.", fmt.Sprintf("Perform these %d actions? [y/N] ", len(list))); a != "y" && a != "yes" {
			return nil
		}
	}
	o := servers.Options{Data: data}
	for name, on := range map[string]bool{servers.Scripting: f.scripting, servers.Hidden: f.hidden} {
		if on {
			o.On = append(o.On, name)
		}
	}
	n, err := servers.ReplayDesktop(cmd.Context(), o, replay.Options{
		Entries: list,
		Ask:     func(ctx context.Context, e journal.Entry) error { return each(ctx, e, p) },
		Done:    func(e journal.Entry) { fmt.Fprintf(cmd.ErrOrStderr(), "%5d  done\n", e.Seq) },
	})
	if err != nil {
		return fmt.Errorf("%d of %d actions were performed: %w", n, len(list), err)
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "All %d actions ran again with the same results.\n", n)
	return nil
}

// each asks about one action that the user has to confirm every time.
func each(ctx context.Context, e journal.Entry, p adding.Prompter) error {
	if p == nil {
		return errors.New("you have to agree to it each time, and goated can't ask you here")
	}
	if a := p.Says(ctx, line(e, whole), "Perform it? [y/N] "); a != "y" && a != "yes" {
		return errors.New("you did not agree to it")
	}
	return nil
}
