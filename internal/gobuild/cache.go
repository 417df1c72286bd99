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

// A cache is the GOCACHE of one server. Only builds of this server write it, so
// no build can give another server a package that it made up.
//
// A new cache gets a copy of what the user's own cache has of the standard
// library, which takes most of the time of a first build. The rest of that cache
// is not copied: it may hold this server's source, compiled outside of a sandbox,
// with a secret in it.
type cache struct {
	dir string
}

// lock waits until no other build, in any process, uses the cache. unlock must be
// called. The lock file lies beside the folder, where a build cannot write it.
func (c cache) lock(ctx context.Context) (unlock func(), err error) {
	l := flock.New(c.dir+".lock", flock.SetPermissions(0o600))
	if _, err := l.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		_ = l.Close()
		return nil, fmt.Errorf("locking the build cache: %w", err)
	}
	return func() { _ = l.Close() }, nil // the file stays: others may have it open and wait
}

// prepare makes the cache new if it is for another toolchain or other settings.
// If the standard library cannot be copied, the build compiles it. The caller
// holds the lock.
func (c cache) prepare(ctx context.Context, t toolchain) error {
	if left, err := filepath.Glob(c.dir + "-*"); err == nil { // of a goated that was killed meanwhile
		for _, dir := range left {
			_ = os.RemoveAll(dir)
		}
	}
	// The file is beside the folder, as the lock is.
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
	// Builds could write links into the old folder, so that nothing is copied
	// there.
	fresh, err := os.MkdirTemp(filepath.Dir(c.dir), filepath.Base(c.dir)+"-")
	if err != nil {
		return fmt.Errorf("making the build cache: %w", err)
	}
	defer func() { _ = os.RemoveAll(fresh) }() // renamed, if all went well
	if err := copyCompiled(ctx, t.set["GOCACHE"], fresh, standard); err != nil {
		return ctx.Err() // a full disk, for example: the build itself may still fit
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
	action string // the first 30 digits of the entry's name
	output string // its path
}

// copyCompiled copies entries of a GOCACHE. An entry is a file "ACTION-a", whose third
// field is the output's name, and a file "OUTPUT-d". It looks up each entry by its
// name: a cache of many projects has hundreds of thousands, and reading them all would
// take longer than compiling the standard library. It lists each folder of the cache once.
func copyCompiled(ctx context.Context, from, to string, wanted []compiled) error {
	names := make(map[string][]string) // by the folder, sorted
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
				if err != nil && !errors.Is(err, fs.ErrExist) { // two packages may have one output
					return err
				}
			}
		}
	}
	return nil
}

// sortedNames returns the names of what is in a folder, none if it cannot be read.
func sortedNames(folder string) []string {
	f, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer f.Close()
	names, _ := f.Readdirnames(-1) // the build compiles what is missing
	slices.Sort(names)
	return names
}

// copyFile makes a file that does not exist yet, and its folder. File systems
// that can share the blocks do.
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

// standardLibrary returns the entries of the standard library in the user's cache. go
// compiles what is missing there, outside of a sandbox: none of it is the server's
// source. It runs in goated's own folder, where no module changes its settings.
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
		id, _, _ = strings.Cut(id, "/") // "ACTION/CONTENT", each the first 15 bytes of a hash in base64
		action, err := base64.RawURLEncoding.DecodeString(id)
		if err == nil && len(action) == 15 && output != "" {
			list = append(list, compiled{hex.EncodeToString(action), output})
		}
	}
	return list, nil
}

// standardEnv compiles the standard library as servers compile it.
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

// key differs for toolchains and settings whose outputs differ.
func (t toolchain) key() string {
	parts := []string{t.program, t.set["GOVERSION"], t.flags}
	for _, name := range compilation {
		parts = append(parts, name+"="+t.set[name])
	}
	return strings.Join(parts, "\n")
}
