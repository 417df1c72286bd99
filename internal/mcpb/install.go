package mcpb

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// A Folder is where goated installs bundles. Each bundle has its own folder in it, with a file that
// records where the bundle came from. Several processes may use a Folder at the same time.
type Folder struct{ Path string }

// An Installed is an installed bundle.
type Installed struct {
	ID       string    `json:"id"` // unique in the Folder
	Dir      string    `json:"-"`  // of the bundle's files, absolute
	SHA256   string    `json:"sha256"`
	Source   string    `json:"source"` // path or URL
	At       time.Time `json:"at"`
	Manifest *Manifest `json:"-"`
}

const (
	receipt  = "installed.json" // is beside the bundle's files
	files    = "bundle"
	lockFile = ".lock"
)

// lock keeps other processes out until the caller calls unlock, and repairs what they left behind.
// changed contains the ids that the bundle which the caller changes can have.
func (f Folder) lock(ctx context.Context, changed ...string) (unlock func(), err error) {
	if err := os.MkdirAll(f.Path, 0o700); err != nil {
		return nil, err
	}
	l := flock.New(filepath.Join(f.Path, lockFile))
	if _, err := l.TryLockContext(ctx, 50*time.Millisecond); err != nil {
		return nil, err
	}
	if err := f.repair(changed); err != nil {
		_ = l.Unlock()
		return nil, err
	}
	return func() { _ = l.Unlock() }, nil
}

// Install unpacks a bundle. If one with the same name is installed, this is an update, which
// replaces the bundle completely or not at all. source is where the bundle came from.
func (f Folder) Install(ctx context.Context, b *Bundle, source string) (i Installed, err error) {
	unlock, err := f.lock(ctx, readable(b.Manifest.Name), hashed(b.Manifest.Name))
	if err != nil {
		return Installed{}, fmt.Errorf("installing %s: %w", b.Manifest.Name, err)
	}
	defer unlock()
	part, err := os.MkdirTemp(f.Path, parted)
	if err != nil {
		return Installed{}, fmt.Errorf("installing %s: %w", b.Manifest.Name, err)
	}
	defer func() {
		_ = os.RemoveAll(part)
		if err != nil {
			err = fmt.Errorf("installing %s: %w", b.Manifest.Name, err)
		}
	}()
	if err := os.Mkdir(filepath.Join(part, files), 0o755); err != nil {
		return Installed{}, err
	}
	root, err := os.OpenRoot(filepath.Join(part, files))
	if err != nil {
		return Installed{}, err
	}
	defer root.Close()
	if err := b.unpack(ctx, root); err != nil {
		return Installed{}, err
	}
	if e := b.Manifest.Server.EntryPoint; e != "" {
		if _, err := root.Stat(filepath.ToSlash(filepath.Clean(strings.ReplaceAll(e, `\`, "/")))); err != nil {
			return Installed{}, fmt.Errorf("the bundle lacks its entry point %s", e)
		}
	}
	name, err := f.id(b.Manifest.Name)
	if err != nil {
		return Installed{}, err
	}
	i = Installed{ID: name, SHA256: b.SHA256, Source: source, At: time.Now().UTC().Truncate(time.Second), Manifest: b.Manifest}
	text, err := json.MarshalIndent(i, "", "  ")
	if err != nil {
		return Installed{}, err
	}
	if err := os.WriteFile(filepath.Join(part, receipt), text, 0o600); err != nil {
		return Installed{}, err
	}
	place := filepath.Join(f.Path, i.ID)
	if err := replace(part, place); err != nil {
		return Installed{}, err
	}
	i.Dir = filepath.Join(place, files)
	return i, nil
}

// List returns the installed bundles, sorted by name. It skips folders that are not bundles.
func (f Folder) List() ([]Installed, error) {
	f.restore()
	entries, err := os.ReadDir(f.Path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var list []Installed
	for _, e := range entries {
		if i, err := f.Find(e.Name()); err == nil {
			list = append(list, i)
		}
	}
	slices.SortFunc(list, func(a, b Installed) int { return cmp.Compare(a.ID, b.ID) })
	return list, err
}

// Find returns the installed bundle with the given id.
func (f Folder) Find(name string) (Installed, error) {
	if !local(name) {
		return Installed{}, os.ErrNotExist
	}
	var i Installed
	read := func() ([]byte, error) { return os.ReadFile(filepath.Join(f.Path, name, receipt)) }
	text, err := read()
	if errors.Is(err, os.ErrNotExist) {
		f.restore()
		text, err = read()
	}
	if err == nil {
		err = json.Unmarshal(text, &i)
	}
	if err != nil {
		return Installed{}, err
	}
	i.ID, i.Dir = name, filepath.Join(f.Path, name, files)
	manifest, err := os.ReadFile(filepath.Join(i.Dir, "manifest.json"))
	if err == nil {
		i.Manifest, err = Parse(manifest)
	}
	return i, err
}

// Remove removes an installed bundle.
func (f Folder) Remove(ctx context.Context, name string) error {
	unlock, err := f.lock(ctx, name)
	if err != nil {
		return fmt.Errorf("removing the bundle %s: %w", name, err)
	}
	defer unlock()
	if _, err := f.Find(name); errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("removing the bundle %s: %w", name, err)
	}
	// A bundle with this name may already have been moved aside and not been removed.
	aside, err := os.MkdirTemp(f.Path, gone)
	if err == nil {
		err = os.Rename(filepath.Join(f.Path, name), filepath.Join(aside, name))
	}
	_ = os.RemoveAll(aside) // repair removes what is left of it
	if err != nil {
		return fmt.Errorf("removing the bundle %s: %w", name, err)
	}
	return nil
}
