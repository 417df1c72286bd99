// Package codedigest computes a digest of the code of a server, so that a permission applies only
// to the code that the user approved. It decides which files are code, and how to identify
// installed packages and images of containers. It must not know of servers' configurations, of
// their processes or of permissions.
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

// A Program is a server's program as it starts.
type Program struct {
	Script string        // its script; the program itself if it has none; absolute
	Found  string        // the program that runs, such as an interpreter; absolute
	Args   []string      // of the program
	Dir    string        // in which it runs; empty: none that the user chose
	Env    []string      // of its process, which says where package managers install
	Store  string        // where package managers install for this server alone; empty: nowhere
	Origin launch.Origin // where its code comes from
}

// A Sum is a digest of code.
type Sum struct {
	Text    string // empty: no code was found
	Partial bool   // it does not cover all code that was found
	names   string // lines of "digest name", one for each file that was read
	many    bool   // there are too many files to name them
}

// Files returns the digest of the code that a program has before it starts: the files of a
// script's project, or the program itself. The lists of packages are part of
// [Installed], because a package manager may write them during the start.
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
		d.partial = d.partial || filepath.Ext(p.Script) == ".sh" // it starts anything
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

// Installed returns the digest of the packages or the image that a program runs, and of the
// lists that pin its packages. It is only known once the program has started.
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

// isProgram reports whether a local origin is the program that runs, which is not a folder.
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

// module returns the module that Python runs with -m; empty if it runs none.
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

// get returns a variable of the program's environment; names count in any case.
func (p Program) get(names ...string) string {
	for _, name := range names {
		value := ""
		for _, kv := range p.Env {
			if k, v, _ := strings.Cut(kv, "="); strings.EqualFold(k, name) {
				value = v // the last one counts
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

// Bounds of one digest, so that a start takes little time.
const (
	maxProgram = 64 << 20 // bytes of a script or program
	maxBytes   = 8 << 20  // bytes of all other files; of the rest only sizes and times count
	maxEntries = 4000     // files and folders that are looked at
	maxDepth   = 8        // folders below the project's
	maxNames   = 300      // files whose names are kept with a permission
)

// A digest collects what identifies code.
type digest struct {
	hash    hash.Hash
	found   bool
	partial bool
	bytes   int64           // still to be read
	entries int             // still to be looked at
	done    map[string]bool // paths that are covered
	state   *state          // of the files that it reads; nil: nobody asks
	files   int             // that were read
	names   []string        // "digest name" of each file that was read; nil: there are too many
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
