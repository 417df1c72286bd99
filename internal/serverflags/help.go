package serverflags

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ShortenHelp makes the help of each command leave out the flags of root that do nothing there. The
// commands that start servers have all flags, and the others those of common. Beside these, more
// names the flags of a command by its path, and "servers add" has those of one server.
func ShortenHelp(root *cobra.Command, starting, common []string, more map[string][]string) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		path := cmd.CommandPath()
		if !slices.Contains(starting, path) {
			cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { // the program ends after its help
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
