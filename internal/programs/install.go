package programs

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// A Folder contains the programs that goated installed: each version in a separate folder, and
// "bin" with the programs of the newest versions. It is safe for concurrent use.
type Folder struct {
	Path string
	HTTP *http.Client // nil: http.DefaultClient
	// Registries returns the addresses of the registries' indexes; nil means the public ones. Only
	// Install calls it.
	Registries func() (npm, pypi string)

	mu sync.Mutex // one installation at a time
}

// Bin returns the folder of the installed programs, for the search path. It may not exist.
func Bin(path string) string { return filepath.Join(path, "bin") }

// Installed describes what an installation installed.
type Installed struct {
	Title   string
	Version string
	Dir     string
	Size    int64 // of the download, in bytes
}

// errSystem means that a registry has no build for this system.
var errSystem = errors.New("there is no build for this system")

// Install downloads the newest version of a product and puts its programs into [Bin]. It calls
// progress with the number of bytes that have arrived and their total number; progress may be nil.
// A failed installation changes nothing. The previous version stays for the servers that run it,
// and older ones are removed.
func (f *Folder) Install(ctx context.Context, p Product, progress func(done, total int64)) (Installed, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	fail := func(err error) (Installed, error) {
		return Installed{}, fmt.Errorf("installing %s from %s: %w", p.Title, p.From, err)
	}
	npm, pypi := "https://registry.npmjs.org", "https://pypi.org/simple"
	if f.Registries != nil {
		npm, pypi = f.Registries()
	}
	var files []file
	var err error
	switch p.Name {
	case "uv":
		files, err = f.uv(ctx, pypi)
	case "node":
		files, err = f.node(ctx, npm)
	default:
		err = errors.New("goated can't install it")
	}
	if err != nil {
		return fail(err)
	}
	if err := os.MkdirAll(Bin(f.Path), 0o700); err != nil {
		return fail(err)
	}
	half, err := os.MkdirTemp(f.Path, ".half-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(half)
	done := Installed{Title: p.Title, Version: files[0].version}
	for _, one := range files {
		done.Size += one.size
	}
	before := int64(0)
	for _, one := range files {
		err := f.get(ctx, one, half, func(n int64) {
			if progress != nil {
				progress(before+n, done.Size)
			}
		})
		if err != nil {
			return fail(err)
		}
		before += one.size
	}
	done.Dir = filepath.Join(f.Path, p.Name+"-"+done.Version)
	if err := f.replace(half, done.Dir); err != nil {
		return fail(err)
	}
	if err := link(Bin(f.Path), done.Dir, p); err != nil {
		return fail(err)
	}
	f.prune(p, done.Dir)
	return done, nil
}

// replace moves an unpacked version to its place. It replaces the same version, so installing that
// again repairs it.
func (f *Folder) replace(half, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	return os.Rename(half, dir)
}

// prune removes all versions of a product except keep and the newest other one.
func (f *Folder) prune(p Product, keep string) {
	all, _ := filepath.Glob(filepath.Join(f.Path, p.Name+"-*"))
	newest := ""
	for _, dir := range all {
		if dir != keep && (newest == "" || compareVersions(newest, dir) < 0) {
			newest = dir
		}
	}
	for _, dir := range all {
		if dir != keep && dir != newest {
			_ = os.RemoveAll(dir) // a later installation tries again
		}
	}
}

// link puts the programs of a version into bin. npm and npx are scripts that use the node of this
// version, because the user's own may be too old for them.
func link(bin, dir string, p Product) error {
	for _, name := range p.Commands {
		path := filepath.Join(bin, name)
		half := path + ".half"
		_ = os.Remove(half)
		var err error
		if script := filepath.Join(dir, "npm", "bin", name+"-cli.js"); exists(script) {
			text := fmt.Sprintf("#!/bin/sh\nexec %s %s \"$@\"\n", quoted(filepath.Join(dir, "node")), quoted(script))
			err = os.WriteFile(half, []byte(text), 0o700)
		} else {
			err = os.Symlink(filepath.Join(dir, name), half)
		}
		if err == nil {
			err = os.Rename(half, path)
		}
		if err != nil {
			return fmt.Errorf("linking %s: %w", name, err)
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// quoted quotes a path as a word of a shell script.
func quoted(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }
