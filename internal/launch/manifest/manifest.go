// Package manifest reads the package files of projects: package.json, pyproject.toml, Cargo.toml and
// go.mod. It says what a project is called, which programs it has, and how it is built.
//
// The package reads only the bytes that it gets. It must not know servers or the file system.
package manifest

import (
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"goated/internal/lazyregexp"
)

// Rust is the part of a Cargo.toml that goated uses.
type Rust struct {
	Package struct{ Name string }
	Bin     []struct{ Name string }
}

// ReadRust parses a Cargo.toml.
func ReadRust(data []byte) (p Rust, err error) {
	err = toml.Unmarshal(data, &p)
	return p, err
}

// Programs returns the names that the built programs of the package may have.
func (p Rust) Programs() []string {
	names := []string{p.Package.Name}
	for _, b := range p.Bin {
		names = append(names, b.Name)
	}
	return names
}

var module = lazyregexp.New(`(?m)^module\s+"?([^\s"]+)`)

// GoModule returns the last part of the path of a module, from its go.mod. It leaves out the major
// version.
func GoModule(data []byte) string {
	m := module.FindSubmatch(data)
	if m == nil {
		return ""
	}
	name := regexp.MustCompile(`/v\d+$`).ReplaceAllString(string(m[1]), "")
	return name[strings.LastIndexByte(name, '/')+1:]
}

// ServersFirst returns the sorted keys of a map. Keys that suggest a server come first.
func ServersFirst[T any](m map[string]T) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	rank := func(name string) int {
		switch low := strings.ToLower(name); {
		case strings.Contains(low, "mcp"):
			return 0
		case strings.Contains(low, "server"):
			return 1
		}
		return 2
	}
	slices.SortFunc(names, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return names
}
