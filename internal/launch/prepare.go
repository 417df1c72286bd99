package launch

import "strings"

// prepares reports whether a command installs or builds and starts no server.
func prepares(words []string) bool {
	name, verb := programName(words[0]), ""
	for _, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			verb = w
			break
		}
	}
	switch name {
	case "npm", "pnpm", "yarn", "bun":
		return verb == "install" || verb == "i" || verb == "ci" || verb == "add" || verb == "link" ||
			verb == "run" && len(words) > 2 && (words[2] == "build" || words[2] == "compile") || name == "yarn" && (len(words) == 1 || verb == "build")
	case "pip", "pip3":
		return verb == "install" || verb == "download"
	case "pipx":
		return verb != "run"
	case "uv":
		return verb == "pip" || verb == "add" || verb == "sync" || verb == "venv" || verb == "init" || verb == "lock" ||
			verb == "tool" && len(words) > 2 && words[2] == "install"
	case "python", "python3", "py":
		return len(words) > 3 && words[1] == "-m" && (words[2] == "pip" || words[2] == "venv") || len(words) > 2 && words[1] == "-m" && words[2] == "venv"
	case "go":
		return verb == "install" || verb == "get" || verb == "mod" || verb == "build"
	case "cargo":
		return verb == "install" || verb == "build" || verb == "add"
	case "brew", "apt", "apt-get", "dnf", "yum", "pacman", "apk", "winget", "choco", "scoop", "snap", "curl", "wget", "git", "gh", "make", "poetry", "conda":
		return name != "poetry" || verb != "run"
	case "docker", "podman":
		return verb == "pull" || verb == "build" || verb == "compose" || verb == "login"
	}
	return false
}

// preparing returns the problem for lines that only install or build. Its detail is the
// command that starts the package, if the name of the package shows it.
func (s commands) preparing(line string) error {
	words := strings.Fields(line)
	p := &Problem{Kind: Installs, Subject: short(line)}
	last := words[len(words)-1]
	if len(words) < 3 || strings.HasPrefix(last, "-") || isPath(last) || last == "install" {
		return p
	}
	switch programName(words[0]) {
	case "npm", "pnpm", "yarn", "bun":
		p.Detail = "npx -y " + last
	case "pip", "pip3", "pipx", "uv", "python", "python3":
		if !strings.HasSuffix(last, ".txt") && last != "sync" && !strings.ContainsAny(last, "[/") {
			p.Detail = "uvx " + last
		}
	case "docker", "podman":
		p.Detail = words[0] + " run -i --rm " + last
	}
	return p
}
