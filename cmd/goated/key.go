package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"goated/internal/modelkey"
	"goated/internal/terminal"
)

func keyCommand(*options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Store the Gemini key in the system's keyring",
		Example: "  goated key set\n" +
			"  goated key clear",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, from := findKey(cmd.Context()); from != "" {
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "A key is set (from %s).\n", from)
				return err
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "No key is set. Run \"goated key set\", or set GEMINI_API_KEY.")
			return err
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:     "set",
		Short:   "Ask for the key and store it, without showing it",
		Example: "  goated key set\n  goated key set < key.txt",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			key, err := terminal.NewReader(cmd.ErrOrStderr()).Secret(cmd.Context(), "Gemini API key: ")
			if err != nil && !errors.Is(err, io.EOF) {
				return fmt.Errorf("reading the key: %w", err)
			}
			if key = modelkey.CleanKey(key); key == "" {
				return errors.New("no key was entered; nothing changed")
			}
			if err := saveKey(key); err != nil {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), "The key is stored.")
			if _, from := modelkey.EnvironmentKey(); from != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "goated uses the one in %s until you unset that.\n", from)
			}
			return nil
		},
	}, &cobra.Command{
		Use:     "clear",
		Short:   "Delete the stored key",
		Example: "  goated key clear",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return deleteKey() },
	})
	return cmd
}
