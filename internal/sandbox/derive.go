package sandbox

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/paths"
	"goated/internal/sandbox/cgroup"
	"goated/internal/sandbox/protect"
	"goated/internal/sandbox/toolchain"
)

// For derives a server's default policy. command is the program that runs it, script the file that
// the user connected, and data a folder for this server alone, in which Start creates its folders.
// All are absolute paths. For uses the variables in env, the server's environment, that name
// modules and certificates. If script is empty, command is a complete program, like goated's own
// servers. For reads the file system and does not change it.
//
// A server may read the folder of its script. If that folder also holds other things, like the home
// folder, the server may read only the script and its modules. No derived rule opens a private
// folder.
//
// Files that come with a server are not trustworthy. For follows their links, and the settings of
// virtual environments, only to targets of the expected kind. Rules never follow the user's links:
// see Path of internal/sandbox/trusted.
func For(command, script, data string, env []string, private ...string) Policy {
	d := newDerivation(data, private)
	if script == "" { // a complete program, which needs no network
		for _, file := range linkChain(command) {
			d.library(file)
		}
		return d.p
	}
	// No host yet: goated asks the user when the server tries to reach one.
	d.p.Network = NamedHosts
	d.p.System = append(d.p.System, localNames)
	d.program(command)
	d.chosen(command, env)
	d.script(script)
	d.links = nil
	d.common()
	d.variables(env)
	return d.p.With(Grant{})
}

// newDerivation starts the derivation of a policy. Nothing about the server is known yet.
func newDerivation(data string, private []string) *derivation {
	home, _ := os.UserHomeDir()
	return &derivation{home: home, p: Policy{
		System:  union(union(system, cgroup.Limits()), browsers()),
		State:   filepath.Join(data, "files"),
		Temp:    filepath.Join(data, "tmp"),
		Private: union(nil, private),
		Network: NoNetwork,
		Limits:  DefaultLimits,

		Enclosure: Enclosure{Protected: protect.Fixed(resolveLinks(home), os.Getenv("PATH"))},
	}}
}

type derivation struct {
	home  string
	p     Policy
	links []string // links through which the script or its modules were found
}

// script allows the folder of the script, by its given name and by the targets of its links, and
// the modules that the script finds from there.
func (d *derivation) script(path string) {
	names := linkChain(path)
	for i, file := range names {
		dir := filepath.Dir(file)
		if filepath.Ext(file) != filepath.Ext(path) {
			continue // a script links to a script, not to a key
		}
		d.links = names[:i]
		if d.isShared(dir) {
			if d.p.opens(file) {
				d.library(file) // as a library, which the sentences for the user leave out
			} else {
				d.read(file)
			}
			d.venv(filepath.Join(dir, ".venv"))
		} else {
			d.read(dir)
		}
		d.above(dir)
	}
}

// above allows the things that Node and version managers look for in a folder and the folders above
// it. For example, a workspace has its modules in its root.
func (d *derivation) above(dir string) {
	by := d.links
	for up := dir; ; up = filepath.Dir(up) {
		for _, name := range []string{"node_modules", "package.json", ".python-version", ".node-version", ".nvmrc", ".tool-versions"} {
			// A link with that name may lead anywhere, for example to a key.
			if found := filepath.Join(up, name); filepath.Base(resolveLinks(found)) == name && !d.isShared(found) {
				d.library(found)
				d.links = append(by[:len(by):len(by)], found)
				d.library(resolveLinks(found))
				d.links = by
			}
		}
		if up == filepath.Dir(up) {
			return
		}
	}
}

// venv allows a folder if it is a virtual environment.
func (d *derivation) venv(dir string) {
	if _, err := os.Stat(filepath.Join(dir, "pyvenv.cfg")); err == nil && !d.isShared(dir) {
		d.read(dir)
	}
}

