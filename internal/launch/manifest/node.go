package manifest

import (
	"encoding/json"
	"strings"
)

// Node is the part of a package.json that goated uses.
type Node struct {
	Name         string            `json:"name"`
	Bin          json.RawMessage   `json:"bin"`
	Main         string            `json:"main"`
	Module       string            `json:"module"`
	Scripts      map[string]string `json:"scripts"`
	Dependencies map[string]string `json:"dependencies"`
}

// ReadNode parses a package.json.
func ReadNode(data []byte) (p Node, err error) {
	err = json.Unmarshal(data, &p)
	return p, err
}

// NodeName returns the name in a package.json, or "" if it has none.
func NodeName(data []byte) string {
	var p struct{ Name string }
	_ = json.Unmarshal(data, &p) // a damaged file has no name
	return p.Name
}

// Start returns the file that the package starts: its program or its main module.
func (p Node) Start() string {
	var one string
	if json.Unmarshal(p.Bin, &one) == nil && one != "" {
		return one
	}
	var several map[string]string
	_ = json.Unmarshal(p.Bin, &several)
	_, own, _ := strings.Cut("/"+p.Name, "/")
	if i := strings.LastIndexByte(own, '/'); i >= 0 {
		own = own[i+1:]
	}
	if path := several[own]; path != "" {
		return path
	}
	for _, name := range p.Programs() {
		return several[name]
	}
	if p.Main != "" {
		return p.Main
	}
	return p.Module
}

// Programs returns the names of the package's programs. Names that suggest a server come first.
func (p Node) Programs() []string {
	var one string
	if json.Unmarshal(p.Bin, &one) == nil && one != "" {
		return []string{p.Name}
	}
	var several map[string]string
	_ = json.Unmarshal(p.Bin, &several)
	return ServersFirst(several)
}

// Build returns the command that builds the package.
func (p Node) Build() string {
	for _, name := range []string{"build", "prepare", "compile"} {
		if p.Scripts[name] != "" {
			return "npm install && npm run " + name
		}
	}
	return "npm install"
}
