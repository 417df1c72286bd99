package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// For derives the policy of a server: command is the program that runs it,
// script what the user connected, and data a folder that is the server's alone,
// in which Start makes what it writes. All are absolute. Of env, its
// environment, the variables count that say where modules and certificates are. An empty script is a
// program that stands alone, as goated's own servers do. For looks at the file
// system, and changes nothing.
//
// A server reads the folder of its script, unless that is a folder in which
// other things lie as well, such as the home folder: then it reads its script,
// and the modules that lie about it. The folders of private are whoever's starts
// it: nothing that is derived here opens one of them, whatever lies where.
//
// What comes with a server may lie: its links, and what it says of its own
// environment, are followed only to what is what it is said to be. They are
// followed here and no further: no rule is about a link of the user's, see [Stands].
func For(command, script, data string, env []string, private ...string) Policy {
	home, _ := os.UserHomeDir()
	d := derivation{home: home, p: Policy{
		System:  slices.Clone(system),
		State:   filepath.Join(data, "files"),
		Temp:    filepath.Join(data, "tmp"),
		Private: union(nil, private),
		Network: NoNetwork,
		Limits:  DefaultLimits,
	}}
	if script == "" { // the program is all, and known to need no network
		for _, file := range linkChain(command) {
			d.library(file)
		}
		return d.p
	}
	// No host yet: what it tries to reach is to be asked for.
	d.p.Network = NamedHosts
	d.p.System = append(d.p.System, localNames)
	d.program(command)
	d.script(script)
	d.links = nil
	d.variables(env)
	return d.p.With(Grant{})
}

type derivation struct {
	home  string
	p     Policy
	links []string // by which the script, or its modules, were found
}

// script reads the script's folder, by the name it was given and by the one
// that its links lead to, and the modules that are found from there.
func (d *derivation) script(path string) {
	names := linkChain(path)
	for i, file := range names {
		dir := filepath.Dir(file)
		if filepath.Ext(file) != filepath.Ext(path) {
			continue // a script leads to a script, and not to a key
		}
		d.links = names[:i]
		if d.isShared(dir) {
			if d.p.opens(file) {
				d.library(file) // it alone is no word on the folder that it lies in
			} else {
				d.read(file)
			}
			d.venv(filepath.Join(dir, ".venv"))
		} else {
			d.read(dir)
		}
		for up := dir; ; up = filepath.Dir(up) {
			for _, name := range []string{"node_modules", "package.json", ".python-version", ".node-version", ".nvmrc", ".tool-versions"} {
				// A link of that name may lead anywhere, to a key for one.
				if found := filepath.Join(up, name); filepath.Base(resolveLinks(found)) == name && !d.isShared(found) {
					d.library(found)
					d.links = append(names[:i:i], found)
					d.library(resolveLinks(found))
					d.links = names[:i]
				}
			}
			if up == filepath.Dir(up) {
				break
			}
		}
	}
}

// venv reads a virtual environment, if it is one.
func (d *derivation) venv(dir string) {
	if _, err := os.Stat(filepath.Join(dir, "pyvenv.cfg")); err == nil && !d.isShared(dir) {
		d.read(dir)
	}
}

// program reads an interpreter with its libraries, and what stands between its
// name and itself: shims, links, virtual environments.
func (d *derivation) program(path string) {
	for _, file := range linkChain(path) {
		bin := filepath.Dir(file)
		prefix := filepath.Dir(bin)
		d.library(file)
		for _, dir := range managers(d.home) {
			if within(file, dir) && !d.isShared(dir) {
				d.library(dir)
				d.library(resolveLinks(dir))
			}
		}
		if base := filepath.Base(bin); base == "bin" || base == "Scripts" {
			d.prefix(prefix, true)
			d.baseInterpreter(prefix)
		}
	}
	// Python's modules of the user, for its interpreters outside of environments.
	if strings.HasPrefix(filepath.Base(path), "python") {
		found, _ := filepath.Glob(filepath.Join(d.home, ".local", "lib", "python*", "site-packages")) // the pattern is well formed
		for _, dir := range found {
			d.library(dir)
		}
	}
}

// variables reads where the environment says that libraries are.
func (d *derivation) variables(env []string) {
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		switch name {
		case "NODE_PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE":
		default:
			continue
		}
		for _, path := range filepath.SplitList(value) {
			for _, file := range linkChain(path) {
				if filepath.IsAbs(file) && !d.isShared(file) {
					d.library(file)
				}
			}
		}
	}
}

