package launch

import (
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/launch/commandtext"
	"goated/internal/launch/webaddress"
	"goated/internal/lazyregexp"
	"goated/internal/placeholder"
)

// bareAddress matches a URL without its scheme.
var bareAddress = lazyregexp.New(`^[a-z0-9-]+(\.[a-z0-9-]+)+(:\d+)?/[\w./-]*(mcp|sse)\b`)

// valued lists the options of runners that take a value.
var valued = map[string][]string{
	"npx":  {"-p", "--package", "-c", "--call", "-w", "--workspace", "--prefix", "--registry", "--node-options"},
	"uvx":  {"--with", "-w", "--with-editable", "--with-requirements", "--python", "-p", "--index", "--index-url", "-i", "--extra-index-url", "--default-index", "--directory", "--project", "--env-file", "--refresh-package", "--link-mode", "--index-strategy", "--prerelease", "--exclude-newer", "--constraints", "-c", "--overrides", "--cache-dir", "--config-file", "--color", "--no-build-package", "--no-binary-package", "--upgrade-package", "-P"},
	"pipx": {"--spec", "--python", "--index-url", "-i", "--pip-args"},
}

// origin determines where the program of a command comes from, and fixes the flags of containers.
func (s commands) origin(server Server) Server {
	args := server.Args
	sub := func(words ...string) ([]string, bool) { // returns the arguments after a subcommand
		if len(args) < len(words) || !slices.Equal(args[:len(words)], words) {
			return nil, false
		}
		return args[len(words):], true
	}
	if dir, words, ok := commandtext.InFolder(server.Words()); ok && commandtext.ProgramName(words[0]) != "uv" {
		s.Dir = s.absolute(dir)
		there := s.origin(Server{Kind: server.Kind, Command: words[0], Args: words[1:], Dir: s.Dir})
		if server.Origin, server.Notes = there.Origin, append(server.Notes, there.Notes...); there.Origin.Source == "" || there.Origin.Source == Installed {
			server.Origin = Origin{Source: Local, Package: s.Dir}
		}
		return server
	}
	if origin, ok := s.inner(server); ok {
		server.Origin = origin
		if origin.Source == Local && origin.Package == s.Dir && server.Dir == "" {
			server.Dir = s.Dir // npm start reads the package in its folder
		}
		return server
	}
	switch name := commandtext.ProgramName(server.Command); name {
	case "npx", "pnpx", "bunx":
		server.Origin, args = npmOrigin(args)
		return bridge(server, args)
	case "npm", "pnpm", "yarn", "bun":
		if at := slices.IndexFunc(args, func(a string) bool { return a == "exec" || a == "x" || a == "dlx" }); at >= 0 && behindOptions(args[:at]) {
			server.Origin, args = npmOrigin(slices.Concat(args[:at], args[at+1:]))
			return bridge(server, args)
		}
		if name == "bun" {
			rest, _ := sub("run")
			server.Origin = s.fileOrigin(append(rest, args...))
			return server
		}
	case "uvx":
		server.Origin = pypiOrigin("uvx", args)
		rest, _ := positional("uvx", args)
		return bridge(server, rest)
	case "pipx":
		if rest, ok := sub("run"); ok {
			server.Origin = pypiOrigin("pipx", rest)
		}
	case "uv":
		if rest, ok := sub("tool", "run"); ok {
			server.Origin = pypiOrigin("uvx", rest)
			break
		}
		server.Origin = s.uvOrigin(args)
	case "docker", "podman", "nerdctl":
		return s.container(server)
	case "go":
		if rest, ok := sub("run"); ok && len(rest) > 0 {
			if pkg, version, ok := strings.Cut(rest[0], "@"); ok {
				server.Origin = Origin{GoModule, pkg, version}
			} else {
				server.Origin = s.fileOrigin(rest)
				if server.Dir == "" {
					server.Dir = s.Dir // go run reads the module in its folder
				}
			}
		}
	case "python", "python3", "py":
		if i := slices.Index(args, "-m"); i >= 0 && i+1 < len(args) && !slices.ContainsFunc(args[:i], func(a string) bool { return !strings.HasPrefix(a, "-") }) {
			server.Origin = Origin{Source: Installed, Package: args[i+1]}
			break
		}
		server.Origin = s.fileOrigin(args)
	case "deno":
		if origin, ok := denoOrigin(args); ok {
			server.Origin = origin
			break
		}
		server.Origin = s.fileOrigin(args)
	case "cargo", "dotnet":
		if file := project(args); file != "" {
			server.Origin = Origin{Source: Local, Package: s.absolute(file)}
			break
		}
		server.Origin = s.fileOrigin(args)
	case "node", "tsx", "ts-node", "java", "ruby", "php", "fastmcp", "mcp", "bash", "sh", "poetry":
		server.Origin = s.fileOrigin(args)
	case "mcp-remote":
		return bridge(server, append([]string{"mcp-remote"}, args...))
	default:
		server.Origin = Origin{Source: Installed, Package: commandtext.ProgramName(server.Command)}
	}
	return server
}

