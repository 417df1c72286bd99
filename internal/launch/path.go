package launch

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"goated/internal/lazyregexp"
	"goated/internal/placeholder"
)

// runners maps the extension of a script to the program that runs it. Scripts mapped to "" have the
// kind [Script].
var runners = map[string]string{
	".py": "", ".js": "", ".go": "",
	".mjs": "node", ".cjs": "node", ".ts": "ts", ".mts": "ts", ".cts": "ts", ".tsx": "ts",
	".sh": "sh", ".bash": "bash", ".jar": "java", ".pyz": "python3", ".rb": "ruby",
	".mcpb": "bundle", ".dxt": "bundle",
}

// configuration returns the function that reads a configuration file with an extension, or nil if it is
// not a configuration.
func (s files) configuration(ext string) func(text, name string) (Reading, error) {
	switch ext {
	case ".json", ".jsonc":
		return configs(s).json
	case ".toml":
		return configs(s).toml
	case ".yaml", ".yml":
		return configs(s).yaml
	}
	return nil
}

// path reads an absolute path, with the arguments that follow it.
func (s files) path(path string, args []string) (Reading, error) {
	info := s.stat(path)
	one := func(server Server, err error) (Reading, error) {
		if err != nil {
			return Reading{}, err
		}
		return Reading{Form: Path, Servers: []Server{s.finished(server)}}, nil
	}
	ext := filepath.Ext(path)
	if info == nil {
		if _, known := runners[ext]; !known && !strings.ContainsAny(path, `/\`) || known || !textFile.MatchString(path) {
			return Reading{}, &Problem{Kind: NotFound, Subject: path}
		}
		return Reading{}, &Problem{Kind: BadScript, Subject: path}
	}
	if info.IsDir() {
		return one(s.folder(path, args))
	}
	switch base := filepath.Base(path); {
	case base == "package.json" || base == "pyproject.toml" || base == "go.mod" || base == "Cargo.toml":
		return one(s.folder(filepath.Dir(path), args))
	}
	if read := s.configuration(ext); read != nil {
		text := s.upTo(MaxFile+1, path)
		if len(text) > MaxFile {
			return Reading{}, &Problem{Kind: TooLong, Subject: "the 32 MiB that a configuration may have"}
		}
		return read(string(text), path)
	}
	return one(s.file(path, args))
}

// file returns the server for an existing file.
func (s files) file(path string, args []string) (Server, error) {
	server := Server{Kind: Program, Args: args, Origin: Origin{Source: Local, Package: path}}
	run := func(program string, before ...string) (Server, error) {
		server.Command, server.Args = program, append(append(before, path), args...)
		return server, nil
	}
	switch runner, known := runners[filepath.Ext(path)]; {
	case known && runner == "":
		server.Kind, server.Path = Script, path
		return server, nil
	case runner == "bundle":
		server.Kind, server.Path = Bundle, path
		return server, nil
	case runner == "ts":
		return s.typescript(path, server)
	case runner == "java":
		return run("java", "-jar")
	case s.executable(path):
		server.Command = path
		return server, nil
	case known:
		return run(runner)
	}
	if first, _, _ := strings.Cut(string(s.text(path)), "\n"); strings.HasPrefix(first, "#!") {
		words := strings.Fields(first[2:])
		if len(words) > 1 && filepath.Base(words[0]) == "env" {
			words = words[1:]
			if words[0] == "-S" && len(words) > 1 {
				words = words[1:]
			}
		}
		if len(words) > 0 {
			return run(words[0], words[1:]...)
		}
	}
	return Server{}, &Problem{Kind: BadScript, Subject: path}
}

// executable reports whether the system can run a file as a program.
func (s files) executable(path string) bool {
	if s.Windows {
		ext := strings.ToLower(filepath.Ext(path))
		return ext == ".exe" || ext == ".bat" || ext == ".cmd"
	}
	info := s.stat(path)
	return info != nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}

// The first versions of Node that run TypeScript with a flag, and without.
var (
	stripsTypes = [2]int{22, 6}
	runsTypes   = [2]int{22, 18}
)

// typescript returns the server for a TypeScript file, run by the tsx of its project or by node.
func (s files) typescript(path string, server Server) (Server, error) {
	for dir, up := filepath.Dir(path), 0; up < 5; dir, up = filepath.Dir(dir), up+1 {
		if tsx := filepath.Join(dir, "node_modules", ".bin", "tsx"); s.isFile(tsx) {
			server.Command, server.Args = tsx, append([]string{path}, server.Args...)
			return server, nil
		}
	}
	server.Command, server.Args = "node", append([]string{path}, server.Args...)
	if version, known := s.nodeVersion(); known {
		switch {
		case less(version, stripsTypes):
			server.Notes = append(server.Notes, Note{OldNode, strconv.Itoa(version[0]) + "." + strconv.Itoa(version[1])})
		case less(version, runsTypes):
			server.Args = append([]string{"--experimental-strip-types"}, server.Args...)
		}
	}
	return server, nil
}

func less(a, b [2]int) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }

var nodeVersions = lazyregexp.New(`#define NODE_(MAJOR|MINOR)_VERSION (\d+)`)

// nodeVersion reads the version of the installed node from a header file next to it.
func (s files) nodeVersion() (version [2]int, known bool) {
	if s.LookPath == nil {
		return version, false
	}
	node, err := s.LookPath("node")
	if err != nil {
		return version, false
	}
	node = s.real(node)
	header := s.text(filepath.Join(filepath.Dir(node), "..", "include", "node", "node_version.h"))
	for _, m := range nodeVersions.FindAllSubmatch(header, -1) {
		n, _ := strconv.Atoi(string(m[2]))
		if string(m[1]) == "MAJOR" {
			version[0], known = n, true
		} else {
			version[1] = n
		}
	}
	return version, known
}

// maxChecked limits how many arguments are checked for placeholders.
const maxChecked = 200

// finished completes a server with a name and with notes about a missing program or file and about
// placeholders.
func (s files) finished(server Server) Server {
	if server.Name == "" {
		server.Name = names(s).nameOf(server)
	}
	if server.Command != "" && !filepath.IsAbs(server.Command) && s.LookPath != nil && !s.installed(server.Command) && !commands(s).ownProgram(server.Command) {
		server.Notes = append([]Note{{ProgramMissing, server.Command}}, server.Notes...)
	}
	if file := server.Origin.Package; server.Origin.Source == Local && (filepath.IsAbs(file) || windowsPath.MatchString(file)) && file != server.Command && !s.isPlaceholder(file) && s.stat(file) == nil {
		server.Notes = append(server.Notes, Note{FileMissing, file})
	}
	flag := ""
	for _, a := range server.Args[:min(len(server.Args), maxChecked)] {
		key := placeholder.IsKey(flag, a)
		_, own, _ := placeholder.Mount(flag, a)
		flag = a
		if (key || s.isPlaceholder(own)) && !s.genuine(server, own) {
			server.Notes = append(server.Notes, Note{Placeholder, a})
		}
	}
	return server
}

// genuine reports whether an argument that looks like a placeholder is not one. It may be the package
// itself, the name of a variable that docker passes on, or an existing path, such as /home/user in a
// container.
func (s files) genuine(server Server, arg string) bool {
	if name, value, ok := strings.Cut(arg, "="); ok && strings.HasPrefix(name, "-") {
		arg = value
	}
	if filepath.IsAbs(arg) || windowsPath.MatchString(arg) {
		return s.stat(arg) != nil
	}
	if server.Origin.Source == Container && slices.ContainsFunc(server.Env, func(v Variable) bool { return v.Name == arg }) {
		return true
	}
	return server.Origin.Source != Local && server.Origin.Package != "" && strings.HasPrefix(arg, server.Origin.Package)
}
