package diagnose

import "slices"

// A product is the software that contains an interpreter.
type product struct {
	name, page string
	packages   map[string][]string // by package manager
}

// products maps the names of programs to products.
var products = map[string]product{
	"node": {"Node.js", "https://nodejs.org/en/download", map[string][]string{
		"apt-get": {"nodejs", "npm"}, "dnf": {"nodejs", "npm"}, "zypper": {"nodejs", "npm"}, "pacman": {"nodejs", "npm"},
		"apk": {"nodejs", "npm"}, "brew": {"node"}, "winget": {"OpenJS.NodeJS.LTS"},
	}},
	"python3": {"Python", "https://www.python.org/downloads", map[string][]string{
		"apt-get": {"python3", "python3-venv"}, "dnf": {"python3"}, "zypper": {"python3"}, "pacman": {"python"},
		"apk": {"python3"}, "brew": {"python"}, "winget": {"Python.Python.3.13"},
	}},
	"uv": {"uv", "https://docs.astral.sh/uv", map[string][]string{
		"dnf": {"uv"}, "zypper": {"uv"}, "pacman": {"uv"}, "apk": {"uv"}, "brew": {"uv"}, "winget": {"astral-sh.uv"},
	}},
	"pipx": {"pipx", "https://pipx.pypa.io", map[string][]string{
		"apt-get": {"pipx"}, "dnf": {"pipx"}, "pacman": {"python-pipx"}, "apk": {"pipx"}, "brew": {"pipx"},
	}},
	"bun":    {"Bun", "https://bun.sh", map[string][]string{"brew": {"oven-sh/bun/bun"}, "winget": {"Oven-sh.Bun"}}},
	"deno":   {"Deno", "https://deno.com", map[string][]string{"pacman": {"deno"}, "apk": {"deno"}, "brew": {"deno"}, "winget": {"DenoLand.Deno"}}},
	"docker": {"Docker", "https://docs.docker.com/get-started/get-docker", nil},
	"go": {"Go", "https://go.dev/dl", map[string][]string{
		"apt-get": {"golang-go"}, "dnf": {"golang"}, "zypper": {"go"}, "pacman": {"go"},
		"apk": {"go"}, "brew": {"go"}, "winget": {"GoLang.Go"},
	}},
}

// managers lists the package managers in order of preference.
var managers = []struct {
	program string
	install []string
	sudo    bool // it needs root on Unix
}{
	{"brew", []string{"install"}, false},
	{"apt-get", []string{"install"}, true},
	{"dnf", []string{"install"}, true},
	{"zypper", []string{"install"}, true},
	{"pacman", []string{"-S"}, true},
	{"apk", []string{"add"}, true},
	{"winget", []string{"install"}, false},
}

// contained maps each program that comes with another one to that one.
var contained = map[string]string{"python": "python3", "npm": "node", "npx": "node", "uvx": "uv", "bunx": "bun"}

// productOf returns the product of a program, or the zero product for an unknown one.
func productOf(program string) product {
	if of := contained[program]; of != "" {
		program = of
	}
	return products[program]
}

// install returns the command that installs the product with the first package manager on this
// machine. It returns nil if there is none.
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
