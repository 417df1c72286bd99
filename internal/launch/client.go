package launch

import (
	"slices"
	"strings"

	"goated/internal/launch/commandtext"
	"goated/internal/lazyregexp"
	"goated/internal/placeholder"
)

// addTools are the programs with a subcommand "mcp add", such as "claude mcp add".
var addTools = []string{"claude", "gemini", "codex", "qwen", "amp", "droid", "copilot", "opencode", "openclaw", "mcp-cli", "iflow", "kimi", "agent", "cursor-agent", "auggie", "rovodev", "fastmcp", "q", "qchat", "kiro-cli"}

// adds reports whether words are a client's command for adding a server. All clients use the same
// subcommand, so the client may be unknown to goated.
func adds(words []string) bool {
	if len(words) < 3 || words[1] != "mcp" {
		return false
	}
	name := commandtext.ProgramName(words[0])
	return slices.Contains(addTools, name) || !commandtext.Familiar(words[0]) && (words[2] == "add" || words[2] == "add-json")
}

// clientPackages maps npm packages to the program in them that is such a client.
var clientPackages = map[string]string{"@anthropic-ai/claude-code": "claude", "@google/gemini-cli": "gemini", "@openai/codex": "codex", "@qwen-code/qwen-code": "qwen", "@sourcegraph/amp": "amp"}

// addFlags are the options of "mcp add" that take a value and do not affect the server.
var addFlags = []string{"-s", "--scope", "--client-id", "--client-secret", "--callback-port", "--timeout", "--description", "--include-tools", "--exclude-tools"}

// client parses a command that adds a server to another MCP client.
func (s commands) client(words []string) (servers []Server, ok bool, err error) {
	name := commandtext.ProgramName(words[0])
	if origin, rest := npmOrigin(words[1:]); name == "npx" && clientPackages[origin.Package] != "" {
		name = clientPackages[origin.Package]
		words = append([]string{name}, rest[min(len(rest), 1):]...) // no program follows -p in an unfinished command
	}
	if words[0] == "/mcp" && len(words) > 2 { // typed in the client itself
		words = append([]string{"claude"}, append([]string{"mcp"}, words[1:]...)...)
	}
	at, extension := slices.Index(words, "--add-mcp"), commandtext.WithExtension(words)
	switch {
	case strings.HasPrefix(words[0], "/") && slices.Contains([]string{"/mcp", "/plugin", "/plugins", "/extension", "/extensions"}, words[0]) && s.stat(words[0]) == nil:
		return nil, false, &Problem{Kind: Configures, Subject: short(strings.Join(words, " "))}
	case name == "goose" && extension != "": // it starts the server, too
		r, err := understood(extension, s.System)
		return r.declaring(), true, err
	case at > 0 && at+1 < len(words): // VS Code and its relatives
		r, err := configs(s).json(words[at+1], "the JSON after --add-mcp")
		return r.declaring(), true, err
	case (name == "claude" || name == "codex") && len(words) > 2 && words[1] == "mcp" && words[2] == "serve": // it is a server itself
		return nil, false, nil
	case adds(words):
	case slices.Contains(addTools, name) && len(words) > 2 && slices.Contains([]string{"plugin", "plugins", "extension", "extensions"}, words[1]):
		return nil, false, &Problem{Kind: Configures, Subject: short(strings.Join(words, " "))}
	case smithery(words) == "run": // it starts a server itself
		return nil, false, nil
	case smithery(words) != "",
		slices.ContainsFunc(words[:min(len(words), 4)], func(w string) bool {
			w, _, _ = strings.Cut(w, "@")
			return w == "add-mcp" || w == "install-mcp" || w == "mcp-add"
		}):
		if rest := wordsAfter(words, "add-mcp", "install-mcp", "mcp-add"); len(rest) > 0 && (webAddress.MatchString(rest[0]) || strings.Contains(rest[0], " ")) {
			r, err := understood(rest[0], s.System)
			return r.declaring(), true, err
		}
		return nil, false, &Problem{Kind: Configures, Subject: short(strings.Join(words, " "))}
	default:
		return nil, false, s.configures(words)
	}
	switch words[2] {
	case "add-json":
		rest := withoutFlags(words[3:])
		if len(rest) < 2 {
			return nil, false, &Problem{Kind: NoServer, Subject: "This command"}
		}
		r, err := configs(s).json(rest[1], "the JSON after "+rest[0])
		for i := range r.Servers {
			r.Servers[i].Name, r.Servers[i].Named = rest[0], true
		}
		return r.declaring(), true, err
	case "add":
		server, err := s.added(words[3:])
		return []Server{server}, true, err
	}
	return nil, false, &Problem{Kind: Configures, Subject: short(strings.Join(words, " "))}
}

// declaring returns the servers of a reading. The first server takes over the inputs.
func (r Reading) declaring() []Server {
	if len(r.Servers) > 0 {
		r.Servers[0].inputs = append(r.Servers[0].inputs, r.Inputs...)
	}
	return r.Servers
}

// smithery returns the subcommand of Smithery's program, "help" if there is none, or "" for other
// programs.
func smithery(words []string) string {
	rest := words
	if commandtext.ProgramName(words[0]) != "smithery" {
		at := slices.IndexFunc(words, func(w string) bool { return w == smitheryPackage || strings.HasPrefix(w, smitheryPackage+"@") })
		if at < 1 || at > 4 {
			return ""
		}
		rest = words[at:]
	}
	if rest, _ = positional("", rest[1:]); len(rest) == 0 {
		return "help"
	}
	return rest[0]
}

// smitheryPackage is the npm package of a program that installs servers and starts them.
const smitheryPackage = "@smithery/cli"

