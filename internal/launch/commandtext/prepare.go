package commandtext

import (
	"slices"
	"strings"
)

// unlaunching are commands around a server's command that start no server themselves.
var unlaunching = strings.Fields(`brew apt apt-get dnf yum pacman yay zypper apk dpkg rpm winget choco scoop snap gem corepack asdf nvm fnm volta rustup
	curl wget irm iwr Invoke-WebRequest Set-ExecutionPolicy New-Item git gh make conda docker-compose helm kubectl az aws gcloud systemctl launchctl
	pytest black mypy flake8 ruff tsc rm rmdir ln install find grep sed tail head echo printf tee tar unzip nano vim vi open notepad
	ping kill pkill taskkill lsof xattr openssl uuidgen mkcert psql sqlite3 mysql redis-cli ollama ngrok`)

// runVerbs are the subcommands with which programs that usually prepare run another program.
var runVerbs = map[string][]string{
	"conda": {"run"}, "fnm": {"exec"}, "nvm": {"exec", "run"}, "asdf": {"exec"}, "volta": {"run"}, "rustup": {"run"}, "gem": {"exec"},
	"corepack": {"npm", "npx", "pnpm", "pnpx", "yarn"}, "kubectl": {"exec", "run", "attach"}, "docker-compose": {"run", "exec"},
}

// starts are the Makefile targets that start a server.
var starts = []string{"run", "start", "serve", "server", "mcp", "dev", "stdio"}

// projectScripts are the package scripts that build and test a project. Text may follow the name after
// a ":".
var projectScripts = strings.Fields(`build compile rebuild test t tests watch lint format typecheck type-check check inspector inspect setup logs
	release publish clean docs coverage generate validate changelog deploy e2e knip`)

// checks are the Python modules that build and test a project.
var checks = []string{"pytest", "unittest", "ruff", "mypy", "pyright", "black", "flake8", "isort", "pre-commit", "twine", "build"}

// Builds reports whether a package script builds or tests the package.
func Builds(script string) bool {
	name, _, _ := strings.Cut(script, ":")
	return slices.Contains(projectScripts, name)
}

// Installs reports whether a preparing command installs or builds a program.
func Installs(words []string) bool {
	return slices.ContainsFunc(words[:min(len(words), 5)], func(w string) bool {
		return slices.Contains([]string{"install", "i", "ci", "add", "clone", "pull", "sync", "build", "get", "restore", "download", "publish", "curl", "wget", "irm", "make"}, w)
	})
}

// InstallsPackage reports whether a command of a Python installer installs a package, rather than a
// project or Python itself.
func InstallsPackage(words []string) bool {
	switch words[1] {
	case "-m":
		return words[2] == "pip"
	case "python", "build", "sync":
		return false
	}
	return true
}

// Asks reports whether a command only prints its help or its version.
func Asks(words []string) bool {
	last := words[len(words)-1]
	return len(words) > 1 && (last == "--help" || last == "--version") || len(words) == 2 && slices.Contains([]string{"-v", "-V", "-h", "help", "version"}, last)
}

