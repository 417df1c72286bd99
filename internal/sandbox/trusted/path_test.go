//go:build linux && (amd64 || arm64)

package trusted

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Links of the system are followed, but links that a server may have planted are not, even on
// kernels without openat2.
func TestPath(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, "proj", "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(home, "proj"), filepath.Join(home, "link")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{
		filepath.Join(home, "proj/x"): true, filepath.Join(home, "missing/x"): true, filepath.Join(home, "link"): false, filepath.Join(home, "link/x"): false, "/": true, "/usr/bin": true,
	} {
		_, _, _, err := walk(path, false)
		if got := Path(path); got != want || (err != unix.ELOOP) != want {
			t.Errorf("Path(%s) = %v; without openat2: %v", path, got, err)
		}
	}
	if info, err := os.Lstat("/bin"); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Skip("/bin is not a link on this system")
	}
	fd, at, err := Open("/bin/sh", false)
	if err != nil || !strings.HasPrefix(at, "/usr/bin/") {
		t.Errorf("/bin/sh is %q: %v", at, err)
	}
	_ = unix.Close(fd)
	if _, _, err := Open("usr", true); err == nil {
		t.Error("a relative path was opened")
	}
}
