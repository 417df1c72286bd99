package launch

import (
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/launch/commandtext"
	"goated/internal/lazyregexp"
	"goated/internal/placeholder"
)

// command returns the servers that the words of a command start. There are usually one, and several for
// the configuration of another client.
func (s commands) command(words []string) ([]Server, error) {
	words, env, notes := s.unwrapped(words)
	if len(words) == 0 {
		return nil, &Problem{Kind: Empty}
	}
	servers, ok, err := s.client(words)
	if !ok && err == nil {
		servers, ok, err = s.windowsShell(words)
	}
	if ok || err != nil {
		for i := range servers {
			servers[i].Env = merged(env, servers[i].Env)
			servers[i].Notes = append(notes, servers[i].Notes...)
		}
		return servers, err
	}
	server, err := s.program(words)
	if err != nil {
		return nil, err
	}
	server.Env = merged(env, server.Env)
	server.Notes = append(notes, server.Notes...)
	return []Server{server}, nil
}

// program returns the server that words start.
func (s commands) program(words []string) (Server, error) {
	first, rest := s.expanded(words[0]), words[1:]
	if dir, _, ok := commandtext.InFolder(words); ok { // other paths are relative to that folder
		rest = s.anchoredFolder(rest, dir)
	} else if _, command, ok := commandtext.OverSSH(words); ok { // its paths are on the other computer
		rest = slices.Concat(s.anchored(rest[:len(rest)-len(command)]), command)
	} else {
		rest = s.anchored(rest)
	}
	switch {
	case s.ownProgram(first): // the user is asked for its path
		return files(s).finished(Server{Kind: Program, Command: first, Args: rest, Origin: Origin{Source: Local, Package: first}}), nil
	case s.ownScript(first): // the user is asked for that argument
		return s.known(slices.Concat(interpreter(first), []string{first}, rest)), nil
	case editorRef.MatchString(first), s.standsIn(first):
		return Server{}, &Problem{Kind: OpenProgram, Subject: first}
	case strings.Contains(first, "://"):
		return s.addressed(first, rest)
	case strings.HasPrefix(first, "@") && strings.Contains(first, "/"): // the name of an npm package
		return s.known(append([]string{"npx", "-y", first}, rest...)), nil
	case isPath(first):
		path := s.absolute(first)
		if windowsPath.MatchString(first) {
			path = first
		}
		if program, ok := s.runnerAt(path); ok {
			return s.known(append([]string{program}, rest...)), nil
		}
		path = s.absolute(first)
		if name := commandtext.ProgramName(first); s.stat(path) == nil && programFolders.MatchString(first) && s.installed(name) {
			return s.known(append([]string{name}, rest...)), nil
		}
		if s.stat(path) == nil {
			_, err := files(s).path(path, rest) // called for its error
			return Server{}, err
		}
		r, err := files(s).path(path, rest)
		if err != nil {
			return Server{}, err
		}
		return r.Servers[0], nil
	case s.installed(first):
		return s.known(append([]string{first}, rest...)), nil
	case s.stat(s.absolute(first)) != nil:
		r, err := files(s).path(s.absolute(first), rest)
		if err != nil {
			return Server{}, err
		}
		return r.Servers[0], nil
	case scriptLike(first):
		_, err := files(s).path(s.absolute(first), rest)
		return Server{}, err
	case bareAddress.MatchString(first):
		return s.addressed("https://"+first, rest)
	case commandtext.Familiar(first):
		return s.known(append([]string{first}, rest...)), nil // a note reports that it is missing
	}
	return Server{}, &Problem{Kind: NoProgram, Subject: first}
}

// programFolders matches a program in a folder into which package managers install. Another computer has
// the program in another folder.
var programFolders = lazyregexp.New(`^(/opt/homebrew|/usr/local|/usr|/home/linuxbrew/\.linuxbrew|(/Users|/home)/[^/]+/(\.local|go|\.cargo|\.bun|\.deno))/bin/[^/]+$`)

// standsIn reports whether a word is a placeholder for a program that the user has to name.
func (s commands) standsIn(word string) bool {
	if !placeholder.Is(word) || strings.Contains(word, "://") || s.installed(word) || s.stat(s.absolute(word)) != nil {
		return false
	}
	_, runs := s.runnerAt(s.absolute(word)) // a path such as /path/to/python means the python on this computer
	return !runs && (placeholder.IsPath(word) || !scriptLike(word))
}

// ownProgram reports whether a word is a placeholder path for a program or a script of the user, such as
// /path/to/server and /path/to/server.py.
func (s commands) ownProgram(word string) bool {
	return placeholder.IsPath(word) && runners[filepath.Ext(word)] == "" && s.standsIn(word)
}

// ownScript is like ownProgram, for a script that another program runs, such as /path/to/server.ts.
func (s commands) ownScript(word string) bool {
	return placeholder.IsPath(word) && len(interpreter(word)) > 0 && s.standsIn(word)
}

