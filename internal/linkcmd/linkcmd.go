// Package linkcmd contains the commands "goated servers link" and "unlink". They show the servers
// of a configuration file that stays linked, and ask the user to allow them.
//
// It owns what the user sees before they agree, which is everything that [linked.Mark] covers. It
// must not know where links are saved, nor the host.
package linkcmd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"goated/internal/adding"
	"goated/internal/config"
	"goated/internal/linked"
	"goated/internal/safetext"
	"goated/internal/transfer"
)

// A Store reads and changes the saved links.
type Store struct {
	Links func() ([]config.Link, error)
	Save  func(ctx context.Context, l config.Link) error // replaces a link with the same path
	Drop  func(ctx context.Context, path string) error
	Ask   func(cmd *cobra.Command) adding.Prompter // may return nil if there is no user to ask
}

// Commands returns the commands "link" and "unlink".
func (s Store) Commands() []*cobra.Command {
	var yes bool
	link := &cobra.Command{
		Use:   "link [FILE]",
		Short: "Run the servers of another client's configuration file",
		Long: "link makes goated run the servers of a file such as .mcp.json, and follow changes of the file. goated never writes the file.\n" +
			"It shows the exact command, folder, variables and headers of each server first, and hides keys. A server that is new or changes later waits until you run link again.\n" +
			"Without FILE, link lists the linked files and their servers. \"goated servers unlink FILE\" stops running them.",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return s.list(cmd)
			}
			return s.link(cmd, args[0], yes)
		},
	}
	link.Flags().BoolVar(&yes, "yes", false, "allow the servers now in the file without asking")
	unlink := &cobra.Command{
		Use:   "unlink FILE",
		Short: "Stop running the servers of a linked file",
		Args:  cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			links, err := s.Links()
			if err != nil {
				return err
			}
			if !slices.ContainsFunc(links, func(l config.Link) bool { return l.Path == path }) {
				return fmt.Errorf("%s is not linked. \"goated servers link\" lists the linked files", path)
			}
			return s.Drop(cmd.Context(), path)
		},
	}
	return []*cobra.Command{link, unlink}
}

// list prints the linked files and their servers.
func (s Store) list(cmd *cobra.Command) error {
	links, err := s.Links()
	if err != nil {
		return err
	}
	if len(links) == 0 {
		fmt.Fprintln(cmd.OutOrStdout(), "No file is linked. Link one with: goated servers link FILE")
	}
	for _, l := range links {
		list, err := linked.Read(l)
		fmt.Fprintln(cmd.OutOrStdout(), l.Path)
		for _, one := range list {
			printed(cmd, "  ", l, one)
		}
		if err != nil {
			fmt.Fprintln(cmd.ErrOrStderr(), err.Error())
		}
	}
	if len(links) > 0 {
		fmt.Fprintln(cmd.OutOrStdout(), "To stop running the servers of a file: goated servers unlink FILE")
	}
	return nil
}

// printed prints everything that the user agrees to with a linked server, and whether they have
// agreed.
func printed(cmd *cobra.Command, margin string, link config.Link, one linked.Server) {
	state := "new"
	switch {
	case one.Agreed:
		state = "allowed"
	case len(link.Agreed) > 0: // perhaps only a hidden key has changed
		state = "new or changed"
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s%-8s %-20s %s\n", margin, state, safetext.Name(one.Launch.DisplayName()), adding.Line(one.Launch))
	adding.Details(out, margin+"           ", one.Launch)
}

func (s Store) link(cmd *cobra.Command, file string, yes bool) error {
	if err := transfer.CheckName(file); err != nil {
		return err
	}
	path, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	links, err := s.Links()
	if err != nil {
		return err
	}
	link := config.Link{Path: path}
	if i := slices.IndexFunc(links, func(l config.Link) bool { return l.Path == path }); i >= 0 {
		link = links[i]
	}
	list, err := linked.Read(link)
	if len(list) == 0 {
		if err == nil {
			err = fmt.Errorf("%s has no server. goated looks for them under \"mcpServers\", \"servers\" and similar keys", path)
		}
		return transfer.Advised(err)
	}
	if err != nil {
		fmt.Fprintln(cmd.ErrOrStderr(), err.Error())
	}
	fresh := 0
	for _, one := range list {
		if !one.Agreed {
			fresh++
		}
		printed(cmd, "", link, one)
	}
	if fresh > 0 && !yes {
		p := s.Ask(cmd)
		if p == nil {
			return errors.New("nothing is allowed yet. Use --yes to allow these servers")
		}
		if a := p.Says(cmd.Context(), "Each of these runs as a program on your computer, in goated's sandbox, or is a server elsewhere.", "Allow the new ones? [y/N] "); a != "y" && a != "yes" {
			return nil
		}
	}
	link.Agreed = nil
	for _, one := range list {
		link.Agreed = append(link.Agreed, one.Mark)
	}
	return s.Save(cmd.Context(), link)
}
