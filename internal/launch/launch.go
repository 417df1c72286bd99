// Package launch parses the text that a user pastes to add a server: a script, a folder, a command
// line, a URL, or the configuration of another MCP client. [Understand] turns such a text into servers.
// A server has a program, arguments and variables, the source of its code, and a name.
//
// The package knows the formats that READMEs use. It starts nothing. It asks the file system a few
// questions through a [System]. It must not depend on settings, hosts or the sandbox.
package launch

import (
	"strings"

	"goated/internal/launch/commandtext"
)

// A Reading is the result of parsing a text.
type Reading struct {
	Form    Form
	Servers []Server // at least one, in the order of the text
	Inputs  []Input  // values that the text asks the user for; [Server.Asks] selects those that a server needs
}

// A Form is the kind of a text.
type Form int

// The kinds of texts.
const (
	Path    Form = iota // a path of a script, a program, a folder or a file
	Line                // a command line
	Address             // a URL
	File                // the configuration of an MCP client: JSON, TOML or YAML
	Link                // an "add to" link of a README
)

// A Kind is the way in which a server is started or reached.
type Kind int

// The kinds of servers.
const (
	Script  Kind = iota // Path is a .py, .js or .go script
	Program             // Command is a program
	Remote              // URL is the address of a server that is already running
	Bundle              // Path is an .mcpb file
)

// A Server is one server as a text describes it. Exactly one of Path, Command and Remote.URL is set.
type Server struct {
	Kind    Kind
	Name    string // the name shown to the user, from the text or derived from Origin
	Named   bool   // the name comes from the text
	Path    string // absolute
	Command string // a program on the search path, or an absolute path
	Args    []string
	Dir     string // working directory; "" means any
	Remote  Endpoint
	Env     []Variable
	Origin  Origin
	Notes   []Note // in the order in which the user should read them
	Off     bool   // the text disables it

	inputs []Input // declared by JSON in a command; the Reading takes them over
}

// An Endpoint is the address of a server that is already running. It is zero for other servers.
type Endpoint struct {
	URL     string
	SSE     bool // uses the HTTP+SSE transport of MCP 2024-11-05
	Headers []Variable
}

// An Origin is the place where the code of a server comes from.
type Origin struct {
	Source  Source
	Package string // a package name, image, module or host, or an absolute path
	Version string // the version that the text pins, or ""
}

// Registry returns the name of the package registry from which a runner installs the program, or "" if
// there is none.
func (o Origin) Registry() string {
	switch o.Source {
	case NPM:
		return "npm"
	case PyPI:
		return "PyPI"
	}
	return ""
}

// Registry returns the name of the package registry from which the runner of a server installs, or ""
// if there is none. If the program comes from a repository, that is the registry of the packages that
// the repository needs.
func (s Server) Registry() string {
	if s.Origin.Source == Git {
		switch commandtext.ProgramName(s.Command) {
		case "npx", "bunx", "pnpx", "npm", "pnpm":
			return "npm"
		case "uvx", "uv", "pipx":
			return "PyPI"
		}
	}
	return s.Origin.Registry()
}

// A Source is a kind of place that programs come from.
type Source string

// The sources of programs.
const (
	NPM       Source = "npm"
	PyPI      Source = "pypi"
	JSR       Source = "jsr"
	NuGet     Source = "nuget"
	Maven     Source = "maven"
	Container Source = "container" // an image
	GoModule  Source = "go"
	Git       Source = "git"       // a repository that a runner fetches
	Local     Source = "file"      // a file or folder on this computer
	Installed Source = "installed" // a program on the search path
	Web       Source = "web"       // it runs on another computer
)

// A Variable is an environment variable or a header.
type Variable struct {
	Name  string
	Value string
	// Ask means that the text leaves the value to the user. Value is then empty.
	Ask    bool
	Secret bool   // the text marks it as secret; the name may also imply it
	Prompt string // the description in the text; may be ""
}

// An Input is a value that a configuration asks the user for, as in VS Code. Its value replaces
// ${input:ID}.
type Input struct {
	ID, Prompt, Default string
	Secret              bool
	Options             []string // the values to choose from; empty allows any value
}

// A Note is something that the user should know before the server starts.
type Note struct {
	Kind    NoteKind
	Subject string
}

// A NoteKind is a kind of note. The comment on each kind describes the subject.
type NoteKind int

// The kinds of notes.
const (
	ProgramMissing NoteKind = iota // a program that is not on the search path
	Placeholder                    // an argument that the user has to replace
	DroppedSudo                    // sudo: goated starts no server as root
	DroppedTool                    // a program before the server's own, such as the inspector
	AddedStdin                     // the flag -i, without which a container reads nothing
	DroppedFlag                    // a flag that would break the connection, such as -t
	NotInstalled                   // a folder whose packages are not installed
	OldNode                        // a version of Node that does not run TypeScript
	Bridge                         // a URL that the program only forwards
	LeftOut                        // another server in the same text, and why goated cannot use it
	FileMissing                    // a file that the program runs but that does not exist
	EnvFileUnread                  // a file of variables that goated has not read
	Others                         // the names of other servers that the same text describes
)

// Words returns the program of a server and its arguments. For a server with a URL, it returns the URL.
func (s Server) Words() []string {
	switch {
	case s.Command != "":
		return append([]string{s.Command}, s.Args...)
	case s.Path != "":
		return append([]string{s.Path}, s.Args...)
	}
	return []string{s.Remote.URL}
}

// OverSSH returns the computer on which ssh starts the server, or "" for other servers.
func (s Server) OverSSH() string {
	host, _, _ := commandtext.OverSSH(s.Words())
	return host
}

// Fill replaces each ${input:ID} with the value of the input.
func (s Server) Fill(values map[string]string) Server {
	pairs := make([]string, 0, 2*len(values))
	for id, v := range values {
		pairs = append(pairs, Input{ID: id}.pairs(v)...)
	}
	fill := strings.NewReplacer(pairs...)
	all := func(words []string) []string {
		out := make([]string, len(words))
		for i, w := range words {
			out[i] = fill.Replace(w)
		}
		return out
	}
	variables := func(list []Variable) []Variable {
		out := make([]Variable, len(list))
		for i, v := range list {
			if now := fill.Replace(v.Value); now != v.Value {
				v.Value, v.Ask = now, false
			}
			out[i] = v
		}
		return out
	}
	s.Command, s.Args, s.Env = fill.Replace(s.Command), all(s.Args), variables(s.Env)
	s.Remote.URL, s.Remote.Headers, s.Dir = fill.Replace(s.Remote.URL), variables(s.Remote.Headers), fill.Replace(s.Dir)
	return s
}
