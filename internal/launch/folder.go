package launch

import (
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/launch/manifest"
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

// nodeFolder returns the server of a folder with a package.json.
func (s files) nodeFolder(dir string, args []string) (Server, bool, error) {
	file := filepath.Join(dir, "package.json")
	if !s.isFile(file) {
		return Server{}, false, nil
	}
	p, err := manifest.ReadNode(s.text(file))
	if err != nil {
		return Server{}, false, &Problem{Kind: BadSyntax, Subject: file, Detail: err.Error()}
	}
	start := p.Start()
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
		if len(p.Programs()) == 0 { // "main" is often the index.js of npm init, which does not exist
			return Server{}, false, nil
		}
		return Server{}, false, &Problem{Kind: NotBuilt, Subject: path, Detail: p.Build()}
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

// pythonFolder returns the server of a folder with a pyproject.toml.
func (s files) pythonFolder(dir string, args []string) (Server, bool, error) {
	file := filepath.Join(dir, "pyproject.toml")
	if !s.isFile(file) {
		return Server{}, false, nil
	}
	p, err := manifest.ReadPython(s.text(file))
	if err != nil {
		return Server{}, false, &Problem{Kind: BadSyntax, Subject: file, Detail: err.Error()}
	}
	script := p.Script()
	if script == "" {
		return Server{}, false, nil
	}
	server := Server{Kind: Program, Args: args, Name: shortName(p.Name()), Origin: Origin{Source: Local, Package: dir}}
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
	found := manifest.ServersFirst(programs)
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
	p, err := manifest.ReadRust(s.text(file))
	if err != nil {
		return Server{}, false, &Problem{Kind: BadSyntax, Subject: file, Detail: err.Error()}
	}
	if p.Package.Name == "" {
		return Server{}, false, nil // only a workspace of other packages
	}
	at := dir
	for range 4 { // a package of a workspace is built in the workspace's folder
		for _, build := range []string{"release", "debug"} {
			for _, name := range p.Programs() {
				if path := filepath.Join(at, "target", build, name); name != "" && s.isFile(path) {
					return Server{Kind: Program, Command: path, Args: args, Name: shortName(p.Package.Name), Origin: Origin{Source: Local, Package: dir}}, true, nil
				}
			}
		}
		at = filepath.Dir(at)
	}
	return Server{}, false, &Problem{Kind: NotBuilt, Subject: filepath.Join(dir, "target", "release", p.Package.Name), Detail: "cargo build --release"}
}
