// Package installcmd contains the command "goated install", which installs the programs with which
// READMEs start servers. It must not know servers or the window.
package installcmd

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"goated/internal/programs"
)

// New returns the command. folder returns where to install programs when the command runs.
func New(folder func() *programs.Folder) *cobra.Command {
	var names, titles []string
	for _, p := range programs.Products() {
		names, titles = append(names, p.Name), append(titles, fmt.Sprintf("  %-6s %s with %s, from %s", p.Name, p.Title, strings.Join(p.Commands, ", "), p.From))
	}
	return &cobra.Command{
		Use:   "install PROGRAM",
		Short: "Install uv or Node.js, which many servers need",
		Long: "install downloads the newest version of a program into goated's own folder and checks its hash. Servers use\n" +
			"it if this computer has no other copy. It changes nothing else. Run it again to update the program.\n\n" + strings.Join(titles, "\n"),
		Example:   "  goated install uv     # for servers that start with uvx\n  goated install node   # for servers that start with npx",
		ValidArgs: names,
		Args: func(_ *cobra.Command, args []string) error {
			if len(names) == 0 {
				return errors.New("goated can't install programs on this system: use its package manager")
			}
			if len(args) != 1 {
				return fmt.Errorf("name one program: %s", strings.Join(names, " or "))
			}
			if _, ok := programs.Of(args[0]); !ok {
				return fmt.Errorf("goated can't install %q: it installs %s", args[0], strings.Join(names, " and "))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			p, _ := programs.Of(args[0])
			w := cmd.ErrOrStderr()
			fmt.Fprintf(w, "Downloading %s from %s.\n", p.Title, p.From)
			done, err := folder().Install(cmd.Context(), p, nil)
			if err != nil {
				return err
			}
			fmt.Fprintf(w, "%s %s is in %s. Servers that need %s start with it.\n", done.Title, done.Version, done.Dir, strings.Join(p.Commands, " or "))
			return nil
		},
	}
}