// prefix reads a folder in which Python is installed or, if every kind may be
// meant, another interpreter or a virtual environment. A project may be one of these
// as well: of that, only what an installation has is read.
func (d *derivation) prefix(dir string, every bool) {
	for _, at := range []string{dir, resolveLinks(dir)} {
		switch {
		case d.isShared(at) || d.home != "" && within(resolveLinks(filepath.Join(d.home, ".local")), resolveLinks(at)):
		case every && (d.isOwn(at) || interpreter(at, "pkg/tool/*/compile")): // Go has no such folders
			d.library(at)
		case interpreter(at, "lib*/python3*/os.py", "lib*/pypy3*/os.py") || every && interpreter(at, environment, "lib/node_modules/npm"):
			for _, name := range []string{environment, "bin", "Scripts", "include", "lib", "lib32", "lib64", "share", "ssl"} {
				part := filepath.Join(at, name)
				if info, err := os.Lstat(part); err == nil && info.Mode()&fs.ModeSymlink == 0 {
					d.library(part)
				}
			}
		}
	}
}

// baseInterpreter reads the interpreter that a virtual environment was made from, which is no
// environment itself.
func (d *derivation) baseInterpreter(venv string) {
	data, err := os.ReadFile(filepath.Join(venv, "pyvenv.cfg"))
	if err != nil {
		return
	}
	for line := range strings.Lines(string(data)) {
		name, value, _ := strings.Cut(line, "=")
		if strings.TrimSpace(name) != "home" {
			continue
		}
		if bin := filepath.Clean(strings.TrimSpace(value)); filepath.IsAbs(bin) && filepath.Base(bin) == "bin" {
			d.prefix(filepath.Dir(bin), false)
		}
	}
}

// environment marks a folder that is a virtual environment.
const environment = "pyvenv.cfg"

// interpreter reports whether an interpreter is installed in a folder, by one of
// its marks. A server may come with a link, or an environment, that says so of any
// folder.
func interpreter(prefix string, marks ...string) bool {
	for _, mark := range marks {
		if found, _ := fs.Glob(os.DirFS(prefix), mark); len(found) > 0 { // the pattern is well formed
			return true
		}
	}
	return false
}

// isOwn reports whether a folder is the server's, or below.
func (d *derivation) isOwn(dir string) bool {
	return within(dir, filepath.Dir(d.p.State))
}

// managers are where the tools that install interpreters keep them.
func managers(home string) []string {
	var out []string
	for _, dir := range []string{
		".pyenv", ".nvm", ".asdf", ".volta", ".nodenv", ".rye", ".fnm", ".bun", ".local/share/mise", ".local/share/fnm", ".local/share/uv",
		".local/share/pipx", ".local/share/rtx", ".cache/uv", ".npm/_npx", "miniconda3", "anaconda3", "miniforge3",
	} {
		out = append(out, filepath.Join(home, filepath.FromSlash(dir)))
	}
	return out
}

// isShared reports whether a folder, or what it is a link to, is not a server's
// own: it holds the home folder or a private one, lies in a private one, or is
// one in which everybody leaves files.
func (d *derivation) isShared(dir string) bool {
	dir = filepath.Clean(dir)
	return d.isCommon(dir) || d.isCommon(resolveLinks(dir))
}

func (d *derivation) isCommon(dir string) bool {
	if d.home != "" && (within(d.home, dir) || within(resolveLinks(d.home), dir)) {
		return true
	}
	if !d.isOwn(dir) && d.p.opens(dir) {
		return true
	}
	if filepath.Dir(dir) == filepath.Clean(d.home) &&
		slices.Contains([]string{"Desktop", "Downloads", "Documents", "Music", "Pictures", "Videos", "Public", "Templates"}, filepath.Base(dir)) {
		return true
	}
	return slices.Contains([]string{"/", "/tmp", "/var/tmp", "/dev/shm", "/home", "/root", "/etc", "/opt", "/srv", "/mnt", "/media", "/var", "/run", "/proc", "/sys", "/dev", os.TempDir()}, dir)
}

// read adds a path that is worth telling.
func (d *derivation) read(path string) {
	if _, err := os.Lstat(path); err == nil {
		d.noteLinks(path, d.p.Read)
		d.p.Read = union(d.p.Read, []string{path})
	}
}

// library adds what a program reads to work at all.
func (d *derivation) library(path string) {
	if _, err := os.Lstat(path); err != nil || slices.ContainsFunc(d.p.System, func(dir string) bool { return within(path, dir) }) {
		return
	}
	d.noteLinks(path, d.p.System)
	d.p.System = union(d.p.System, []string{path})
}

// noteLinks notes what a path was found by, unless it was found without.
func (d *derivation) noteLinks(path string, known []string) {
	if len(d.links) == 0 || slices.Contains(known, path) {
		return
	}
	if d.p.via == nil {
		d.p.via = make(map[string][]string)
	}
	d.p.via[path] = d.links
}

// linkChain are a path, and each that its links lead to.
func linkChain(path string) []string {
	out := []string{filepath.Clean(path)}
	for next := out[0]; len(out) < 16; {
		target, err := os.Readlink(next)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(next), target)
		}
		next = filepath.Clean(target)
		out = append(out, next)
	}
	if last := resolveLinks(path); !slices.Contains(out, last) {
		out = append(out, last)
	}
	return out
}

func resolveLinks(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	return filepath.Clean(path)
}

// within reports whether path is dir or below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
