package client

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// defaultName is the name of a server without a configured one: its file name without
// extension, or the name of its npm package if the file has a common name.
func defaultName(path string) string {
	base := filepath.Base(path)
	name := strings.TrimSuffix(base, filepath.Ext(base))
	if filepath.Ext(path) != ".js" || !slices.Contains([]string{"index", "main", "server", "cli", "app", "bin", "start"}, name) {
		return name
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return name
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if short := shortName(packageName(filepath.Join(dir, "package.json"))); short != "" {
			return short
		}
		if dir == filepath.Dir(dir) {
			return name
		}
	}
}

// maxPackage bounds the part of a package.json that is read.
const maxPackage = 1 << 20

// packageName is the name in a package.json; empty if it has none.
func packageName(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxPackage))
	if err != nil {
		return ""
	}
	var p struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(data, &p) // one that is damaged has no name
	return p.Name
}

// shortName is a package's name without the common words of servers: "files" of
// "@modelcontextprotocol/server-files", "acme" of "@acme/mcp".
func shortName(name string) string {
	scope, rest, scoped := strings.Cut(name, "/")
	if !scoped {
		scope, rest = "", name
	}
	words := strings.FieldsFunc(rest, func(r rune) bool { return r == '-' || r == '_' || r == '.' })
	usual := func(w string) bool { return w == "mcp" || w == "server" }
	for len(words) > 0 && usual(words[0]) {
		words = words[1:]
	}
	for len(words) > 0 && usual(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	switch {
	case len(words) > 0:
		return strings.Join(words, "-")
	case scope != "":
		return strings.TrimPrefix(scope, "@")
	}
	return rest
}
