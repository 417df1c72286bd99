package launch

import (
	"slices"
	"strings"
)

// unlaunching are programs of a shell that start no server, in the lines around a command.
var unlaunching = []string{
	"brew", "apt", "apt-get", "dnf", "yum", "pacman", "apk", "winget", "choco", "scoop", "snap", "curl", "wget", "git", "gh", "make", "conda", "docker-compose",
	"pytest", "rm", "rmdir", "tail", "head", "echo", "printf", "nano", "vim", "vi", "ssh", "ping", "kill", "pkill", "taskkill", "xattr",
}

// projectScripts are what the packages of a project run to build and test it. A name may go on
// behind ":".
var projectScripts = []string{"build", "compile", "test", "t", "tests", "watch", "lint", "format", "typecheck", "inspector", "inspect", "setup", "logs", "release", "publish", "clean"}

// builds reports whether a script of a package builds or tests it.
func builds(script string) bool {
	name, _, _ := strings.Cut(script, ":")
	return slices.Contains(projectScripts, name)
}

// prepares reports whether a command installs, builds or shows something and starts no server.
func prepares(words []string) bool {
	if programName(words[0]) == "sudo" {
		for words = words[1:]; len(words) > 0 && strings.HasPrefix(words[0], "-"); words = words[1:] {
		}
		if len(words) == 0 {
			return true
		}
	}
	name, verb := programName(words[0]), ""
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			verb = w
			break
		}
	}
	second := "" // behind the verb
	if len(words) > 2 {
		second = words[2]
	}
	if len(words) == 2 && (words[1] == "--version" || words[1] == "--help") || slices.Contains(unlaunching, name) {
		return true
	}
	switch name {
	case "npm", "pnpm", "yarn", "bun":
		return slices.Contains([]string{"install", "i", "ci", "add", "link", "cache", "config", "login", "pack", "update"}, verb) || builds(verb) ||
			(verb == "run" || verb == "run-script") && builds(second) || name == "yarn" && len(words) == 1
	case "pip", "pip3":
		return verb == "install" || verb == "download"
	case "pipx":
		return verb != "run"
	case "uv":
		return slices.Contains([]string{"pip", "add", "sync", "venv", "init", "lock", "python", "build", "publish", "self", "cache", "export", "tree", "version"}, verb) ||
			verb == "tool" && second == "install" || verb == "run" && slices.Contains([]string{"pytest", "ruff", "mypy", "pyright", "pre-commit"}, second)
	case "python", "python3", "py":
		return len(words) > 3 && words[1] == "-m" && (second == "pip" || second == "venv") || len(words) > 2 && words[1] == "-m" && (second == "venv" || second == "pytest")
	case "go":
		return verb == "install" || verb == "get" || verb == "mod" || verb == "build" || verb == "test"
	case "cargo":
		return verb == "install" || verb == "build" || verb == "add" || verb == "test"
	case "dotnet":
		return slices.Contains([]string{"build", "restore", "publish", "pack", "add", "test", "new"}, verb) || verb == "tool" && second != "exec" && second != "run"
	case "nix":
		return !slices.Contains(words, "run") && !slices.Contains(words, "shell") && !slices.Contains(words, "develop")
	case "jbang":
		return slices.Contains([]string{"app", "trust", "build", "catalog", "alias", "init", "edit", "jdk"}, verb)
	case "poetry":
		return verb != "run"
	case "docker", "podman":
		if verb == "compose" { // the last word of "up" is no image
			return !slices.Contains(words, "run") && !slices.Contains(words, "exec")
		}
		return slices.Contains([]string{"pull", "build", "login", "logs", "ps", "stop", "rm", "volume", "network"}, verb)
	}
	return false
}

// preparing returns the problem for lines that only install or build. Its detail is the
// command that starts the package, if the name of the package shows it.
func (s commands) preparing(line string) *Problem {
	words := strings.Fields(line)
	p := &Problem{Kind: Installs, Subject: short(line)}
	last := words[len(words)-1]
	if len(words) < 3 || strings.HasPrefix(last, "-") || isPath(last) || last == "install" {
		return p
	}
	switch programName(words[0]) {
	case "npm", "pnpm", "yarn", "bun":
		if !builds(words[1]) && words[1] != "run" {
			p.Detail = "npx -y " + last
		}
	case "pip", "pip3", "pipx", "uv", "python", "python3":
		if !strings.HasSuffix(last, ".txt") && last != "sync" && !strings.ContainsAny(last, "[/") {
			p.Detail = "uvx " + last
		}
	case "docker", "podman":
		if words[1] != "compose" {
			p.Detail = words[0] + " run -i --rm " + last
		}
	}
	return p
}

// runsInstalled returns words that start a program of the package that an earlier line installs,
// where this computer does not have the program. The program may stand behind the words of a client.
func (s commands) runsInstalled(installs, program string, words []string) ([]string, bool) {
	at := slices.Index(words, "--") + 1 // in front of that stands the name that the client gives it
	if found := slices.Index(words[at:], program); found >= 0 {
		at += found
	} else {
		at = slices.Index(words, program)
	}
	if installs == "" || at < 0 || isPath(program) {
		return nil, false
	}
	runner := strings.Fields(s.preparing(installs).Detail)
	if len(runner) == 0 || runner[0] != "uvx" && runner[0] != "npx" {
		return nil, false
	}
	name, _, _ := strings.Cut(runner[len(runner)-1], "@")
	if strings.ReplaceAll(name, "_", "-") != strings.ReplaceAll(program, "_", "-") {
		option := "--from"
		if runner[0] == "npx" {
			option = "--package"
		}
		runner = append(slices.Insert(runner, len(runner)-1, option), program)
	}
	return slices.Concat(words[:at], runner, words[at+1:]), true
}

// setUp are the words behind a package that let it configure clients or itself, and start no
// server.
var setUp = []string{"install", "setup", "init", "uninstall", "remove", "configure"}

// configures returns the problem of a package that only sets up something, such as npx X setup.
func (s commands) configures(words []string) error {
	var rest []string
	switch programName(words[0]) {
	case "npx", "bunx", "pnpx":
		_, rest = npmOrigin(words[1:])
	case "uvx":
		rest, _ = positional("uvx", words[1:])
	case "mcp", "fastmcp":
		rest = words
	}
	if len(rest) < 2 || !slices.Contains(setUp, rest[1]) || s.stat(s.absolute(rest[1])) != nil {
		return nil
	}
	p := &Problem{Kind: Configures, Subject: short(strings.Join(words, " "))}
	if rest[1] == "setup" {
		p.Detail = strings.Join(words[:len(words)-len(rest)+1], " ")
	}
	return p
}
