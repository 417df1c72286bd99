package diagnose

import "slices"

// A product is the software that contains an interpreter.
type product struct {
	name, page string
	packages   map[string][]string // by package manager
}

// products by program name.
var products = map[string]product{
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

// managers are the package managers in order of preference.
var managers = []struct {
	program string
	install []string
	sudo    bool // it needs the administrator on Unix
}{
	{"brew", []string{"install"}, false},
	{"apt-get", []string{"install"}, true},
	{"dnf", []string{"install"}, true},
	{"zypper", []string{"install"}, true},
	{"pacman", []string{"-S"}, true},
	{"apk", []string{"add"}, true},
	{"winget", []string{"install"}, false},
}

// productOf returns the zero product for programs that it does not know.
func productOf(program string) product {
	if program == "python" {
		program = "python3"
	}
	return products[program]
}

// install returns the command that installs the product by the first package
// manager on this machine; nil if there is none.
func (p product) install(m Machine) []string {
	for _, manager := range managers {
		names := p.packages[manager.program]
		if len(names) == 0 || m.Installed == nil || !m.Installed(manager.program) {
			continue
		}
		argv := slices.Concat([]string{manager.program}, manager.install, names)
		if manager.sudo && !m.Windows && !m.Root {
			argv = append([]string{"sudo"}, argv...)
		}
		return argv
	}
	return nil
}
