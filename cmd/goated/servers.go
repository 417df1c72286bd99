package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goated/internal/adding"
	"goated/internal/config"
	"goated/internal/install"
	"goated/internal/launch"
	"goated/internal/linked"
	"goated/internal/serverflags"
	"goated/internal/serverlist"
	"goated/internal/shellword"
	"goated/internal/terminal"
	"goated/internal/wording"
	"goated/ui/view"
)

func serversCommand(o *options) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "servers",
		Short: "List, add and remove the saved servers",
		Long: "servers manages the servers that goated starts in the window, in the terminal chat and for other commands.\n" +
			"It starts none of them. An open goated window follows each change.",
		Example: "  goated servers add npx -y @modelcontextprotocol/server-filesystem ~/Documents\n" +
			"  goated servers add --name work --env GITHUB_TOKEN -- docker run -i --rm -e GITHUB_TOKEN ghcr.io/github/github-mcp-server\n" +
			"  goated servers list\n" +
			"  goated servers disable filesystem",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.listServers(cmd.OutOrStdout(), cmd.ErrOrStderr(), false)
		},
	}
	cmd.AddCommand(listServersCommand(o), addServerCommand(o), showServerCommand(o), importCommand(o), exportCommand(o), searchCommand(o),
		editServerCommand(o, "remove", "Remove a saved server", "removed %s"),
		editServerCommand(o, "enable", "Let goated start a server again", "%s starts with goated from now on"),
		editServerCommand(o, "disable", "Keep a server, but do not start it", "%s does not start with goated any more"),
		editServerCommand(o, "signout", "Forget the sign-in to a server with a URL", "signed out of %s"),
		editServerCommand(o, "restart", "Restart a server of the open window", "%s restarts"),
		serverToolsCommand(o), switchToolCommand(o))
	cmd.AddCommand(o.links().Commands()...)
	return cmd
}

func listServersCommand(o *options) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "list", Short: "List the saved servers and goated's own", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error {
		return o.listServers(cmd.OutOrStdout(), cmd.ErrOrStderr(), asJSON)
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array")
	return cmd
}

func (o *options) listServers(w, aside io.Writer, asJSON bool) error {
	s, warning := o.loadSettings()
	if warning != nil {
		return warning
	}
	list := []serverlist.Server{}
	for _, l := range s.Launch {
		list = append(list, serverlist.Of(l))
	}
	fromFiles, err := linked.All(s.Linked)
	if err != nil {
		fmt.Fprintln(aside, err.Error())
	}
	for _, f := range fromFiles {
		one := serverlist.Of(f.Launch)
		one.On, one.File = f.Agreed, f.File
		list = append(list, one)
	}
	for _, b := range ownServers() {
		list = append(list, serverlist.Server{Name: b.Name, On: s.StartsBundled(b), Bundled: true})
	}
	if asJSON {
		return serverlist.JSON(terminal.Faithful{To: w}, list)
	}
	serverlist.Print(w, list)
	return nil
}

// savedServers returns the saved servers and those of linked files. If only some can be read, it
// returns them with an error.
func savedServers(o *options) ([]config.Launch, error) {
	s, warning := o.loadSettings()
	saved := slices.Clone(s.Launch)
	fromFiles, err := linked.All(s.Linked)
	for _, f := range fromFiles {
		saved = append(saved, f.Launch)
	}
	return saved, errors.Join(warning, err)
}

