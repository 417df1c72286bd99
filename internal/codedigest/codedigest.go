// Package codedigest computes a digest of the code of a server, so that a permission
// holds for the code that the user approved. It owns which files count as the code. It
// must not know of servers' configurations, of processes or of permissions.
package codedigest

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
)

// lockFiles are the files that pin the packages of a program.
var lockFiles = []string{
	"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb", "deno.lock",
	"uv.lock", "poetry.lock", "pdm.lock", "Pipfile.lock", "requirements.txt", "go.sum", "Gemfile.lock", "composer.lock", "Cargo.lock",
}

// lockDepth is how many folders above the script may have its lock files: projects
// keep scripts in src/name.
const lockDepth = 3

// Of returns a digest of a server's program: its script, all Go sources beside a Go
// script, and the lock files of the project.
func Of(script string) string {
	sum := sha256.New()
	files := []string{script}
	dir := filepath.Dir(script)
	if filepath.Ext(script) == ".go" {
		sources, _ := filepath.Glob(filepath.Join(dir, "*.go")) // the pattern is valid
		files = append(append(files, sources...), filepath.Join(dir, "go.mod"))
	}
	home, _ := os.UserHomeDir()
	for range lockDepth {
		found := false
		for _, name := range lockFiles {
			if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
				files, found = append(files, filepath.Join(dir, name)), true
			}
		}
		if up := filepath.Dir(dir); found || dir == home || up == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	for _, path := range files {
		add(sum, path)
	}
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// maxCode bounds the part of a file that its digest covers; a script is smaller.
const maxCode = 64 << 20

// add adds a file to a digest: its name, its size, and its contents. A file that
// can't be read counts as such.
func add(sum hash.Hash, path string) {
	f, err := os.Open(path)
	if err != nil {
		fmt.Fprintf(sum, "%q is missing\n", filepath.Base(path))
		return
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil {
		fmt.Fprintf(sum, "%q %d\n", filepath.Base(path), info.Size())
	}
	if _, err := io.Copy(sum, io.LimitReader(f, maxCode)); err != nil {
		fmt.Fprintln(sum, "unreadable")
	}
}
