package launch

import (
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/launch/commandtext"
	"goated/internal/lazyregexp"
	"goated/internal/placeholder"
)

// IsRunner reports whether a program, given by name or path, only runs the program of a server.
// Examples are npx, an interpreter and a shell. The file of a runner is not the code of a server.
func IsRunner(program string) bool { return commandtext.Familiar(program) }

// environments matches the folders of environments, whose programs are not on the search path.
var environments = lazyregexp.New(`(?i)(^|[\\/])(\.?v?env|virtualenvs|node_modules|envs)([\\/]|$)`)

// runnerAt returns how to start a runner that is given by an absolute path: with that path if it
// exists, or by its name if it does not. The path may come from another computer.
func (s commands) runnerAt(path string) (program string, ok bool) {
	name := commandtext.ProgramName(path)
	switch {
	case !commandtext.Familiar(path):
		return "", false
	case s.isFile(path):
		return path, true
	case s.installed(name) && !environments.MatchString(path):
		return name, true
	case !environments.MatchString(path) && !placeholder.Is(path) && !shells[name]:
		return name, true // a note reports that it is missing
	}
	return "", false
}

// inner returns the origin of a program that a shell or a project runner starts, as in bash -c "npx X",
// uv run python -m x, or poetry run x.
func (s commands) inner(server Server) (Origin, bool) {
	args := server.Args
	switch name := commandtext.ProgramName(server.Command); {
	case shells[name] && len(args) > 1 && shellCommand.MatchString(args[0]):
		if l, err := s.line(args[1]); err == nil {
			return l.Servers[len(l.Servers)-1].Origin, true
		}
	case slices.Contains(envRunners, name):
		if at := slices.Index(args, "--"); at >= 0 && at+1 < len(args) {
			return s.origin(Server{Kind: Program, Command: args[at+1], Args: args[at+2:], Dir: server.Dir}).Origin, true
		}
	case name == "cmd" || name == "powershell" || name == "pwsh" || name == "wsl":
		if rest, ok := commandtext.BehindShell(server.Words()); ok {
			if len(rest) == 1 {
				rest = strings.Fields(rest[0])
			}
			if len(rest) > 0 {
				return s.origin(Server{Kind: Program, Command: rest[0], Args: rest[1:], Dir: server.Dir}).Origin, true
			}
		}
	case slices.Contains(projectRunners, name):
		if dir, _, ok := commandtext.InFolder(server.Words()); ok {
			s.Dir = s.absolute(dir)
			server.Dir = s.Dir
		}
		if rest := wordsAfter(args, "run"); len(rest) > 0 {
			if rest, _ = positional("uvx", rest); len(rest) > 0 && commandtext.Familiar(rest[0]) {
				return s.origin(Server{Kind: Program, Command: rest[0], Args: rest[1:], Dir: server.Dir}).Origin, true
			}
		}
	case name == "npm" || name == "pnpm" || name == "yarn" || name == "bun":
		if len(args) > 0 && s.Dir != "" && slices.Contains([]string{"start", "run", "run-script", "dev", "serve", "mcp"}, args[0]) &&
			!(name == "bun" && len(args) > 1 && filepath.Ext(args[1]) != "") {
			return Origin{Source: Local, Package: s.Dir}, true
		}
	}
	return registryOrigin(commandtext.ProgramName(server.Command), args)
}

// shellCommand matches the option of a shell that precedes the command text, such as -lc.
var shellCommand = lazyregexp.New(`^-[a-z]*c$`)

// envRunners are programs that set variables for the command after "--".
var envRunners = []string{"dotenv", "dotenvx", "op", "doppler", "infisical", "aws-vault", "chamber", "envchain", "teller", "mise"}

// projectRunners run a program in the environment of a project.
var projectRunners = []string{"uv", "poetry", "hatch", "pdm", "rye", "pipenv", "pixi"}

// scriptRunners are packages that run a script, whose name is more specific than theirs.
var scriptRunners = []string{"tsx", "ts-node", "nodemon", "fastmcp", "mcp", "python", "node", "esno", "vite-node"}

// scriptName returns the name of the script or module that a package of scriptRunners runs, or "" if
// there is none.
func (s names) scriptName(server Server) string {
	name, _, _ := strings.Cut(server.Origin.Package, "[")
	if !slices.Contains(scriptRunners, name) {
		return ""
	}
	for i, a := range server.Args {
		file, _, _ := strings.Cut(a, ":")
		if windowsPath.MatchString(a) {
			file = a
		}
		if _, known := runners[filepath.Ext(file)]; known && !strings.HasPrefix(a, "-") {
			return s.fileName(s.absolute(file))
		}
		if a == "-m" && i+1 < len(server.Args) {
			return shortName(server.Args[i+1])
		}
	}
	return ""
}

// gitOrigin returns the repository that a runner fetches, with its branch, tag or commit.
func gitOrigin(spec string) Origin {
	spec = strings.TrimPrefix(strings.TrimPrefix(spec, "github:"), "git+")
	spec, fragment, _ := strings.Cut(spec, "#") // a commit for npm, a folder for pip
	at := strings.LastIndexByte(spec, '@')
	version := ""
	if at > strings.LastIndexByte(spec, '/') {
		spec, version = spec[:at], spec[at+1:]
	} else if !strings.Contains(fragment, "=") {
		version = strings.TrimPrefix(fragment, "semver:")
	}
	return Origin{Git, strings.TrimSuffix(strings.TrimRight(spec, "/"), ".git"), version}
}

// withPackage returns the origin of a program that uv run --with X starts. That is the package X if it
// has the name of the program.
func withPackage(origin Origin, with []string) Origin {
	for _, spec := range with {
		m := requirement.FindStringSubmatch(spec)
		if m != nil && origin.Source == Installed && strings.ReplaceAll(m[1], "_", "-") == strings.ReplaceAll(origin.Package, "_", "-") {
			return Origin{PyPI, m[1], m[2]}
		}
	}
	return origin
}

// behindOptions reports whether words are only options and their values, so that a subcommand follows.
func behindOptions(words []string) bool {
	rest, _ := positional("npx", words)
	return len(rest) == 0
}

// denoOrigin returns the npm package that deno run starts.
func denoOrigin(args []string) (Origin, bool) {
	for _, a := range args {
		if strings.HasPrefix(a, "npm:") {
			origin, _ := npmOrigin([]string{strings.Replace(a, "npm:/", "npm:", 1)})
			return origin, true
		}
		if filepath.Ext(a) != "" && !strings.HasPrefix(a, "-") {
			break
		}
	}
	return Origin{}, false
}

// Own returns the name of the goated server that a command starts, as in the configurations of other
// clients.
func Own(command string, args []string) (name string, ok bool) {
	if base := commandtext.ProgramName(command); base != "goated" && base != "goated-headless" || len(args) < 2 || args[0] != "serve" {
		return "", false
	}
	return args[1], true
}
