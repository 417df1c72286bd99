package manifest

import (
	"cmp"
	"slices"

	"github.com/BurntSushi/toml"
)

// Python is the part of a pyproject.toml that goated uses.
type Python struct {
	Project struct {
		Name    string
		Scripts map[string]string
	}
	Tool struct {
		Poetry struct {
			Name    string
			Scripts map[string]any
		}
	}
}

// ReadPython parses a pyproject.toml.
func ReadPython(data []byte) (p Python, err error) {
	err = toml.Unmarshal(data, &p)
	return p, err
}

// PythonName returns the name of the project in a pyproject.toml, or "" if it has none.
func PythonName(data []byte) string {
	var p struct{ Project struct{ Name string } }
	_ = toml.Unmarshal(data, &p) // a damaged file has no name
	return p.Project.Name
}

// Name returns the name of the project.
func (p Python) Name() string { return cmp.Or(p.Project.Name, p.Tool.Poetry.Name) }

// Script returns the program of the project: the one with the project's name, or the first of those
// that suggest a server. It returns "" if there is none.
func (p Python) Script() string {
	scripts := ServersFirst(p.Project.Scripts)
	if len(scripts) == 0 {
		scripts = ServersFirst(p.Tool.Poetry.Scripts)
	}
	switch {
	case len(scripts) == 0:
		return ""
	case slices.Contains(scripts, p.Name()):
		return p.Name()
	}
	return scripts[0]
}
