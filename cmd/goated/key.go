package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

func keyCommand(*options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "key",
		Short: "Keep the Gemini key in the system's keyring",
		Example: "  goated key set\n" +
			"  goated key clear",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, from := findKey(cmd.Context()); from != "" {
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "There is a key, from %s.\n", from)
				return err
			}
			_, err := fmt.Fprintln(cmd.OutOrStdout(), "There is no key. Set one with \"goated key set\", or in GEMINI_API_KEY.")
			return err
		},
	}
	cmd.AddCommand(&cobra.Command{
		Use:     "set",
		Short:   "Ask for the key and keep it; it is not shown",
		Example: "  goated key set\n  goated key set < key.txt",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			key, err := newTerminal(cmd.ErrOrStderr()).secret("Gemini API key: ")
			if err != nil {
				return fmt.Errorf("reading the key: %w", err)
			}
			if key = strings.TrimSpace(key); key == "" {
				return errors.New("no key was given; nothing has changed")
			}
			return saveKey(key)
		},
	}, &cobra.Command{
		Use:     "clear",
		Short:   "Forget the key",
		Example: "  goated key clear",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return deleteKey() },
	})
	return cmd
}
