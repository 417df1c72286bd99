package client

import (
	"os"
	"runtime"

	"goated/internal/proc"
)

// A source is where an interpreter comes from.
type source struct {
	name, page string
	packages   map[string][]string // by the manager
}

// sources of what runs servers, by the program's name.
var sources = map[string]source{
	"node": {"Node.js", "https://nodejs.org/en/download", map[string][]string{
		"apt-get": {"nodejs", "npm"}, "dnf": {"nodejs", "npm"}, "zypper": {"nodejs", "npm"}, "pacman": {"nodejs", "npm"},
		"apk": {"nodejs", "npm"}, "brew": {"node"}, "winget": {"OpenJS.NodeJS.LTS"},
	}},
	"python3": {"Python", "https://www.python.org/downloads", map[string][]string{
		"apt-get": {"python3", "python3-venv"}, "dnf": {"python3"}, "zypper": {"python3"}, "pacman": {"python"},
		"apk": {"python3"}, "brew": {"python"}, "winget": {"Python.Python.3.13"},
	}},
	"go": {"Go", "https://go.dev/dl", map[string][]string{
		"apt-get": {"golang-go"}, "dnf": {"golang"}, "zypper": {"go"}, "pacman": {"go"},
		"apk": {"go"}, "brew": {"go"}, "winget": {"GoLang.Go"},
	}},
}

// managers are the commands of package managers, in the order in which they are
// looked for; those that change the whole system need its administrator.
var managers = []struct {
	program string
	install []string
	own     bool // works for the user alone
}{
	{"brew", []string{"install"}, true},
	{"apt-get", []string{"install"}, false},
	{"dnf", []string{"install"}, false},
	{"zypper", []string{"install"}, false},
	{"pacman", []string{"-S"}, false},
	{"apk", []string{"add"}, false},
	{"winget", []string{"install"}, true},
}

// sourceOf is where a program comes from; Python has two names.
func sourceOf(program string) source {
	if program == "python" {
		program = "python3"
	}
	return sources[program]
}

// install is the command that installs a program on this system, by the first
// package manager on the search path; nil if there is none.
func (s source) install(path string) []string {
	for _, m := range managers {
		names := s.packages[m.program]
		if _, err := proc.LookPath(m.program, path); err != nil || len(names) == 0 {
			continue
		}
		argv := append(append([]string{m.program}, m.install...), names...)
		if !m.own && runtime.GOOS != "windows" && os.Geteuid() != 0 {
			argv = append([]string{"sudo"}, argv...)
		}
		return argv
	}
	return nil
}