// program allows an interpreter with its libraries, and all shims, links and virtual environments
// between its name and its file.
func (d *derivation) program(path string) {
	for _, file := range linkChain(path) {
		bin := filepath.Dir(file)
		prefix := filepath.Dir(bin)
		d.library(file)
		for _, dir := range toolchain.Managers(d.home) {
			if paths.Within(file, dir) && !d.isShared(dir) {
				d.library(dir)
				d.library(resolveLinks(dir))
			}
		}
		if base := filepath.Base(bin); base == "bin" || base == "Scripts" {
			d.prefix(prefix, true)
			d.baseInterpreter(prefix)
		}
	}
	// The user's Python modules, for interpreters outside virtual environments.
	if strings.HasPrefix(filepath.Base(path), "python") {
		found, _ := filepath.Glob(filepath.Join(d.home, ".local", "lib", "python*", "site-packages")) // the pattern is well formed
		for _, dir := range found {
			d.library(dir)
		}
	}
}

// variables allows the libraries in the server's environment variables.
func (d *derivation) variables(env []string) {
	for _, kv := range env {
		name, value, _ := strings.Cut(kv, "=")
		switch name {
		case "NODE_PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE",
			"CURL_CA_BUNDLE", "PIP_CERT", "GIT_SSL_CAINFO", "PIP_FIND_LINKS", "UV_FIND_LINKS", "NPM_CONFIG_CAFILE":
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

// prefix allows a folder with a Python installation. With every, it may be the installation of
// another interpreter or a virtual environment. The folder may also be a project, so prefix allows
// only the parts of an installation.
func (d *derivation) prefix(dir string, every bool) {
	for _, at := range []string{dir, resolveLinks(dir)} {
		switch {
		case d.isShared(at) || d.home != "" && paths.Within(resolveLinks(filepath.Join(d.home, ".local")), resolveLinks(at)):
		case every && (d.isOwn(at) || toolchain.Go(at)): // Go lacks the folders below
			d.library(at)
		case toolchain.Python(at) || every && toolchain.Installed(at):
			for _, name := range []string{toolchain.Environment, "bin", "Scripts", "include", "lib", "lib32", "lib64", "share", "ssl"} {
				part := filepath.Join(at, name)
				if info, err := os.Lstat(part); err == nil && info.Mode()&fs.ModeSymlink == 0 {
					d.library(part)
				}
			}
		}
	}
}

// baseInterpreter allows the interpreter from which a virtual environment was created.
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

// isOwn reports whether a folder is the server's data folder or is in it.
func (d *derivation) isOwn(dir string) bool {
	return paths.Within(dir, filepath.Dir(d.p.State))
}

// isShared reports whether a folder, or the target of a link, holds more than one server's files.
// This is true if it contains the home folder or a private folder, is in a private folder, or is a
// common folder such as Downloads.
func (d *derivation) isShared(dir string) bool {
	dir = filepath.Clean(dir)
	return d.isCommon(dir) || d.isCommon(resolveLinks(dir))
}

func (d *derivation) isCommon(dir string) bool {
	if d.home != "" && (paths.Within(d.home, dir) || paths.Within(resolveLinks(d.home), dir)) {
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

// read allows a path and shows it to the user.
func (d *derivation) read(path string) {
	if _, err := os.Lstat(path); err == nil {
		d.noteLinks(path, d.p.Read)
		d.p.Read = union(d.p.Read, []string{path})
	}
}

// library allows a path that a program needs to run, without listing it for the user.
func (d *derivation) library(path string) {
	if _, err := os.Lstat(path); err != nil || paths.WithinAny(path, d.p.System) {
		return
	}
	d.noteLinks(path, d.p.System)
	d.p.System = union(d.p.System, []string{path})
}

// noteLinks records the links through which a path was found.
func (d *derivation) noteLinks(path string, known []string) {
	if len(d.links) == 0 || slices.Contains(known, path) {
		return
	}
	if d.p.via == nil {
		d.p.via = make(map[string][]string)
	}
	d.p.via[path] = d.links
}

// linkChain returns a path and the successive targets of its links.
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
