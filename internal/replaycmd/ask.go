package replaycmd

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"goated/agent"
	"goated/internal/replay"
	"goated/internal/safetext"
	"goated/internal/store"
	"goated/internal/wording"
)

// again asks the current model at each place where the recorded model answered, and prints the
// differences.
func (f *flags) again(cmd *cobra.Command, ask Ask, chosen []store.Recording) error {
	var failed error
	err := ask(cmd, func(model agent.Model, session func() *agent.Session) {
		same, words, differ := 0, 0, 0
		for _, r := range chosen {
			fmt.Fprintf(cmd.OutOrStdout(), "# %s\n", safetext.OneLine(r.Title))
			for i, s := range replay.Steps(r.Turns) {
				a, err := s.Ask(cmd.Context(), session(), model)
				if err != nil {
					failed = fmt.Errorf("asking the model for answer %d of %q: %s", i+1, safetext.OneLine(r.Title), wording.ErrorText(err))
					return
				}
				mark, more := "same", ""
				switch {
				case a.Differs != "":
					differ++
					mark, more = "differs", a.Differs
				case a.Words != "":
					words++
					mark, more = "words", a.Words
				default:
					same++
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%-7s  answer %d\n", mark, i+1)
				if more != "" {
					fmt.Fprintf(cmd.OutOrStdout(), "         %s\n", safetext.OneLine(more))
				}
			}
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%d same, %d in other words, %d differ.\n", same, words, differ)
		if differ > 0 {
			failed = ErrDiffers
		}
	})
	return errors.Join(failed, err)
}
