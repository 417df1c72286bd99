package serverflags

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goated/internal/shellword"
	"goated/registry"
)

// instead suggests how to write arguments that a command does not accept: a server, or the
// arguments of a tool. It returns "" for others. The suggestion is quoted for the user's shell.
func instead(path string, args []string) string {
	switch last := args[max(len(args)-1, 0):]; {
	case len(last) == 0:
		return ""
	case slices.ContainsFunc([]string{".py", ".js", ".go"}, func(end string) bool { return strings.HasSuffix(args[0], end) }) || strings.Contains(args[0], "://"):
		return "write a server like this: " + withServer(path, args[0], args[1:])
	case strings.HasSuffix(path, " call") && strings.HasPrefix(last[0], "{"):
		return fmt.Sprintf("write the arguments of the tool like this: %s %s --args %s", path, shellword.Quote(args[0]), shellword.Quote(strings.Join(args[1:], " ")))
	case strings.HasSuffix(path, " call") && strings.Contains(last[0], "="):
		return fmt.Sprintf("write the arguments of the tool like this: %s %s --args '{\"text\": \"hi\"}', or --arg %s", path, shellword.Quote(args[0]), shellword.Quote(last[0]))
	case strings.HasSuffix(path, " chat"):
		return fmt.Sprintf("write the message like this: %s -p %s", path, shellword.Quote(strings.Join(args, " ")))
	}
	return ""
}

// withServer returns the command with a server that stood before its other arguments.
func withServer(path, server string, rest []string) string {
	flag := " --server " + shellword.Quote(server)
	switch {
	case strings.HasSuffix(path, " chat") && len(rest) > 0:
		return path + flag + " -p " + shellword.Quote(strings.Join(rest, " "))
	case !strings.HasSuffix(path, " call"):
		return path + flag
	case len(rest) == 0:
		return path + " TOOL" + flag
	}
	out := path + " " + shellword.Quote(rest[0]) + flag
	for _, w := range rest[1:] {
		if strings.HasPrefix(w, "{") {
			out += " --args " + shellword.Quote(w)
		} else if strings.Contains(w, "=") {
			out += " --arg " + shellword.Quote(w)
		}
	}
	return out
}

// misspelt adds to the error for an unknown flag the name that the user may mean.
func misspelt(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	if !errors.As(err, &unknown) {
		return err
	}
	name, best, least := unknown.GetSpecifiedName(), "", 3
	if len(name) < 3 {
		return err
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if d := registry.Distance(name, f.Name); d < least && !f.Hidden {
			best, least = f.Name, d
		}
	})
	if best == "" {
		return fmt.Errorf("%w. \"%s --help\" lists the flags", err, cmd.CommandPath())
	}
	return fmt.Errorf("%w. Did you mean --%s?", err, best)
}

// nearest returns the subcommand of cmd that is most similar to a misspelt word, or "" if none is
// similar.
func nearest(cmd *cobra.Command, word string) string {
	best, least := "", min(3, len(word)) // a short word is similar to every short name
	for _, sub := range cmd.Commands() {
		if d := registry.Distance(word, sub.Name()); d < least && sub.IsAvailableCommand() {
			best, least = sub.Name(), d
		}
	}
	return best
}

// ExplainUsage makes the errors for wrong arguments and flags suggest the right usage.
func ExplainUsage(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(misspelt)
	if check := cmd.Args; check != nil {
		cmd.Args = func(cmd *cobra.Command, args []string) error {
			path := cmd.CommandPath()
			switch err := check(cmd, args); {
			case err == nil:
				return nil
			case cmd.HasSubCommands() && len(args) > 0:
				if hint := instead(path, args); hint != "" {
					return errors.New(hint)
				}
				if near := nearest(cmd, args[0]); near != "" {
					return fmt.Errorf("goated has no command \"%s %s\". Did you mean \"%s %s\"?", path, args[0], path, near)
				}
				return fmt.Errorf("goated has no command \"%s %s\". \"%s --help\" lists them", path, args[0], path)
			}
			if hint := instead(path, args); hint != "" {
				return errors.New(hint)
			}
			return fmt.Errorf("write it like this: %s. \"%s --help\" says more", strings.TrimSuffix(cmd.UseLine(), " [flags]"), path)
		}
	}
	for _, sub := range cmd.Commands() {
		ExplainUsage(sub)
	}
}
