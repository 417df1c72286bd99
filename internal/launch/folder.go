package launch

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"goated/internal/lazyregexp"
)

// folder returns the server in a folder. It uses the package file, or a script with a usual name if
// there is no package file.
func (s files) folder(dir string, args []string) (Server, error) {
	for _, read := range []func(string, []string) (Server, bool, error){s.nodeFolder, s.pythonFolder, s.goFolder, s.rustFolder} {
		if server, ok, err := read(dir, args); ok || err != nil {
			return server, err
		}
	}
	for _, name := range []string{
		"server.py", "main.py", "mcp_server.py", "app.py", "__main__.py", "src/server.py", "src/main.py",
		"index.js", "server.js", "main.js", "dist/index.js", "build/index.js", "src/index.js", "index.mjs", "server.mjs", "index.ts", "server.ts", "src/index.ts",
	} {
		if path := filepath.Join(dir, filepath.FromSlash(name)); s.isFile(path) {
			return s.file(path, args)
		}
	}
	return Server{}, &Problem{Kind: NothingInside, Subject: dir}
}

// A nodePackage is the part of a package.json that goated uses.
type nodePackage struct {
	Name         string            `json:"name"`
	Bin          json.RawMessage   `json:"bin"`
	Main         string            `json:"main"`
	Module       string            `json:"module"`
	Scripts      map[string]string `json:"scripts"`
	Dependencies map[string]string `json:"dependencies"`
}

// nodeFolder returns the server of a folder with a package.json.
func (s files) nodeFolder(dir string, args []string) (Server, bool, error) {
	file := filepath.Join(dir, "package.json")
	if !s.isFile(file) {
		return Server{}, false, nil
	}
	var p nodePackage
	if err := json.Unmarshal(s.text(file), &p); err != nil {
		return Server{}, false, &Problem{Kind: BadSyntax, Subject: file, Detail: err.Error()}
	}
	start := p.start()
	if start == "" {
		return Server{}, false, nil // there may be a script with a usual name
	}
	path := filepath.Join(dir, filepath.FromSlash(start))
	switch info := s.stat(path); {
	case info != nil && info.IsDir():
		path = filepath.Join(path, "index.js")
	case info == nil && filepath.Ext(path) == "" && s.isFile(path+".js"):
		path += ".js"
	}
	if !s.isFile(path) {
		if len(p.binNames()) == 0 { // "main" is often the index.js of npm init, which does not exist
			return Server{}, false, nil
		}
		return Server{}, false, &Problem{Kind: NotBuilt, Subject: path, Detail: p.build()}
	}
	server, err := s.nodeFile(path, args)
	server.Origin = Origin{Source: Local, Package: dir}
	server.Name = shortName(p.Name)
	if len(p.Dependencies) > 0 && !s.isDir(filepath.Join(dir, "node_modules")) && !s.isDir(filepath.Join(filepath.Dir(dir), "node_modules")) {
		server.Notes = append(server.Notes, Note{NotInstalled, dir})
	}
	return server, err == nil, err
}

// nodeFile returns the server for a file that npm would run with node, whatever its extension.
func (s files) nodeFile(path string, args []string) (Server, error) {
	if _, known := runners[filepath.Ext(path)]; known {
		return s.file(path, args)
	}
	return Server{Kind: Program, Command: "node", Args: append([]string{path}, args...)}, nil
}

// start returns the file that the package starts: its program or its main module.
func (p nodePackage) start() string {
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
	for _, name := range p.binNames() {
		return several[name]
	}
	if p.Main != "" {
		return p.Main
	}
	return p.Module
}

// binNames returns the names of the package's programs. Names that suggest a server come first.
func (p nodePackage) binNames() []string {
	var one string
	if json.Unmarshal(p.Bin, &one) == nil && one != "" {
		return []string{p.Name}
	}
	var several map[string]string
	_ = json.Unmarshal(p.Bin, &several)
	return serversFirst(several)
}

// build returns the command that builds the package.
func (p nodePackage) build() string {
	for _, name := range []string{"build", "prepare", "compile"} {
		if p.Scripts[name] != "" {
			return "npm install && npm run " + name
		}
	}
	return "npm install"
}

