package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"goated/agent"
)

func modelsCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "models",
		Short: "List the models of your key; * marks the one in use",
		Example: "  goated models\n" +
			"  goated chat --model gemini-pro-latest",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, warning := o.loadSettings()
			if warning != nil {
				fmt.Fprintln(cmd.ErrOrStderr(), "goated: "+warning.Error())
			}
			key, _ := findKey(cmd.Context())
			if key == "" {
				return errors.New("no Gemini key is set: set GEMINI_API_KEY, or run \"goated key set\"")
			}
			g, err := agent.NewGemini(cmd.Context(), agent.GeminiOptions{Key: key, Model: first(o.model, s.Model)})
			if err != nil {
				return err
			}
			names, err := g.Models(cmd.Context())
			if err != nil {
				return err
			}
			for _, n := range names {
				mark := " "
				if n == g.Name() {
					mark = "*"
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", mark, n)
			}
			return nil
		},
	}
}
