// Package serverflags parses the command-line flags that apply to one server. Each flag applies to
// the --server before it. The package owns their syntax and the errors about wrong commands. It
// must not depend on hosts.
package serverflags

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"goated/internal/config"
	"goated/internal/launch"
	"goated/internal/sandbox"
	"goated/internal/sandbox/limit"
)

// A Target is a server from --server with the flags after it, which apply only to this server.
type Target struct {
	Text  string   // value of --server; empty: the flags before the first --server
	Flags []string // names of the given flags, for errors

	Env       []string // values of --env; see [Environ]
	Header    []string // values of --header; see [Headers]
	NoSandbox bool

	network bool
	install bool // it may install packages
	browser bool
	hosts   []string // hosts that it may reach
	reads   []string // files and folders that it may read
	writes  []string
	limits  sandbox.Permissions
}

// A List contains the servers on a command line, in order. The zero value is ready to use.
type List struct{ targets []*Target }

// A targetFlag is a flag of one server. It applies to the last --server.
type targetFlag struct {
	list *List
	kind string // for the help
	name string
	set  func(t *Target, value string) error
}

func (f targetFlag) String() string { return "" }
func (f targetFlag) Type() string   { return f.kind }

func (f targetFlag) Set(value string) error {
	if len(f.list.targets) == 0 {
		f.list.targets = []*Target{{}}
	}
	t := f.list.targets[len(f.list.targets)-1]
	t.Flags = append(t.Flags, "--"+f.name)
	return f.set(t, value)
}

// Register adds --server and the flags of one server to f.
func (o *List) Register(f *pflag.FlagSet) {
	f.Var(serverFlag{o}, "server", "connect this MCP server: a script, a folder, a command such as 'npx -y X', a URL, JSON, or the name of a saved server; may be repeated. call, tools and inspect then start no other server")
	add := func(name, kind, usage string, set func(t *Target, value string) error) *pflag.Flag {
		return f.VarPF(targetFlag{o, kind, name, set}, name, "", usage)
	}
	list := func(of func(t *Target) *[]string) func(*Target, string) error {
		return func(t *Target, value string) error {
			*of(t) = append(*of(t), value)
			return nil
		}
	}
	flag := func(name, usage string, of func(t *Target) *bool) {
		add(name, "bool", usage, func(t *Target, value string) (err error) {
			*of(t), err = strconv.ParseBool(value)
			return err
		}).NoOptDefVal = "true"
	}
	add("env", "stringArray", "set a variable for the --server before it, or fill ${NAME} in its headers: NAME=value, or NAME to pass on goated's own value; may be repeated",
		list(func(t *Target) *[]string { return &t.Env }))
	add("header", "stringArray", "send this header to the --server before it, which has a URL: 'Name: value'; may be repeated",
		list(func(t *Target) *[]string { return &t.Header }))
	flag("allow-network", "let the --server before it use the whole network", func(t *Target) *bool { return &t.network })
	flag("allow-browser", "let the --server before it run a browser in its sandbox", func(t *Target) *bool { return &t.browser })
	flag("allow-install", "let the --server before it install packages, from your package registries into its own folder, and reach the hosts that its arguments and variables name", func(t *Target) *bool { return &t.install })
	add("allow-host", "stringArray", "let the --server before it reach this host, such as api.example.org, *.example.org or localhost:8080; may be repeated",
		list(func(t *Target) *[]string { return &t.hosts }))
	add("allow-read", "stringArray", "let the --server before it read this file or folder; may be repeated", list(func(t *Target) *[]string { return &t.reads }))
	add("allow-write", "stringArray", "let the --server before it read and write this file or folder; may be repeated", list(func(t *Target) *[]string { return &t.writes }))
	for _, l := range []struct {
		name  string
		kind  limit.Kind
		usage string
	}{
		{"allow-files", limit.Files, "let the --server before it have this many files open, such as 16384"},
		{"allow-memory", limit.Memory, "let the --server before it use this much memory, such as 8G"},
		{"allow-processes", limit.Processes, "let the --server before it start this many processes and threads, such as 2048"},
	} {
		add(l.name, "string", l.usage, func(t *Target, value string) error {
			n, err := limit.Parse(l.kind, value)
			t.limits = t.limits.With(sandbox.Permission{Kind: sandbox.ToLimit, Limit: l.kind, Amount: n})
			return err
		})
	}
	flag("no-sandbox", "run the --server before it without a sandbox, with all your rights", func(t *Target) *bool { return &t.NoSandbox })
}

// A serverFlag is the flag --server. Each use begins a new target.
type serverFlag struct{ list *List }

func (f serverFlag) String() string { return "" }
func (f serverFlag) Type() string   { return "stringArray" }

func (f serverFlag) Set(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("it needs a script, a command, a URL or the name of a saved server")
	}
	f.list.targets = append(f.list.targets, &Target{Text: text})
	return nil
}