// project returns the folder of the project that the arguments name by its file or folder, or "" if
// they name none.
func project(args []string) string {
	for i, a := range args {
		name, value, inline := strings.Cut(a, "=")
		if name != "--manifest-path" && name != "--project" {
			continue
		}
		if !inline && i+1 < len(args) {
			value = args[i+1]
		}
		if strings.HasSuffix(value, ".toml") {
			return filepath.Dir(value)
		}
		return value
	}
	return ""
}

// positional returns the arguments of a runner from the first one that is not an option, and the values
// of the options before it.
func positional(runner string, args []string) (rest []string, options map[string][]string) {
	options = make(map[string][]string)
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			return args[i+1:], options
		case !strings.HasPrefix(a, "-") || a == "-":
			return args[i:], options
		}
		name, value, inline := strings.Cut(a, "=")
		if !inline && slices.Contains(valued[runner], name) || !inline && runner == "uvx" && name == "--from" {
			if i++; i < len(args) {
				value = args[i]
			}
		}
		options[name] = append(options[name], value)
	}
	return nil, options
}

// shorthand matches owner/repo, which npm treats as a GitHub repository.
var shorthand = lazyregexp.New(`^[A-Za-z0-9][\w.-]*/[\w.-]+(#.*)?$`)

// npmOrigin returns the package that npx or a similar runner runs, and the words from the package on.
func npmOrigin(args []string) (Origin, []string) {
	rest, options := positional("npx", args)
	spec := ""
	for _, name := range []string{"-p", "--package"} {
		for _, v := range options[name] {
			spec = v
		}
	}
	if spec == "" && len(rest) > 0 {
		spec = rest[0]
	}
	for _, name := range []string{"-c", "--call"} {
		for _, line := range options[name] {
			if words := strings.Fields(line); spec == "" && len(words) > 0 {
				spec, rest = words[0], words
			}
		}
	}
	spec = strings.TrimPrefix(spec, "npm:")
	forge, repository, _ := strings.Cut(spec, ":")
	switch {
	case forge == "github", strings.HasPrefix(spec, "git+"), strings.Contains(spec, "://"), shorthand.MatchString(spec):
		return gitOrigin(spec), rest
	case forges[forge] != nil:
		return gitOrigin("https://" + forges[forge][0] + "/" + repository), rest
	}
	if isPath(spec) {
		return Origin{Source: Local, Package: spec}, rest
	}
	name, version := spec, ""
	if at := strings.LastIndexByte(spec, '@'); at > 0 {
		name, version = spec[:at], spec[at+1:]
	}
	if version == "latest" {
		version = ""
	}
	return Origin{NPM, name, version}, rest
}

// requirement splits a Python requirement into name and version.
var requirement = lazyregexp.New(`^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?(?:(?:==|@)\s*([\w.+!-]+))?`)

