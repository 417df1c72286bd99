package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"goated/internal/adding"
	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/linkcmd"
	"goated/internal/linked"
	"goated/internal/terminal"
	"goated/internal/transfer"
	"goated/ui/view"
)

func importCommand(o *options) *cobra.Command {
	var from, file string
	var all bool
	var known []string
	for _, a := range transfer.Apps() {
		known = append(known, a.ID)
	}
	cmd := &cobra.Command{
		Use:   "import [NAME...]",
		Short: "Import the servers of other MCP clients",
		Long: "import finds the configuration files of other MCP clients in your home and working directory, and shows the exact command of each server.\n" +
			"Name the servers to save, or choose them when goated asks. goated stores keys in the system's keyring. It starts only the servers that you choose, and never changes the files.",
		Example: "  goated servers import\n" +
			"  goated servers import --from claude-desktop --all\n" +
			"  goated servers import --file ./team.json github",
		RunE: func(cmd *cobra.Command, args []string) error {
			if from != "" && !slices.Contains(known, from) {
				return fmt.Errorf("goated does not know the client %q. Choose one of: %s", from, strings.Join(known, ", "))
			}
			if file != "" && from != "" {
				return errors.New("use --file or --from, not both")
			}
			if all && len(args) > 0 {
				return errors.New("use --all or names, not both")
			}
			return o.importServers(cmd, from, file, all, args)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "import only from this client: "+strings.Join(known, ", "))
	cmd.Flags().StringVar(&file, "file", "", "import only from this file")
	cmd.Flags().BoolVar(&all, "all", false, "save all servers that are not saved yet")
	_ = cmd.RegisterFlagCompletionFunc("from", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return known, cobra.ShellCompDirectiveNoFileComp
	})
	return cmd
}

func (o *options) importServers(cmd *cobra.Command, from, file string, all bool, names []string) error {
	s, warning := o.loadSettings()
	if warning != nil {
		return warning // saving would lose the parts that cannot be read
	}
	out, aside := cmd.OutOrStdout(), cmd.ErrOrStderr()
	dir, _ := os.Getwd()
	files := transfer.Files(transfer.Here(dir))
	if file != "" {
		if err := transfer.CheckName(file); err != nil {
			return err
		}
		path, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		files = []transfer.File{transfer.FileAt(path)}
		if read := transfer.Read(files[0], launch.Here(nil)); read.Err != nil && len(read.Servers) == 0 {
			return transfer.Advised(read.Err)
		} else if read.Empty {
			return transfer.Advised(transfer.FaultOf(path, transfer.ErrEmpty))
		} else if len(read.Servers) == 0 {
			return fmt.Errorf("goated found no server to import in %s. It looks for them under \"mcpServers\", \"servers\" and similar keys", file)
		}
	}
	files = slices.DeleteFunc(files, func(f transfer.File) bool { return from != "" && f.App.ID != from })
	t := adding.Terminal{Out: out, Aside: aside, Prompter: terminalPrompter(aside)}
	list := t.Importables(files, s.Launch)
	switch {
	case len(list) == 0 && file != "":
		return fmt.Errorf("goated found no server to import in %s", file)
	case len(list) == 0:
		fmt.Fprintln(out, "goated found no servers of other clients.")
		return nil
	}
	chosen, err := t.Choose(cmd.Context(), list, all, names)
	if err != nil || len(chosen) == 0 {
		return err
	}
	secrets := config.NewSecrets(o.settingsKeyring())
	added := t.Adopted(cmd.Context(), secrets, chosen, s)
	if err := o.change(cmd.Context(), edit{Add: added}); err != nil {
		return err
	}
	for i, l := range added {
		fmt.Fprintf(out, "added %s of %s: %s\n", l.Name, chosen[i].File.App.Name, adding.Line(l))
	}
	return nil
}

// links returns the store of the linked files.
func (o *options) links() linkcmd.Store {
	return linkcmd.Store{
		Links: func() ([]config.Link, error) {
			s, warning := o.loadSettings()
			return s.Linked, warning
		},
		Save: func(ctx context.Context, l config.Link) error { return o.change(ctx, edit{Link: &l}) },
		Drop: func(ctx context.Context, path string) error { return o.change(ctx, edit{Drop: path}) },
		Ask:  func(cmd *cobra.Command) adding.Prompter { return terminalPrompter(cmd.ErrOrStderr()) },
	}
}

// follower returns a follower of the linked files that prints its messages to w.
func (a *app) follower(w io.Writer) *linked.Follower {
	return &linked.Follower{Host: a.host, Settings: a.loadSettings, File: a.settingsFile(), Tell: func(text string) { fmt.Fprintln(w, text) }}
}

func exportCommand(o *options) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "export [FILE]",
		Short: "Write the saved servers in the format of other MCP clients",
		Long: "export prints the servers as mcpServers, the format of Claude Desktop, Cursor and many others, or writes them to a new file.\n" +
			"It replaces text that looks like a secret with the name of a variable, such as ${API_KEY}. It can't know every secret: read the file before you share it.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, warning := o.loadSettings()
			if warning != nil {
				return warning
			}
			text, err := transfer.Export(s.Launch)
			if err != nil {
				return err
			}
			if len(args) == 0 {
				_, err = terminal.Faithful{To: cmd.OutOrStdout()}.Write(text)
				return err
			}
			if err := transfer.Write(args[0], text, force); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "wrote %s to %s\n", view.ServerCount(len(s.Launch)), args[0])
			return nil
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "replace the file")
	return cmd
}