// Bound returns the servers after all flags are parsed. Flags before the only --server apply to it.
// Without a --server, they apply to the only saved server.
func (o *List) Bound(saved []config.Launch) ([]*Target, error) {
	all := o.targets
	if len(all) == 0 || all[0].Text != "" {
		return all, nil
	}
	before, all := all[0], all[1:]
	flags := strings.Join(before.Flags, ", ")
	switch {
	case len(all) == 1:
		merged := *all[0]
		merged.Flags = append(before.Flags, merged.Flags...)
		merged.Env, merged.Header = append(before.Env, merged.Env...), append(before.Header, merged.Header...)
		merged.network, merged.install, merged.browser, merged.NoSandbox = merged.network || before.network, merged.install || before.install, merged.browser || before.browser, merged.NoSandbox || before.NoSandbox
		merged.hosts, merged.reads, merged.writes = append(before.hosts, merged.hosts...), append(before.reads, merged.reads...), append(before.writes, merged.writes...)
		merged.limits = append(before.limits, merged.limits...)
		return []*Target{&merged}, nil
	case len(all) > 1:
		return nil, fmt.Errorf("%s comes before several --server flags. Write it after the --server that it is for", flags)
	}
	on := started(saved)
	switch len(on) {
	case 1:
		only := *before
		only.Text = on[0].DisplayName()
		return []*Target{&only}, nil
	case 0:
		return nil, fmt.Errorf("%s belongs to a server: write it after --server", flags)
	}
	var names []string
	for _, l := range on {
		names = append(names, l.DisplayName())
	}
	return nil, fmt.Errorf("%s belongs to one server. Put --server NAME in front of it; the saved servers are %s", flags, strings.Join(names, ", "))
}

// started returns the saved servers that goated starts.
func started(saved []config.Launch) []config.Launch {
	var on []config.Launch
	for _, l := range saved {
		if !l.Off {
			on = append(on, l)
		}
	}
	return on
}

// Environ returns the variables of --env as NAME=value. For a name without a value, it uses the
// value in goated's environment, so that a secret does not have to be part of a command.
func Environ(words []string) ([]string, error) {
	var out []string
	for _, word := range words {
		name, value, ok := strings.Cut(word, "=")
		if !ok {
			if value, ok = os.LookupEnv(name); !ok {
				return nil, fmt.Errorf("--env %s: goated has no such variable; write --env %s=value", name, name)
			}
		}
		v := config.Variable{Name: name, Value: value}
		if err := v.Check(); err != nil {
			return nil, fmt.Errorf("--env %s: %w", name, err)
		}
		out = append(out, v.String())
	}
	return out, nil
}

// Headers returns the headers in the values of --header.
func Headers(words []string) ([]config.Variable, error) {
	var out []config.Variable
	for _, word := range words {
		name, value, ok := config.CutHeader(word)
		if !ok {
			return nil, errors.New("a --header is written like this: --header 'Authorization: Bearer TOKEN'") // word may be a secret
		}
		if strings.ContainsAny(value, "\r\n\x00") {
			return nil, fmt.Errorf("the value of the header %s must be one line", name)
		}
		out = append(out, config.Variable{Name: name, Value: value})
	}
	return out, nil
}

// Check returns an error for flags that are wrong regardless of the settings, before anything
// starts.
func (o *List) Check() error {
	var wrong error
	for _, t := range o.targets {
		if _, err := Environ(t.Env); err != nil {
			wrong = errors.Join(wrong, err)
		}
		if _, err := Headers(t.Header); err != nil {
			wrong = errors.Join(wrong, err)
		}
		if _, err := t.Grant(); err != nil {
			wrong = errors.Join(wrong, err)
		}
	}
	return wrong
}

// Installs reports whether the server may install packages.
func (t *Target) Installs() bool { return t.install }

// Named reports whether a --server is given.
func (o *List) Named() bool {
	return slices.ContainsFunc(o.targets, func(t *Target) bool { return t.Text != "" })
}

// Servers returns the servers on the command line. Flags before the first --server are not bound to
// it yet; see [List.Bound].
func (o *List) Servers() []*Target { return o.targets }

// ParseAfterURL parses goated's flags after the URL of a server, because a URL has no arguments. It returns
// the remaining words.
func ParseAfterURL(cmd *cobra.Command, words []string) ([]string, error) {
	if len(words) < 2 || cmd.ArgsLenAtDash() >= 0 || !launch.IsAddress(words[0]) {
		return words, nil
	}
	if err := cmd.ParseFlags(words[1:]); err != nil {
		return nil, cmd.FlagErrorFunc()(cmd, err)
	}
	if help := cmd.Flags().Lookup("help"); help != nil && help.Changed {
		return nil, pflag.ErrHelp
	}
	return append([]string{words[0]}, cmd.Flags().Args()...), nil
}

// Doubtful returns the first flag in a server's command that both the server and goated may have,
// such as --env. It returns "" if there is none, and for container programs, because such flags are
// certainly meant for them.
func Doubtful(words []string) string {
	if len(words) == 0 || slices.Contains([]string{"docker", "podman", "nerdctl"}, words[0]) {
		return ""
	}
	for _, w := range words[1:] {
		switch name, _, _ := strings.Cut(w, "="); name {
		case "--env", "--name", "--off", "--server", "--with", "--no-bundled":
			return name
		}
	}
	return ""
}

// WantsHelp reports whether a flag in a server's command asks for goated's help instead. A server
// with --help only prints a text and exits. A -h followed by another word is a flag of docker.
func WantsHelp(words []string) bool {
	return slices.Contains(words, "--help") || len(words) > 0 && words[len(words)-1] == "-h"
}

// Misplaced returns the first flag in a server's command that only goated has, but that the server
// would get. It returns "" if there is none. It ignores flags such as --env, which servers may
// have, too.
func Misplaced(words []string) string {
	for _, w := range words {
		switch name, _, _ := strings.Cut(w, "="); name {
		case "--allow-network", "--allow-browser", "--allow-install", "--allow-host", "--allow-read", "--allow-write", "--allow-files", "--allow-memory", "--allow-processes", "--no-sandbox":
			return name
		}
	}
	return ""
}