// pypiOrigin returns the package that uvx and pipx run.
func pypiOrigin(runner string, args []string) Origin {
	rest, options := positional(runner, args)
	spec := ""
	if len(rest) > 0 {
		spec = rest[0]
	}
	for _, name := range []string{"--from", "--spec"} {
		for _, v := range options[name] {
			spec = v
		}
	}
	if _, url, ok := strings.Cut(spec, " @ "); ok { // as in name @ git+https://…
		spec = strings.TrimSpace(url)
	}
	switch {
	case strings.HasPrefix(spec, "git+"):
		return gitOrigin(spec)
	case isPath(spec) || strings.HasPrefix(spec, "~"):
		return Origin{Source: Local, Package: spec}
	}
	m := requirement.FindStringSubmatch(spec)
	if m == nil {
		return Origin{}
	}
	version := m[2]
	if version == "latest" {
		version = ""
	}
	return Origin{PyPI, m[1], version}
}

// uvOrigin returns the origin of what uv run starts: a script, or a program of a project.
func (s commands) uvOrigin(args []string) Origin {
	rest, before := positional("uvx", args)
	if len(rest) == 0 {
		return Origin{}
	}
	var options map[string][]string
	if rest[0] == "run" {
		rest, options = positional("uvx", rest[1:])
	}
	for _, list := range []map[string][]string{before, options} {
		for _, name := range []string{"--directory", "--project"} {
			for _, dir := range list[name] {
				return Origin{Source: Local, Package: s.absolute(dir)}
			}
		}
	}
	origin := s.fileOrigin(rest)
	return withPackage(origin, options["--with"])
}

// fileOrigin returns the origin given by the first argument that is a file or a folder, or else by the
// first argument that is a program.
func (s commands) fileOrigin(args []string) Origin {
	for _, a := range args {
		if strings.HasPrefix(a, "-") {
			continue
		}
		if !windowsPath.MatchString(a) {
			a, _, _ = strings.Cut(a, ":") // the object in a Python file
		}
		if _, known := runners[filepath.Ext(a)]; known || s.stat(s.absolute(a)) != nil && strings.ContainsAny(a, `/.`) {
			if placeholder.IsPath(a) && s.isPlaceholder(a) && s.stat(s.absolute(a)) == nil {
				return Origin{Source: Local, Package: a} // it is not in the folder in which the user typed
			}
			return Origin{Source: Local, Package: s.absolute(a)}
		}
	}
	for _, a := range args {
		if !strings.HasPrefix(a, "-") && a != "run" && a != "exec" {
			return Origin{Source: Installed, Package: a}
		}
	}
	return Origin{}
}

// bridge adds a note with the URL that a program such as mcp-remote forwards to.
func bridge(server Server, words []string) Server {
	if len(words) == 0 {
		return server
	}
	name, _, _ := strings.Cut(words[0], "@")
	if name != "mcp-remote" && name != "mcp-proxy" && name != "supergateway" {
		return server
	}
	for _, w := range words[1:] {
		if webAddress.MatchString(w) {
			server.Notes = append(server.Notes, Note{Bridge, w})
			break
		}
	}
	return server
}

// Of returns the origin and a name of a server that is already split into its parts. Exactly one of
// path, command and url is set.
func Of(path, command, url string, args []string, dir string, sys System) (Origin, string) {
	command = ShownFolders(command) // the server may wait for the path of its program
	server := Server{Path: path, Command: command, Args: args, Dir: dir, Remote: Endpoint{URL: url}}
	if dir != "" {
		sys.Dir = dir
	}
	switch {
	case url != "":
		server.Origin = Origin{Source: Web, Package: webaddress.Host(url)}
	case command == "":
		server.Origin = Origin{Source: Local, Package: sys.absolute(path)}
	case isPath(command) && commandtext.ProgramName(command) == filepath.Base(command) && !commandtext.Familiar(command):
		server.Origin = Origin{Source: Local, Package: command}
		if at := slices.IndexFunc(args, func(a string) bool { _, known := runners[filepath.Ext(a)]; return known }); at >= 0 {
			server.Origin.Package = sys.absolute(args[at])
		}
	default:
		server = commands{sys}.origin(server)
	}
	return server.Origin, names{sys}.nameOf(server)
}
