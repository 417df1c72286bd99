// Package grantscmd contains the command "goated grants", which lists and revokes the tools that
// always run. It must not know the window.
package grantscmd

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"goated/internal/config"
	"goated/internal/consent"
	"goated/internal/safetext"
	"goated/internal/wording"
	"goated/ui/view"
	"goated/ui/view/question"
)

// New returns the command. file returns the path of the grants when the command runs. saved returns
// the user's servers, which have the current names of the servers in the grants.
func New(file func() string, saved func() ([]config.Launch, error)) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "grants",
		Short: "List and revoke the tools that always run",
		Long: "grants lists the tools that run without asking because you chose \"always\". A grant covers one tool of one program:\n" +
			"if the tool or the program changes, goated shows you the change and asks again.",
		Example: "  goated grants list\n" +
			"  goated grants revoke 1f3a9c20\n" +
			"  goated grants revoke --all",
		Args: cobra.NoArgs,
	}
	list := &cobra.Command{
		Use: "list", Short: "List the tools that always run", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			grants := consent.NewGrants(file(), time.Now)
			if err := grants.Damage(); err != nil {
				fmt.Fprintln(cmd.ErrOrStderr(), wording.ErrorText(err))
			}
			servers, err := saved()
			if err != nil { // then the list shows the names from the time of the grants
				fmt.Fprintln(cmd.ErrOrStderr(), wording.ErrorText(err))
			}
			for _, g := range grants.List() {
				together := ""
				if g.Reads {
					together = ", one of its read-only tools (revoke all of them with " + g.Group() + ")"
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s  %s of %s, since %s%s\n%s%s\n", g.ID(), view.DefinitionTitle(g.Tool),
					safetext.Name(g.ServerName(nil, servers)), g.At.Local().Format("2 January 2006"), together, question.Margin, safetext.OneLine(g.Start))
			}
			if len(grants.List()) == 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), "No grants. goated asks before each tool runs, except for its own read-only tools.")
			}
			return nil
		},
	}
	all := false
	revoke := &cobra.Command{
		Use: "revoke ID...", Short: "Make tools ask again before they run",
		RunE: func(cmd *cobra.Command, ids []string) error {
			grants := consent.NewGrants(file(), time.Now)
			if all == (len(ids) > 0) {
				return errors.New("write the IDs of the grants to revoke, or use --all. \"goated grants list\" prints the IDs")
			}
			var known []string // includes the IDs of groups
			for _, g := range grants.List() {
				if known = append(known, g.ID()); g.Reads {
					known = append(known, g.Group())
				}
				if all {
					ids = append(ids, g.ID())
				}
			}
			ids = slices.Compact(slices.Sorted(slices.Values(ids)))
			unknown := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return slices.Contains(known, id) })
			n, err := grants.Revoke(ids...)
			if err != nil {
				return err
			}
			if len(unknown) > 0 {
				text := "no grant has the ID " + strings.Join(unknown, " or ")
				if n > 0 {
					text += fmt.Sprintf(", so goated revoked only %d", n)
				}
				return errors.New(text + ". \"goated grants list\" prints the IDs")
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%d revoked. The next call asks you again.\n", n)
			return nil
		},
	}
	revoke.Flags().BoolVar(&all, "all", false, "revoke all grants")
	cmd.AddCommand(list, revoke)
	return cmd
}
