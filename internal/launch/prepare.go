package launch

import (
	"slices"
	"strings"

	"goated/internal/launch/commandtext"
)

// preparing returns the problem for a command that only installs or builds. If the package name allows
// it, Detail is the command that starts the package.
func (s commands) preparing(line string) *Problem {
	words := strings.Fields(line)
	last := words[len(words)-1]
	if commandtext.Asks(words) {
		p := &Problem{Kind: StartsNothing, Subject: short(line)}
		if len(words) > 2 {
			p.Detail = strings.Join(words[:len(words)-1], " ")
		}
		return p
	}
	if !commandtext.Installs(words) {
		return &Problem{Kind: StartsNothing, Subject: short(line)}
	}
	p := &Problem{Kind: Installs, Subject: short(line)}
	if len(words) < 3 || strings.HasPrefix(last, "-") || isPath(last) || last == "install" {
		return p
	}
	switch commandtext.ProgramName(words[0]) {
	case "npm", "pnpm", "yarn", "bun":
		if !commandtext.Builds(words[1]) && words[1] != "run" {
			p.Detail = "npx -y " + last
		}
	case "pip", "pip3", "pipx", "uv", "python", "python3":
		if commandtext.InstallsPackage(words) && !strings.HasSuffix(last, ".txt") && last != "sync" && !strings.ContainsAny(last, "[/") {
			p.Detail = "uvx " + last
		}
	case "go":
		if words[1] == "install" && strings.Contains(last, "@") {
			p.Detail = "go run " + last
		}
	case "dotnet":
		if i := slices.Index(words, "install"); words[1] == "tool" && i > 0 && !slices.Contains(words, "--version") {
			p.Detail = "dnx " + last + " --yes"
		}
	case "docker", "podman":
		if words[1] != "compose" {
			p.Detail = words[0] + " run -i --rm " + last
		}
	}
	return p
}

// runsInstalled returns words that start a program from the package that an earlier line installs, if
// this computer lacks the program. The program may follow the words of a client that adds a server.
func (s commands) runsInstalled(installs, program string, words []string) ([]string, bool) {
	at := slices.Index(words, "--") + 1 // the name that the client gives it precedes --
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

// setUp are the words after a package that make it configure clients or itself. The package then starts
// no server.
var setUp = []string{"install", "setup", "init", "uninstall", "remove", "configure", "add"}

// once are the words after a package that make it do something once instead of starting its server.
var once = []string{"auth", "login", "logout", "help", "version"}

// noServers are npm packages that contain no server.
var noServers = []string{"mcporter", "skills", "add-skill", "clear-npx-cache", "plop"}

// configures returns the problem for a package that only sets something up, as in npx X setup.
func (s commands) configures(words []string) error {
	var rest []string
	switch commandtext.ProgramName(words[0]) {
	case "npx", "bunx", "pnpx":
		var origin Origin
		origin, rest = npmOrigin(words[1:])
		if origin.Source == NPM && (slices.Contains(noServers, origin.Package) || strings.HasPrefix(origin.Package, "create-") || strings.Contains(origin.Package, "/create-")) {
			return &Problem{Kind: StartsNothing, Subject: short(strings.Join(words, " "))}
		}
	case "uvx":
		rest, _ = positional("uvx", words[1:])
	case "mcp", "fastmcp":
		rest = words
	}
	if len(rest) == 2 && slices.Contains(once, rest[1]) && s.stat(s.absolute(rest[1])) == nil {
		return &Problem{Kind: StartsNothing, Subject: short(strings.Join(words, " ")), Detail: strings.Join(words[:len(words)-1], " ")}
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
