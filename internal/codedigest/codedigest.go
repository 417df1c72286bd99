// Package codedigest computes a digest of a server's code, so that a permission applies only to the
// code that the user approved. It decides which files are code, and how to identify installed
// packages and container images. It must not know the configurations of servers, their processes or
// permissions.
package codedigest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"os"
	"path/filepath"
	"strings"

	"goated/internal/launch"
	"goated/internal/paths"
)

// A Program describes a server's program as goated starts it.
type Program struct {
	Script string        // absolute; the program itself if there is no script
	Found  string        // the program that runs, for example an interpreter; absolute
	Args   []string      // without the program
	Dir    string        // the working directory; empty: the user chose none
	Env    []string      // the environment, which determines where package managers install
	Store  string        // where package managers install packages for this server alone; empty: nowhere
	Origin launch.Origin // where its code comes from
}

// A Sum is a digest of code.
type Sum struct {
	Text    string // empty: no code was found
	Partial bool   // it does not cover all code
	names   string // lines of "digest name", one for each file that was read
	many    bool   // there are too many files to name them
}

// Files returns the digest of the code that a program has before it starts: the files of a script's
// project, or the program itself. The lock files are part of [Installed] instead, because a package
// manager may write them during the start.
func Files(p Program) Sum {
	d := newDigest()
	d.add(p)
	return d.sum()
}

func (d *digest) add(p Program) {
	switch {
	case p.Script != p.Found:
		d.file(filepath.Base(p.Script), p.Script)
		d.project(p.Script)
		d.partial = d.partial || filepath.Ext(p.Script) == ".sh" // a shell script can start anything
	case p.Origin.Source == launch.Local && !p.isProgram():
		path := p.local()
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			d.sources(path)
		} else if err == nil {
			d.file(filepath.Base(path), path)
			d.project(path)
		}
	case p.module() != "":
		d.module(p.Dir, p.module())
	case !launch.IsRunner(p.Found):
		d.program(p.Found)
	}
}

// Installed returns the digest of the packages or the image that a program runs, and of the lock
// files that pin its packages. These are only known once the program has started.
func Installed(ctx context.Context, p Program) Sum {
	d := newDigest()
	switch p.Origin.Source {
	case launch.Container:
		d.image(ctx, p)
		return d.sum()
	case launch.GoModule:
		if exact(p.Origin.Version) { // the checksum database pins it
			d.note("%s@%s", p.Origin.Package, p.Origin.Version)
		}
		return d.sum()
	}
	switch {
	case p.Script != p.Found:
		d.pinned(filepath.Dir(p.Script))
	case p.Origin.Source == launch.Local && !p.isProgram():
		if path := p.local(); paths.IsDir(path) {
			d.pinned(path)
		} else {
			d.pinned(filepath.Dir(path))
		}
	case p.module() != "":
		d.installedModule(p)
	}
	if p.Store != "" {
		d.store(p.Store)
	}
	switch p.Origin.Source {
	case launch.NPM, launch.Git:
		d.npx(p)
	}
	d.runner(p)
	if p.Origin.Source == launch.PyPI {
		d.python(p)
	}
	return d.sum()
}

// isProgram reports whether a local origin is the program that runs, rather than a folder.
func (p Program) isProgram() bool {
	return p.Origin.Package == "" || filepath.Base(p.Origin.Package) == filepath.Base(p.Found) && !paths.IsDir(p.local())
}

// local returns the path of a local origin.
func (p Program) local() string {
	if filepath.IsAbs(p.Origin.Package) {
		return filepath.Clean(p.Origin.Package)
	}
	return filepath.Join(p.Dir, p.Origin.Package)
}

// module returns the module that Python runs with -m, or "" if there is none.
func (p Program) module() string {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(p.Found)), ".exe")
	if !strings.HasPrefix(name, "python") && name != "py" {
		return ""
	}
	for i, a := range p.Args {
		if a == "-m" && i+1 < len(p.Args) {
			return p.Args[i+1]
		} else if !strings.HasPrefix(a, "-") {
			break
		}
	}
	return ""
}

// get returns a variable of the program's environment. It ignores the case of names.
func (p Program) get(names ...string) string {
	for _, name := range names {
		value := ""
		for _, kv := range p.Env {
			if k, v, _ := strings.Cut(kv, "="); strings.EqualFold(k, name) {
				value = v // the last definition wins
			}
		}
		if value != "" {
			return value
		}
	}
	return ""
}

// home returns the home folder of the program's user.
func (p Program) home() string {
	if dir := p.get("HOME", "USERPROFILE"); dir != "" {
		return dir
	}
	dir, _ := os.UserHomeDir()
	return dir
}

// These limits keep a digest fast, because each start computes one.
const (
	maxProgram = 64 << 20 // bytes of a script or a program
	maxBytes   = 8 << 20  // bytes of all other files; beyond that, only sizes and times are compared
	maxEntries = 4000     // files and folders that are examined
	maxDepth   = 8        // levels below the project's folder
	maxNames   = 300      // files whose names are kept with a permission
)

// A digest collects the facts that identify code.
type digest struct {
	hash    hash.Hash
	found   bool
	partial bool
	bytes   int64           // that may still be read
	entries int             // that may still be examined
	done    map[string]bool // paths that are covered
	state   *state          // of the files that it reads; nil: not needed
	files   int             // number of files that were read
	names   []string        // "digest name" of each file that was read; nil: too many
}

func newDigest() *digest {
	return &digest{hash: sha256.New(), bytes: maxBytes, entries: maxEntries, done: make(map[string]bool)}
}

func (d *digest) sum() Sum {
	if !d.found {
		return Sum{}
	}
	return Sum{fmt.Sprintf("%x", d.hash.Sum(nil)), d.partial, strings.Join(d.names, "\n"), d.files > maxNames}
}

// note adds a fact that identifies code.
func (d *digest) note(format string, args ...any) {
	d.found = true
	fmt.Fprintf(d.hash, format+"\n", args...)
}
