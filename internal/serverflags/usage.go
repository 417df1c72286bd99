package serverflags

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

// ExplainUsage makes the errors of wrong arguments say what is right.
func ExplainUsage(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			path := cmd.CommandPath()
			switch err := check(cmd, args); {
			case err == nil:
				return nil
			case cmd.HasSubCommands() && len(args) > 0:
				return fmt.Errorf("goated has no command \"%s %s\". \"%s --help\" lists them", path, args[0], path)
			}
			return fmt.Errorf("write it like this: %s. \"%s --help\" says more", strings.TrimSuffix(cmd.UseLine(), " [flags]"), path)
		}
	}
	for _, sub := range cmd.Commands() {
		ExplainUsage(sub)
	}
}