// interpreter returns the words that run a script by its extension. There are none for a script of the
// kind [Script], and for other files.
func interpreter(script string) []string {
	switch runner := runners[filepath.Ext(script)]; runner {
	case "", "bundle":
		return nil
	case "ts":
		return []string{"node"}
	case "java":
		return []string{"java", "-jar"}
	default:
		return []string{runner}
	}
}

// known returns the server for a program on the search path.
func (s commands) known(words []string) Server {
	server := Server{Kind: Program, Command: words[0], Args: words[1:]}
	server = s.origin(server)
	return files(s).finished(server)
}

// isPath reports whether a word has the form of a path.
func isPath(word string) bool {
	return filepath.IsAbs(word) || strings.HasPrefix(word, "./") || strings.HasPrefix(word, "../") ||
		strings.HasPrefix(word, `.\`) || windowsPath.MatchString(word) || word == "." || word == ".."
}

// anchored replaces relative paths among arguments with absolute ones, because the server may start in
// another folder than the one in which the user typed.
func (s commands) anchored(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		out[i] = a
		name, value, flag := "", a, false
		if strings.HasPrefix(a, "-") {
			if name, value, flag = strings.Cut(a, "="); !flag {
				continue
			}
			name += "="
		}
		_, script := runners[filepath.Ext(value)]
		relative := value == "." || value == ".." || strings.HasPrefix(value, "./") || strings.HasPrefix(value, "../") || strings.HasPrefix(value, "~/") || value == "~"
		switch {
		case filepath.IsAbs(value), value == "":
		case relative, (script || strings.Contains(value, "/")) && !strings.Contains(value, "://") && s.stat(s.absolute(value)) != nil:
			out[i] = name + s.absolute(value)
		}
	}
	return out
}

// anchoredFolder is like anchored, for the arguments of a runner that changes to dir first.
func (s commands) anchoredFolder(args []string, dir string) []string {
	out := slices.Clone(args)
	for i, a := range args {
		option, _, _ := strings.Cut(a, "=")
		folder := a == option+"="+dir || a == dir && i > 0 && strings.HasPrefix(args[i-1], "-") && !strings.Contains(args[i-1], "=")
		switch {
		case !folder:
			if strings.HasPrefix(a, "~/") {
				out[i] = s.absolute(a)
			}
		case s.Dir != "" && s.stat(s.absolute(dir)) != nil && !filepath.IsAbs(dir): // the server may start elsewhere
			out[i] = strings.TrimSuffix(a, dir) + s.absolute(dir)
		default:
			out[i] = s.anchored([]string{a})[0]
		}
	}
	return out
}

// unwrapped removes the programs before the server's own. It returns the variables that they set and
// notes about them.
func (s commands) unwrapped(words []string) (rest []string, env []Variable, notes []Note) {
	for len(words) > 0 {
		name := commandtext.ProgramName(words[0])
		switch {
		case name == "sudo":
			notes = append(notes, Note{DroppedSudo, "sudo"})
			words = commandtext.AfterSudo(words)
		case name == "exec" || name == "nohup" || name == "time" || name == "command":
			words = words[1:]
		case (name == "env" || name == "cross-env") && len(words) > 1 && (strings.Contains(words[1], "=") || s.installed(words[1]) || words[1] == "-i"):
			if words = words[1:]; words[0] == "-i" {
				words = words[1:]
			}
			for len(words) > 0 && strings.Contains(words[0], "=") && !strings.HasPrefix(words[0], "-") {
				key, value, _ := strings.Cut(words[0], "=")
				env = merged(env, []Variable{s.variable(key, value)})
				words = words[1:]
			}
		case inspector(words) > 0:
			at := inspector(words)
			notes = append(notes, Note{DroppedTool, "the MCP Inspector"})
			for words = words[at:]; len(words) > 0 && strings.HasPrefix(words[0], "-"); words = words[1:] {
				if (words[0] == "-e" || words[0] == "--env") && len(words) > 1 {
					key, value, _ := strings.Cut(words[1], "=")
					env = merged(env, []Variable{s.variable(key, value)})
					words = words[1:]
				}
			}
		default:
			return words, env, notes
		}
	}
	return words, env, notes
}

// inspector returns the index of the first argument of the MCP Inspector, or 0 if words do not start
// it.
func inspector(words []string) int {
	for i, w := range words[:min(len(words), 4)] {
		name, _, _ := strings.Cut(strings.TrimPrefix(w, "@"), "@")
		if name == "modelcontextprotocol/inspector" && i > 0 {
			return i + 1
		}
		if commandtext.ProgramName(w) == "mcp-inspector" && i == 0 {
			return 1
		}
	}
	return 0
}

// windowsShell returns the servers of a command after a Windows shell, which this computer lacks.
func (s commands) windowsShell(words []string) (servers []Server, ok bool, err error) {
	rest, ok := commandtext.BehindShell(words)
	if !ok || s.Windows {
		return nil, false, nil
	}
	if len(rest) > 1 && !slices.Contains(rest, "&&") {
		servers, err = s.command(rest)
		return servers, true, err
	}
	r, err := s.line(commandtext.QuoteJSON(strings.Join(rest, " ")))
	return r.Servers, true, err
}
