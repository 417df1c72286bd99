package gobuild

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"goated/internal/proc"
)

// A cache is the GOCACHE of one server. Only builds of this server write to it, so no build can
// plant a package for another server.
//
// A new cache gets a copy of the standard library from the user's own cache, because compiling it
// takes most of the time of a first build. goated copies nothing else: the user's cache may contain
// this server's source, compiled outside a sandbox, with a secret in it.
type cache struct {
	dir string
}

// lock waits until no other build uses the cache, in any process. The caller must call unlock. The
// lock file is beside the cache's folder, where a build cannot write it.
func (c cache) lock(ctx context.Context) (unlock func(), err error) {
	l := flock.New(c.dir+".lock", flock.SetPermissions(0o600))
	if _, err := l.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("locking the build cache: %w", err)
	}
	return func() { _ = l.Close() }, nil // the file stays, because others may have it open and wait for it
}

// prepare replaces the cache if it belongs to another toolchain or other settings. If it cannot
// copy the standard library, the build compiles that. The caller holds the lock.
func (c cache) prepare(ctx context.Context, t toolchain) error {
	if left, err := filepath.Glob(c.dir + "-*"); err == nil { // from a goated process that was killed
		for _, dir := range left {
			_ = os.RemoveAll(dir)
		}
	}
	// Like the lock, this file is beside the folder.
	made := c.dir + ".made"
	if was, err := os.ReadFile(made); err == nil && string(was) == t.key() {
		return nil
	}
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		return fmt.Errorf("making the build cache: %w", err)
	}
	standard, err := t.standardLibrary(ctx, filepath.Dir(c.dir))
	if err != nil {
		return ctx.Err()
	}
	// Builds could have written links into the old folder, so goated copies nothing into it.
	fresh, err := os.MkdirTemp(filepath.Dir(c.dir), filepath.Base(c.dir)+"-")
	if err != nil {
		return fmt.Errorf("making the build cache: %w", err)
	}
	defer func() { _ = os.RemoveAll(fresh) }() // does nothing if it was renamed
	if err := copyCompiled(ctx, t.set["GOCACHE"], fresh, standard); err != nil {
		return ctx.Err() // for example a full disk, on which the build itself may still fit
	}
	if err := os.RemoveAll(c.dir); err != nil {
		return fmt.Errorf("replacing the build cache: %w", err)
	}
	if err := os.Rename(fresh, c.dir); err != nil {
		return fmt.Errorf("replacing the build cache: %w", err)
	}
	return os.WriteFile(made, []byte(t.key()), 0o600)
}

// A compiled package is an entry of a GOCACHE.
type compiled struct {
	action string // the first 30 hexadecimal digits of the entry's name
	output string // its path
}

// copyCompiled copies entries of a GOCACHE. An entry consists of a file "ACTION-a", whose third
// field is the output's name, and a file "OUTPUT-d". copyCompiled looks entries up by name, because
// a cache of many projects has hundreds of thousands of them, and reading them all would take
// longer than compiling the standard library. It lists each folder of the cache once.
func copyCompiled(ctx context.Context, from, to string, wanted []compiled) error {
	names := make(map[string][]string) // by folder, sorted
	for _, w := range wanted {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		folder := filepath.Join(from, w.action[:2])
		if _, ok := names[folder]; !ok {
			names[folder] = sortedNames(folder)
		}
		all := names[folder]
		first, _ := slices.BinarySearch(all, w.action)
		for _, name := range all[first:] {
			if !strings.HasPrefix(name, w.action) {
				break
			}
			if !strings.HasSuffix(name, "-a") {
				continue
			}
			entry := filepath.Join(folder, name)
			text, err := os.ReadFile(entry)
			fields := strings.Fields(string(text)) // "v1 ACTION OUTPUT SIZE TIME"
			if err != nil || len(fields) != 5 || fields[2]+"-d" != filepath.Base(w.output) {
				continue
			}
			for _, file := range []string{w.output, entry} {
				rel, err := filepath.Rel(from, file)
				if err == nil {
					err = copyFile(file, filepath.Join(to, rel))
				}
				if err != nil && !errors.Is(err, fs.ErrExist) { // two packages may have the same output
					return err
				}
			}
		}
	}
	return nil
}

// sortedNames returns the names of the entries in a folder, or none if the folder cannot be read.
func sortedNames(folder string) []string {
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1) // the build compiles missing packages
	slices.Sort(names)
	return names
}

// copyFile creates a file that does not exist yet, and its folder. On file systems that support it,
// the copy shares the blocks.
func copyFile(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// standardLibrary returns the entries of the standard library in the user's cache. go compiles
// missing packages there, outside a sandbox. That is safe because none of it is the server's
// source. go runs in goated's own folder, where no module changes its settings.
func (t toolchain) standardLibrary(ctx context.Context, folder string) (list []compiled, err error) {
	out, _, end, err := proc.Run(ctx, proc.Command{Program: t.program, Args: []string{"list", "-export", "-f", "{{.BuildID}} {{.Export}}", "std"},
		Dir: folder, Env: t.standardEnv(), Keeper: t.keeper})
	if err != nil {
		return nil, err
	}
	if end != (proc.Exit{}) {
		return nil, fmt.Errorf("go list: %s", end)
	}
	for line := range strings.Lines(out) {
		id, output, _ := strings.Cut(strings.TrimSpace(line), " ")
		id, _, _ = strings.Cut(id, "/") // "ACTION/CONTENT", both the first 15 bytes of a hash in base64
		action, err := base64.RawURLEncoding.DecodeString(id)
		if err == nil && len(action) == 15 && output != "" {
			list = append(list, compiled{hex.EncodeToString(action), output})
		}
	}
	return list, nil
}

// standardEnv returns the environment that compiles the standard library as servers compile it.
func (t toolchain) standardEnv() []string {
	var flags []string
	for flag := range strings.FieldsSeq(t.flags) {
		if !strings.HasPrefix(strings.TrimLeft(flag, "-"), "mod") { // there is no module
			flags = append(flags, flag)
		}
	}
	env := append(t.own[:len(t.own):len(t.own)], "GOENV=off", "GOTOOLCHAIN=local", "GOFLAGS="+strings.Join(flags, " "), "GOCACHE="+t.set["GOCACHE"])
	for _, name := range compilation {
		env = append(env, name+"="+t.set[name])
	}
	return env
}

// key returns a text that differs for toolchains and settings with different outputs.
func (t toolchain) key() string {
	parts := []string{t.program, t.set["GOVERSION"], t.flags}
	for _, name := range compilation {
		parts = append(parts, name+"="+t.set[name])
	}
	return strings.Join(parts, "\n")
}
