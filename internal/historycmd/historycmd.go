// Package historycmd contains the command "goated history", which lists, makes and restores backups
// of the saved conversations. It must not know the window.
package historycmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"goated/internal/store"
)

// New returns the command. file returns the path of the history when the command runs.
func New(file func() string) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "history",
		Short: "Back up and restore the saved conversations",
		Long: "history lists the backups of the saved conversations. goated makes one a day and keeps seven.\n" +
			"goated keeps the backups beside the history, and checks each one when it makes it.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := store.Backups(file())
			if len(all) == 0 {
				fmt.Fprintln(cmd.ErrOrStderr(), "There is no backup yet. \"goated history backup\" makes one.")
			}
			for _, path := range all {
				fmt.Fprintln(cmd.OutOrStdout(), path)
			}
			return nil
		},
	}
	backup := &cobra.Command{
		Use:   "backup",
		Short: "Make today's backup",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := store.Open(cmd.Context(), file())
			if err != nil {
				return err
			}
			path, err := s.Backup(cmd.Context())
			switch {
			case err != nil:
			case path == "":
				fmt.Fprintln(cmd.ErrOrStderr(), "There is nothing to do: today's backup exists, or no conversation is saved.")
			default:
				fmt.Fprintln(cmd.OutOrStdout(), path)
			}
			return errors.Join(err, s.Close())
		},
	}
	restore := &cobra.Command{
		Use:   "restore [BACKUP]",
		Short: "Replace the saved conversations with a backup",
		Long:  "restore replaces the history with a backup, by default the newest one. It keeps the replaced history in a file. Close goated first.",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = store.Backups(file())
			}
			if len(args) == 0 {
				return errors.New("there is no backup to restore")
			}
			from := args[len(args)-1]
			kept, err := store.Restore(cmd.Context(), file(), from)
			if errors.Is(err, store.ErrInUse) {
				return fmt.Errorf("close goated and try again: %w", err)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Restored %s. The replaced history is in %s.\n", from, kept)
			return nil
		},
	}
	cmd.AddCommand(backup, restore)
	return cmd
}
