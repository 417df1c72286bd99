package paths

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWithinComparesWholeNames(t *testing.T) {
	for _, c := range []struct {
		path, dir string
		want      bool
	}{
		{"/home/me", "/home/me", true},
		{"/home/me/a", "/home/me", true},
		{"/home/me/..a", "/home/me", true},
		{"/home/me/a", "/", true},
		{"/", "/", true},
		{"/home/me/", "/home/me", true},
		{"/home/me/a", "/home/me/", true},
		{"/home/me/a/../b", "/home/me", true},
		{"/home/me2", "/home/me", false},
		{"/home", "/home/me", false},
		{"/home/me/../you", "/home/me", false},
		{"", "/home/me", false},
		{"a", "/", false},
		{"/a", "", false},
		{"a/b", "a", true},
	} {
		if got := Within(filepath.FromSlash(c.path), filepath.FromSlash(c.dir)); got != c.want {
			t.Errorf("Within(%q, %q) is %v", c.path, c.dir, got)
		}
	}
}

// Within decides as filepath.Rel does, which it avoids where it can, also for paths that are not clean.
func TestWithinAgreesWithRel(t *testing.T) {
	parts := []string{"", ".", "..", "a", "ab", "..a"}
	var all []string
	for _, root := range []string{"", "/"} {
		for _, first := range parts {
			for _, second := range parts {
				all = append(all, filepath.FromSlash(root+first+"/"+second), filepath.FromSlash(root+first))
			}
		}
	}
	for _, dir := range all {
		for _, path := range all {
			rel, err := filepath.Rel(dir, path)
			want := err == nil && filepath.IsLocal(rel)
			if got := Within(path, dir); got != want || WithinAny(path, []string{dir}) != want {
				t.Errorf("Within(%q, %q) is %v", path, dir, got)
			}
		}
	}
}

func TestAbsoluteMeansTheSameFromEveryFolder(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if got := Absolute(filepath.Join("a", "..", "b.py")); got != filepath.Join(dir, "b.py") {
		t.Errorf("b.py in %s is %s", dir, got)
	}
	if got := Absolute(dir); got != dir {
		t.Errorf("%s became %s", dir, got)
	}
}

func TestIsFileAcceptsRegularFiles(t *testing.T) {
	dir := t.TempDir()
	file, link, dead := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "dead")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Symlink(file, link), os.Symlink(file+"2", dead)); err != nil {
		t.Skip(err) // on Windows, links need a privilege
	}
	for path, want := range map[string]bool{file: true, link: true, dir: false, dead: false, file + "2": false, "": false} {
		if got := IsFile(path); got != want {
			t.Errorf("IsFile(%q) is %v", path, got)
		}
		if got := IsDir(path); got != (path == dir) {
			t.Errorf("IsDir(%q) is %v", path, got)
		}
	}
}

func TestWithoutPathKeepsTheCause(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	_, open := os.Open(secret)
	rename := os.Rename(secret, secret+"2")
	other := errors.New("no file")
	for _, err := range []error{open, fmt.Errorf("reading: %w", open), rename, fmt.Errorf("moving: %w", rename)} {
		if got := WithoutPath(err); !errors.Is(got, fs.ErrNotExist) || strings.Contains(got.Error(), "secret") {
			t.Errorf("%v became %v", err, got)
		}
	}
	if got := WithoutPath(other); got != other {
		t.Errorf("%v became %v", other, got)
	}
}
