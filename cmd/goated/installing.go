package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"goated/internal/adding"
	"goated/internal/config"
	"goated/internal/install"
	"goated/internal/safetext"
	"goated/internal/serverflags"
	"goated/internal/terminal"
)

// installer returns an installer that uses the data folder. GOATED_REGISTRY can name another
// registry than the official one, for example a company's.
func (o *options) installer() install.Installer {
	return install.New(o.dataDir(), os.Getenv("GOATED_REGISTRY"), runtime.GOOS)
}

func searchCommand(o *options) *cobra.Command {
	var limit int
	cmd := &cobra.Command{
		Use:   "search WORDS...",
		Short: "Search the MCP registry",
		Long: "search finds servers in the official MCP registry by their names and descriptions.\n" +
			"\"goated servers add NAME\" installs one of them.",
		Example: "  goated servers search github\n" +
			"  goated servers add io.github.github/github-mcp-server",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			r, err := o.installer().Catalog.Search(cmd.Context(), strings.Join(args, " "), limit)
			if err != nil {
				return err
			}
			adding.Terminal{Out: cmd.OutOrStdout()}.Results(r)
			return nil
		},
	}
	cmd.Flags().IntVar(&limit, "limit", 20, "show at most this many")
	return cmd
}

// installServer installs and saves a server of the registry, or a bundle at a path. flags contains
// values as NAME=value, and whether goated may install without asking.
func (o *options) installServer(cmd *cobra.Command, text, name string, flags *serverflags.Target, off bool) error {
	s, warning := o.loadSettings()
	if warning != nil {
		return warning
	}
	ctx, out, aside := cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr()
	in := o.installer()
	choice, err := in.Prepare(ctx, text)
	if err != nil {
		return err
	}
	defer choice.Close()
	fmt.Fprintf(aside, "%s: %s\n", safetext.Name(choice.Name), safetext.Cut(choice.Label, 300))
	t := adding.Terminal{Out: out, Aside: aside, Prompter: terminalPrompter(aside)}
	if err := t.AgreesToBundle(ctx, choice.Unseen, flags.Installs()); err != nil {
		return err
	}
	values, err := t.Inputs(ctx, choice.Inputs, flags.Env)
	if err != nil {
		return err
	}
	l, err := in.Install(ctx, choice, values)
	if err != nil {
		return err
	}
	was, now, updates := in.Updates(l, s.Launch)
	if updates = updates && (name == "" || strings.EqualFold(name, was.DisplayName())); updates {
		l = t.Keep(config.NewSecrets(o.settingsKeyring()), now)
		l.Off = l.Off || off
		if err := o.change(ctx, edit{Add: []config.Launch{l}, Over: was}); err != nil {
			return err
		}
		fmt.Fprintf(out, "updated %s: %s\n", l.DisplayName(), adding.Line(l))
		return nil
	}
	if twin, ok := config.FindDuplicate(s, l, false); ok && name == "" {
		return adding.Saved(twin)
	}
	if other, ok := install.OtherVersion(l, s.Launch); ok && name == "" {
		return adding.OtherSaved(other)
	}
	l = t.Keep(config.NewSecrets(o.settingsKeyring()), l)
	l.Off = off
	l.Name = config.UnusedName(cmp.Or(name, l.DisplayName()), s.ServerNames(nil))
	if err := o.change(ctx, edit{Add: []config.Launch{l}}); err != nil {
		return err
	}
	fmt.Fprintf(out, "added %s: %s\n", l.Name, adding.Line(l))
	return nil
}

// terminalPrompter returns the prompter of the terminal, or nil if there is no terminal.
func terminalPrompter(w io.Writer) adding.Prompter {
	if !terminal.Interactive() {
		return nil
	}
	return adder{terminal.NewPrompter(terminal.NewReader(w))}
}

// An adder asks the questions of package adding in the terminal.
type adder struct{ *terminal.Prompter }

func (a adder) Says(ctx context.Context, about, question string) string {
	return a.Prompter.Says(ctx, about, question, func() {})
}

func (a adder) Line(ctx context.Context, prompt string) (string, error) {
	free, err := a.Take(ctx)
	if err != nil {
		return "", err
	}
	defer free()
	return a.Reader.Line(ctx, prompt)
}
