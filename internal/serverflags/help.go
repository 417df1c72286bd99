package serverflags

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ShortenHelp makes the help of each command omit the flags of root that have no effect there.
// Commands whose paths are in starting show all flags. The others show the flags in common, and
// those to which more maps their path. "servers add" also shows the flags of one server.
func ShortenHelp(root *cobra.Command, starting, common []string, more map[string][]string) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		path := cmd.CommandPath()
		if !slices.Contains(starting, path) {
			cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { // the program exits after the help
				_, ofServer := f.Value.(targetFlag)
				switch {
				case ofServer && path == root.Name()+" servers add":
					f.Usage = strings.ReplaceAll(f.Usage, "the --server before it", "the server")
				case !slices.Contains(common, f.Name) && !slices.Contains(more[path], f.Name):
					f.Hidden = true
				}
			})
		}
		help(cmd, args)
	})
}