// withoutFlags removes the options from the arguments of "mcp add-json".
func withoutFlags(args []string) (rest []string) {
	for i := 0; i < len(args); i++ {
		switch name, _, inline := strings.Cut(args[i], "="); {
		case !strings.HasPrefix(name, "-"):
			rest = append(rest, args[i])
		case slices.Contains(addFlags, name) && !inline:
			i++
		}
	}
	return rest
}

// wordsAfter returns the words after the first word that is one of names.
func wordsAfter(words []string, names ...string) []string {
	for i, w := range words {
		w, _, _ = strings.Cut(w, "@")
		if slices.Contains(names, w) {
			return words[i+1:]
		}
	}
	return nil
}

// An addCommand holds the parsed arguments of a command that adds a server.
type addCommand struct {
	env, headers       []Variable
	rest               []string // the name, if there is one, and the program with its arguments
	transport, address string
}

// addCommand parses the arguments of a command that adds a server.
func (s commands) addCommand(args []string) addCommand {
	var c addCommand
	named := ""
	var program []string // of Amazon Q
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			c.rest = append(c.rest, args[i+1:]...)
			break
		}
		if !strings.HasPrefix(a, "-") {
			c.rest = append(c.rest, a)
			if len(c.rest) == 2 && strings.Contains(a, " ") && isCommand(a) { // Factory's
				program = strings.Fields(a)
				c.rest = c.rest[:1]
				continue
			}
			if len(c.rest) == 2 && !webAddress.MatchString(a) {
				c.rest = append(c.rest, dashless(args[i+1:])...)
				break
			}
			continue
		}
		name, value, inline := strings.Cut(a, "=")
		take := func() string {
			if !inline && i+1 < len(args) {
				i++
				value = args[i]
			}
			return value
		}
		switch name {
		case "-e", "--env":
			key, v, _ := strings.Cut(take(), "=")
			c.env = merged(c.env, []Variable{s.variable(key, v)})
			for i+1 < len(args) && commandtext.IsAssignment(args[i+1]) { // claude accepts several values
				i++
				key, v, _ = strings.Cut(args[i], "=")
				c.env = merged(c.env, []Variable{s.variable(key, v)})
			}
		case "-H", "--header":
			c.headers = append(c.headers, s.header(take()))
		case "-t", "--transport", "--type":
			c.transport = take()
		case "--url":
			c.address = take()
		case "--name":
			named = take()
		case "--command":
			program = append([]string{take()}, program...)
		case "--args":
			program = append(program, strings.Split(take(), ",")...)
		case "--bearer-token-env-var":
			c.headers = append(c.headers, s.bearer(take()))
		default:
			if slices.Contains(addFlags, name) {
				take()
			}
		}
	}
	if named != "" {
		c.rest = append([]string{named}, c.rest...)
	}
	if len(c.rest) > 0 {
		c.rest = slices.Insert(c.rest, 1, program...)
	}
	return c
}

// isCommand reports whether a text starts with a program that READMEs use to start servers.
func isCommand(text string) bool {
	words := strings.Fields(text)
	return len(words) > 1 && commandtext.Familiar(words[0])
}

// added returns the server that the arguments of "mcp add" describe: options, a name, and a command or
// a URL. Options may appear anywhere before "--" and before the command.
func (s commands) added(args []string) (Server, error) {
	c := s.addCommand(args)
	name := ""
	switch {
	case len(c.rest) > 0 && c.address != "":
		name = c.rest[0]
	case len(c.rest) > 1:
		name, c.rest = c.rest[0], c.rest[1:]
	case len(c.rest) == 1 && webAddress.MatchString(c.rest[0]):
	default:
		return Server{}, &Problem{Kind: NoServer, Subject: "This command"}
	}
	var server Server
	if c.address == "" && webAddress.MatchString(c.rest[0]) {
		c.address = c.rest[0]
	}
	var err error
	if c.address != "" {
		server, err = configs(s).remote(c.address, c.transport)
		server.Remote.Headers = c.headers
	} else {
		var servers []Server
		if servers, err = s.command(c.rest); err == nil {
			server = servers[0]
		}
	}
	if name != "" {
		server.Name, server.Named = name, true
	}
	server.Env = merged(server.Env, c.env)
	return server, err
}

// dashless removes a leading "--" from the words of a command.
func dashless(words []string) []string {
	if len(words) > 0 && words[0] == "--" {
		return words[1:]
	}
	return words
}

// header parses "Name: value", which some clients write as "Name=value".
func (s System) header(text string) Variable {
	name, value, _ := strings.Cut(text, ":")
	if before, after, ok := strings.Cut(text, "="); ok && headerName.MatchString(before) {
		name, value = before, after
	}
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	v := Variable{Name: name, Value: value}
	scheme, token, ok := strings.Cut(value, " ")
	if s.isPlaceholder(value) || ok && s.isPlaceholder(token) && len(scheme) < 10 {
		v = Variable{Name: name, Ask: true, Prompt: placeholder.Hint(value)}
	}
	v.Secret = strings.EqualFold(name, "Authorization")
	return v
}

// headerName matches the name of an HTTP header.
var headerName = lazyregexp.New(`^\s*[A-Za-z][\w-]*\s*$`)

// bearer returns the header for a token in a variable of goated's environment.
func (s commands) bearer(name string) Variable {
	if value, ok := s.env(name); ok && value != "" {
		return Variable{Name: "Authorization", Value: "Bearer " + value, Secret: true}
	}
	return Variable{Name: "Authorization", Ask: true, Secret: true, Prompt: "Bearer " + name}
}