func addServerCommand(o *options) *cobra.Command {
	var name string
	var off bool
	cmd := &cobra.Command{
		Use:   "add TEXT...",
		Short: "Save a server that goated starts from now on",
		Long: "add understands what a README says: a command, a URL, the path of a script or a folder, a .mcpb file, or JSON.\n" +
			"It also installs a server from the MCP registry by name. goated then asks for the values that the server needs.\n" +
			"Write the flags of goated, such as --env and --allow-host, in front of a command. You can also write them after a URL.",
		Example: "  goated servers add uvx mcp-server-time\n" +
			"  goated servers add https://mcp.example.org/mcp\n" +
			"  goated servers add io.github.user/weather\n" +
			"  goated servers add '{\"mcpServers\": {…}}'",
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			args, err := serverflags.ParseAfterURL(cmd, args)
			if err != nil {
				return err
			}
			if cmd.ArgsLenAtDash() < 0 && serverflags.WantsHelp(args[1:]) {
				return pflag.ErrHelp
			}
			text := args[0]
			if flag := serverflags.Misplaced(args[1:]); flag != "" && cmd.ArgsLenAtDash() < 0 {
				return fmt.Errorf("%s after the command goes to the server. Write it first: goated servers add %[1]s …. If the server needs it, write -- before the command", flag)
			}
			if flag := serverflags.Doubtful(args); flag != "" && cmd.ArgsLenAtDash() < 0 {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s after the command goes to the server. If it is for goated, write it first: goated servers add %[1]s …\n", flag)
			}
			if len(args) > 1 {
				text = config.Quoted(args)
			}
			return o.addServers(cmd, text, name, off)
		},
	}
	cmd.Flags().SetInterspersed(false) // the server's own flags are not goated's
	cmd.Flags().StringVar(&name, "name", "", "save the server under this name")
	cmd.Flags().BoolVar(&off, "off", false, "save it, but do not start it")
	return cmd
}

// addServers saves the servers in a text.
func (o *options) addServers(cmd *cobra.Command, text, name string, off bool) error {
	if err := o.given.Check(); err != nil {
		return err
	}
	flags := &serverflags.Target{Text: text}
	given := o.given.Servers()
	switch {
	case len(given) == 1 && given[0].Text == "":
		flags = given[0]
	case len(given) > 0:
		return errors.New("write the command or the address of the server after \"servers add\", without --server")
	}
	s, warning := o.loadSettings()
	if warning != nil {
		return warning // saving would lose the parts that cannot be read
	}
	if name != "" {
		if taken, bundled, err := o.savedCalled(s, name); err == nil {
			return adding.NameTakenError(taken, bundled)
		}
	}
	if install.IsSource(text) {
		return o.installServer(cmd, text, name, flags, off)
	}
	reading, err := launch.Understand(text, launch.Here(install.LookPath(o.dataDir())))
	if err != nil {
		return err
	}
	if len(reading.Servers) > 1 && (name != "" || len(flags.Flags) > 0) {
		return fmt.Errorf("this text has %d servers: --name and the flags of a server need one", len(reading.Servers))
	}
	a := &app{options: o, settings: s}
	p := terminal.NewPrompter(terminal.NewReader(cmd.ErrOrStderr()))
	var added []config.Launch
	var understood []launch.Server // the launch.Server of each element of added
	for _, server := range reading.Servers {
		if server.Kind == launch.Bundle {
			return o.installServer(cmd, server.Path, name, flags, off)
		}
		if own, ok := launch.Own(server.Command, server.Args); ok {
			return adding.BundledError(own)
		}
		if twin, ok := config.FindDuplicate(s, config.FromText(server), server.Named); ok && name == "" && len(flags.Flags) == 0 {
			if len(reading.Servers) == 1 {
				return adding.Saved(twin)
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "%s is already saved as %s.\n", config.FromText(server).DisplayName(), twin)
			continue
		}
		server.Name, server.Named = config.UnusedName(cmp.Or(name, config.FromText(server).DisplayName()), s.ServerNames(added)), true
		one := asked{Server: server, Launch: config.FromText(server), inputs: reading.Inputs}
		if err := a.complete(cmd.Context(), cmd.ErrOrStderr(), p, flags, &one); err != nil {
			return err
		}
		l := adding.Terminal{Aside: cmd.ErrOrStderr()}.Waiting(one.Launch, server)
		l.Off = l.Off || off
		l.Allowed = one.config.Grant.Permissions()
		added, understood = append(added, l), append(understood, server)
	}
	if len(added) == 0 {
		return nil
	}
	secrets := config.NewSecrets(o.settingsKeyring())
	for i, l := range added {
		if secrets.Persistent() {
			l = l.WithoutSecrets()
		} else {
			adding.Terminal{Aside: cmd.ErrOrStderr()}.InTheClear(l)
		}
		for _, list := range []*[]config.Variable{&l.Env, &l.Headers} {
			kept, err := secrets.Put(*list, nil)
			if err != nil {
				return fmt.Errorf("the keys of %s can't be kept in the system's keyring: %w. Add it without them, and pass them at each start: --server %s%s", l.Name, err, shellword.Quote(l.Name), adding.PassFlags(added[i]))
			}
			*list = kept
		}
		added[i] = l
	}
	if err := o.change(cmd.Context(), edit{Add: added}); err != nil {
		return err
	}
	for i, l := range added {
		fmt.Fprintf(cmd.OutOrStdout(), "added %s: %s, %s\n", l.Name, strings.ToLower(wording.ServerTitle(understood[i])), adding.Line(l))
		for _, p := range l.Allowed {
			fmt.Fprintf(cmd.OutOrStdout(), "  allowed: %s\n", view.PermissionName(p))
		}
	}
	return nil
}

