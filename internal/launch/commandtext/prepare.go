package commandtext

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

// Builds reports whether a script of a package builds or tests it.
func Builds(script string) bool {
	name, _, _ := strings.Cut(script, ":")
	return slices.Contains(projectScripts, name)
}

// Prepares reports whether a command installs, builds or shows something and starts no server.
func Prepares(words []string) bool {
	if ProgramName(words[0]) == "sudo" {
		for words = words[1:]; len(words) > 0 && strings.HasPrefix(words[0], "-"); words = words[1:] {
		}
		if len(words) == 0 {
			return true
		}
	}
	name, verb := ProgramName(words[0]), ""
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
		return slices.Contains([]string{"install", "i", "ci", "add", "link", "cache", "config", "login", "pack", "update"}, verb) || Builds(verb) ||
			(verb == "run" || verb == "run-script") && Builds(second) || name == "yarn" && len(words) == 1
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
