package mcpb

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/inputs"
	"goated/internal/lazyregexp"
)

// A System is the computer on which a bundle runs.
type System struct {
	OS                                  string // as runtime.GOOS
	Home, Desktop, Documents, Downloads string
}

// replacer replaces the variables of manifests. dir is the bundle's folder.
func (s System) replacer(dir string) *strings.Replacer {
	separator := "/"
	if s.OS == "windows" {
		separator = `\`
	}
	return strings.NewReplacer("${__dirname}", dir, "${HOME}", s.Home, "${DESKTOP}", s.Desktop, "${DOCUMENTS}", s.Documents, "${DOWNLOADS}", s.Downloads,
		"${pathSeparator}", separator, "${/}", separator)
}

// A Command runs the server of an installed bundle.
type Command struct {
	Program string
	Args    []string
	Dir     string
	Env     []Variable
	// Reads lists the files and folders that the user chose as settings. The server has to read
	// them.
	Reads []string
}

// A Variable is an environment variable.
type Variable struct {
	Name, Value string
	Secret      bool // Value contains a secret
}

// use matches a reference to a setting.
var use = lazyregexp.New(`\$\{user_config\.([A-Za-z0-9_.-]+)\}`)

// Command returns how to run the server from the folder dir, with values from [inputs.Fill]. An
// argument that is just a setting with several values becomes several arguments. If the setting has
// no value, the argument is left out.
func (m *Manifest) Command(dir string, values inputs.Values, sys System) Command {
	run := Run{}
	if m.Server.Config != nil {
		run = *m.Server.Config
	} else { // uv installs the dependencies in pyproject.toml
		run = Run{Command: "uv", Args: []string{"run", "--directory", "${__dirname}", m.Server.EntryPoint}}
	}
	run.Env = maps.Clone(run.Env)
	if o, ok := run.Platforms[platform(sys.OS)]; ok {
		if o.Command != "" {
			run.Command = o.Command
		}
		if o.Args != nil {
			run.Args = o.Args
		}
		if run.Env == nil {
			run.Env = make(map[string]string)
		}
		maps.Copy(run.Env, o.Env)
	}
	replace := sys.replacer(dir)
	text := func(s string) string {
		// Values from the user are not searched for variables.
		parts, at := []string{}, 0
		for _, found := range use.FindAllStringSubmatchIndex(s, -1) {
			parts = append(parts, replace.Replace(s[at:found[0]]), strings.Join(values[s[found[2]:found[3]]], ","))
			at = found[1]
		}
		return strings.Join(append(parts, replace.Replace(s[at:])), "")
	}
	c := Command{Program: text(run.Command), Dir: dir}
	for _, a := range run.Args {
		if name := use.FindStringSubmatch(a); name != nil && name[0] == a {
			c.Args = append(c.Args, values[name[1]]...)
			continue
		}
		c.Args = append(c.Args, text(a))
	}
	if !filepath.IsAbs(c.Program) && (strings.ContainsAny(c.Program, `/\`) || m.Server.Type == Binary) {
		c.Program = filepath.Join(dir, filepath.FromSlash(c.Program)) // relative to the bundle
	}
	if m.Server.Type == Python && c.Program == "python" && sys.OS != "windows" {
		c.Program = "python3"
	}
	for _, name := range slices.Sorted(maps.Keys(run.Env)) {
		value := run.Env[name]
		secret, missing := false, false
		for _, used := range use.FindAllStringSubmatch(value, -1) {
			secret = secret || m.UserConfig[used[1]].Sensitive
			missing = missing || len(values[used[1]]) == 0 && used[0] == value
		}
		if !missing {
			c.Env = append(c.Env, Variable{Name: name, Value: text(value), Secret: secret})
		}
	}
	for name, s := range m.UserConfig {
		if s.Type == "file" || s.Type == "directory" {
			c.Reads = append(c.Reads, values[name]...)
		}
	}
	slices.Sort(c.Reads)
	return c
}
