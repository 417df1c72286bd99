package main

import (
	"errors"

	"github.com/spf13/cobra"

	"goated/internal/chatcmd"
	"goated/internal/models"
	"goated/internal/terminal"
)

func modelsCommand(o *options) *cobra.Command {
	return &cobra.Command{
		Use:   "models",
		Short: "List the models that can answer; * marks the one in use",
		Long: "models lists Gemini's models of your key, those of the services in your settings, and those of Ollama, LM Studio,\n" +
			"llama.cpp and vLLM on this computer, with the size of their context and their price in USD per million tokens in and out.",
		Example: "  goated models\n" +
			"  goated chat --model gemini-3.1-pro-preview\n" +
			"  goated models --endpoint http://localhost:11434/v1",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := o.open(nil, nil, anyKey(cmd.Context()))
			if err != nil {
				return err
			}
			defer a.close()
			chosen := a.chosen()
			var groups []models.Group
			if a.key != "" && o.endpoint == "" {
				groups = append(groups, a.source.Gemini(cmd.Context(), a.settings))
			}
			groups = append(groups, a.source.Found(cmd.Context(), a.settings)...)
			if len(groups) == 0 {
				return errors.New("no Gemini key is set, and no service on this computer answers: set GEMINI_API_KEY, run \"goated key set\", or start Ollama or LM Studio")
			}
			return chatcmd.PrintModels(terminal.Plain{To: cmd.OutOrStdout()}, groups, chosen, o.endpoint)
		},
	}
}