// settingsKeyring returns the keyring for the values of saved variables, or nil if there is none.
func (o *options) settingsKeyring() *config.Keyring {
	if !sessionBus() {
		return nil
	}
	return serverSecrets(nil)
}

// editServerCommand returns a command that changes a saved server by its name.
func editServerCommand(o *options, verb, short, done string) *cobra.Command {
	return &cobra.Command{
		Use:   verb + " NAME",
		Short: short,
		Args:  cobra.ExactArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			s, _ := o.loadSettings()
			return s.ServerNames(nil), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, warning := o.loadSettings()
			if warning != nil {
				return warning
			}
			name, bundled, err := o.savedCalled(s, args[0])
			if err != nil {
				return err
			}
			if l, _ := savedAs(s.Launch, name); verb == "signout" && l.URL == "" {
				return fmt.Errorf("goated signs in only to servers with a URL, and %s has none", name)
			}
			if bundled && verb == "remove" {
				return fmt.Errorf("the server %s comes with goated and can't be removed. To keep it from starting, use: goated servers disable %s", name, name)
			}
			e := edit{Verb: verb, Name: name}
			if l, ok := savedAs(s.Launch, name); ok && verb == "enable" {
				t := adding.Terminal{Aside: cmd.ErrOrStderr(), Prompter: terminalPrompter(cmd.ErrOrStderr())}
				if e.Dirs, err = t.Enter(cmd.Context(), config.NewSecrets(o.settingsKeyring()), l); err != nil {
					return err
				}
			}
			if err := o.change(cmd.Context(), e); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), done+"\n", name)
			if gone, ok := savedAs(s.Launch, name); ok && verb == "remove" {
				now, _ := o.loadSettings()
				return o.installer().Prune(cmd.Context(), gone, now)
			}
			return nil
		},
	}
}

// savedCalled finds a saved or bundled server by its name.
func (o *options) savedCalled(s config.Settings, name string) (string, bool, error) {
	if l, ok := savedAs(s.Launch, name); ok {
		return l.DisplayName(), false, nil
	}
	for _, b := range ownServers() {
		if strings.EqualFold(b.Name, name) {
			return b.Name, true, nil
		}
	}
	if f, ok := linked.Called(s.Linked, name); ok {
		return "", false, &linked.FixedError{Server: f}
	}
	all := s.ServerNames(nil)
	if len(all) == 0 {
		return "", false, fmt.Errorf("no server %q is saved. Add one with: goated servers add …", name)
	}
	return "", false, fmt.Errorf("no server %q is saved. The saved servers are %s", name, strings.Join(all, ", "))
}

func showServerCommand(o *options) *cobra.Command {
	return &cobra.Command{Use: "show NAME", Short: "Show how a saved server runs and what it may do", Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
		s, warning := o.loadSettings()
		if warning != nil {
			return warning
		}
		out := cmd.OutOrStdout()
		name, bundled, err := o.savedCalled(s, args[0])
		if fixed, ok := errors.AsType[*linked.FixedError](err); ok {
			fixed.Server.Launch.Off = !fixed.Server.Agreed
			serverlist.Show(out, fixed.Server.Launch)
			fmt.Fprintf(out, "  %-12s %s\n", "file", fixed.Server.File)
			return nil
		}
		if err != nil {
			return err
		}
		if bundled {
			fmt.Fprintf(out, "%s\n  comes with goated\n", name)
			return nil
		}
		l, _ := savedAs(s.Launch, name)
		serverlist.Show(out, l)
		return nil
	}}
}