// Prepares reports whether a command installs, builds or shows something and starts no server.
func Prepares(words []string) bool {
	if ProgramName(words[0]) == "sudo" {
		if words = AfterSudo(words); len(words) == 0 {
			return true
		}
	}
	dir, words, _ := InFolder(words)
	words = withoutChoice(words)
	name, verb := ProgramName(words[0]), ""
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			verb = w
			break
		}
	}
	second := "" // the word after the verb
	if len(words) > 2 {
		second = words[2]
	}
	if Asks(words) {
		return true
	}
	if slices.Contains(unlaunching, name) {
		return (name != "make" || dir == "" || !slices.Contains(starts, verb)) && !has(words, runVerbs[name]...)
	}
	switch name {
	case "claude", "gemini", "codex": // the client itself
		return verb == "" || words[1] != verb && !has(words, "mcp", "mcp-server")
	case "code", "code-insiders", "cursor", "windsurf", "zed":
		return !slices.Contains(words, "--add-mcp")
	case "mvn", "mvnw", "gradle", "gradlew":
		return !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(w, "run") || strings.Contains(w, "exec") })
	case "npm", "pnpm", "yarn", "bun":
		return slices.Contains(strings.Fields("install i ci add link cache config login pack update uninstall audit version view outdated list ls"), verb) || Builds(verb) ||
			(verb == "run" || verb == "run-script") && Builds(second) || name == "yarn" && len(words) == 1
	case "pip", "pip3":
		return true
	case "ssh": // not a session, a tunnel, or a command that only prepares the other computer
		_, command, _ := OverSSH(words)
		command = LastCommand(command)
		return len(command) == 0 || command[0] == "cd" || IsOfShell(command[0]) || Prepares(command)
	case "pipx":
		return verb != "run"
	case "uv":
		return slices.Contains([]string{"pip", "add", "sync", "venv", "init", "lock", "python", "build", "publish", "self", "cache", "export", "tree", "version"}, verb) ||
			verb == "tool" && second != "run" || verb == "run" && runsCheck(words)
	case "python", "python3", "py":
		return len(words) > 2 && words[1] == "-m" && (second == "pip" || second == "venv" || slices.Contains(checks, second))
	case "go":
		return slices.Contains([]string{"install", "get", "mod", "build", "test", "env", "vet", "fmt", "generate", "work", "clean"}, verb)
	case "cargo":
		return slices.Contains([]string{"install", "binstall", "build", "add", "test", "check", "clippy", "fmt", "bench", "doc", "update", "clean"}, verb)
	case "dotnet":
		return slices.Contains(strings.Fields("build restore publish pack add test new clean format sln ef package dev-certs user-secrets workload nuget list"), verb) || verb == "tool" && second != "exec" && second != "run"
	case "nix":
		return !slices.Contains(words, "run") && !slices.Contains(words, "shell") && !(verb == "develop" && (slices.Contains(words, "-c") || slices.Contains(words, "--command")))
	case "jbang":
		return slices.Contains([]string{"app", "trust", "build", "catalog", "alias", "init", "edit", "jdk"}, verb)
	case "poetry", "pdm":
		return !has(words, "run")
	case "pixi":
		return !has(words, "run", "exec", "x")
	case "mix":
		return strings.HasSuffix(verb, ".install") || slices.Contains([]string{"deps.get", "compile", "test", "format", "archive.build"}, verb)
	case "clojure":
		return strings.HasPrefix(second, "install") || slices.Contains(words, "-Ttools")
	case "bundle":
		return verb != "exec"
	case "mise":
		return !has(words, "x", "exec", "run", "r")
	case "docker", "podman":
		if verb == "compose" { // the last word of "up" is not an image
			return !slices.Contains(words, "run") && !slices.Contains(words, "exec")
		}
		return slices.Contains([]string{"pull", "build", "login", "logs", "ps", "stop", "rm", "volume", "network", "images", "inspect", "tag", "push"}, verb)
	}
	return false
}

// has reports whether the arguments of a command contain one of several words.
func has(words []string, some ...string) bool {
	return slices.ContainsFunc(words[1:], func(w string) bool { return slices.Contains(some, w) })
}

// choices lists the options that select a package in a workspace by its name, which may equal a verb.
var choices = map[string][]string{"npm": {"-w", "--workspace"}, "pnpm": {"-F", "--filter"}, "bun": {"-F", "--filter"}}

// withoutChoice removes the options that select a package in a workspace.
func withoutChoice(words []string) []string {
	options := choices[ProgramName(words[0])]
	for i := 1; i+1 < len(words) && words[i] != "--"; i++ {
		if slices.Contains(options, words[i]) {
			words = slices.Delete(slices.Clone(words), i, i+2)
			i--
		}
	}
	return words
}

// valued are the options of "uv run" that take a value.
var valued = strings.Fields(`--with --with-editable --with-requirements --from --extra --group --only-group --python -p --project --directory --env-file
	--package --index --default-index --index-url --extra-index-url --find-links --config-file --cache-dir --refresh-package`)

// runsCheck reports whether "uv run" runs a module that only builds or tests a project.
func runsCheck(words []string) bool {
	for i := slices.Index(words, "run") + 1; i < len(words); i++ {
		switch w := words[i]; {
		case slices.Contains(valued, w):
			i++
		case w == "-m" || w == "--module" || strings.HasPrefix(ProgramName(w), "python"): // the module follows
		case !strings.HasPrefix(w, "-"):
			return w != "build" && slices.Contains(checks, w)
		}
	}
	return false
}