// serversFirst returns the sorted keys of a map. Keys that suggest a server come first.
func serversFirst[T any](m map[string]T) []string {
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

// pythonFolder returns the server of a folder with a pyproject.toml.
func (s files) pythonFolder(dir string, args []string) (Server, bool, error) {
	file := filepath.Join(dir, "pyproject.toml")
	if !s.isFile(file) {
		return Server{}, false, nil
	}
	var p struct {
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
	if err := toml.Unmarshal(s.text(file), &p); err != nil {
		return Server{}, false, &Problem{Kind: BadSyntax, Subject: file, Detail: err.Error()}
	}
	name, scripts := p.Project.Name, serversFirst(p.Project.Scripts)
	if name == "" {
		name = p.Tool.Poetry.Name
	}
	if len(scripts) == 0 {
		scripts = serversFirst(p.Tool.Poetry.Scripts)
	}
	if len(scripts) == 0 {
		return Server{}, false, nil
	}
	script := scripts[0]
	if slices.Contains(scripts, name) {
		script = name
	}
	server := Server{Kind: Program, Args: args, Name: shortName(name), Origin: Origin{Source: Local, Package: dir}}
	for _, in := range []string{".venv/bin/" + script, "venv/bin/" + script, ".venv/Scripts/" + script + ".exe"} {
		if path := filepath.Join(dir, filepath.FromSlash(in)); s.isFile(path) {
			server.Command = path
			return server, true, nil
		}
	}
	if s.installed("uv") {
		server.Command, server.Args = "uv", append([]string{"run", "--directory", dir, script}, args...)
		return server, true, nil
	}
	return Server{}, false, &Problem{Kind: Uninstalled, Subject: dir, Detail: "python3 -m venv .venv && .venv/bin/pip install ."}
}

// packageMain and funcMain match the start of a Go program.
var (
	packageMain = lazyregexp.New(`(?m)^package main\b`)
	funcMain    = lazyregexp.New(`(?m)^func main\(\)`)
)

// goFolder returns the server in a folder with a Go program, which is in the folder itself or in a
// folder below cmd.
func (s files) goFolder(dir string, args []string) (Server, bool, error) {
	server := Server{Kind: Program, Command: "go", Dir: dir, Origin: Origin{Source: Local, Package: dir}, Name: names(s).moduleName(dir)}
	if s.goProgram(dir) {
		server.Args = append([]string{"run", "."}, args...)
		return server, true, nil
	}
	if !s.isFile(filepath.Join(dir, "go.mod")) {
		return Server{}, false, nil
	}
	programs := make(map[string]bool)
	names := s.names(filepath.Join(dir, "cmd"))
	for _, name := range names[:min(len(names), 20)] {
		if s.goProgram(filepath.Join(dir, "cmd", name)) {
			programs[name] = true
		}
	}
	found := serversFirst(programs)
	likely := slices.DeleteFunc(slices.Clone(found), func(name string) bool {
		low := strings.ToLower(name)
		return !strings.Contains(low, "mcp") && !strings.Contains(low, "server") && name != filepath.Base(dir)
	})
	switch {
	case len(found) == 0:
		return Server{}, false, nil
	case len(likely) != 1 && len(found) > 1:
		for i, name := range found {
			found[i] = "cmd/" + name
		}
		return Server{}, false, &Problem{Kind: Ambiguous, Subject: dir, Choices: found}
	case len(likely) == 1:
		found = likely
	}
	server.Args = append([]string{"run", "./cmd/" + found[0]}, args...)
	return server, true, nil
}

// goProgram reports whether a folder contains the source of a Go program.
func (s files) goProgram(dir string) bool {
	if !s.isDir(dir) {
		return false
	}
	read := 0
	for _, name := range s.names(dir) {
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			continue
		}
		if read++; read > 20 {
			return false
		}
		if text := s.text(filepath.Join(dir, name)); packageMain.Match(text) && funcMain.Match(text) {
			return true
		}
	}
	return false
}

// rustFolder returns the server that cargo built in a folder.
func (s files) rustFolder(dir string, args []string) (Server, bool, error) {
	file := filepath.Join(dir, "Cargo.toml")
	if !s.isFile(file) {
		return Server{}, false, nil
	}
	var p struct {
		Package struct{ Name string }
		Bin     []struct{ Name string }
	}
	if err := toml.Unmarshal(s.text(file), &p); err != nil {
		return Server{}, false, &Problem{Kind: BadSyntax, Subject: file, Detail: err.Error()}
	}
	names := []string{p.Package.Name}
	for _, b := range p.Bin {
		names = append(names, b.Name)
	}
	for _, build := range []string{"release", "debug"} {
		for _, name := range names {
			if path := filepath.Join(dir, "target", build, name); name != "" && s.isFile(path) {
				return Server{Kind: Program, Command: path, Args: args, Name: shortName(p.Package.Name), Origin: Origin{Source: Local, Package: dir}}, true, nil
			}
		}
	}
	return Server{}, false, &Problem{Kind: NotBuilt, Subject: filepath.Join(dir, "target", "release", p.Package.Name), Detail: "cargo build --release"}
}
