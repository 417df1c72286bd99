//go:build unix

package store_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"goated/internal/store"
)

// Only the owner can read the history and what is beside it.
func TestPermissions(t *testing.T) {
	old := syscall.Umask(0)
	defer syscall.Umask(old)
	dir := filepath.Join(t.TempDir(), "goated")
	path := filepath.Join(dir, "history.db")
	s := open(t, path)
	turn(t, s, create(t, s).ID, "", "a", "b")
	for _, name := range append(glob(t, path+"*"), dir) {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has %v", name, info.Mode())
		}
	}
}

// F46: a folder or a file that can't be written is an error that says so.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "history.db")
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755) //nolint:errcheck // for TempDir to remove it
	said := refused(t, path)
	if !strings.Contains(said, "opening "+path) || !strings.Contains(said, "check the permissions") {
		t.Fatalf("%q", said)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	s := reopen(t, nil, path)
	c := create(t, s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Chmod(path, 0o444), os.Chmod(path+".lock", 0o666), os.Chmod(dir, 0o555)); err != nil {
		t.Fatal(err)
	}
	if said := refused(t, path); !strings.Contains(said, "check the permissions") {
		t.Fatalf("%q", said)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := list(t, open(t, path)); len(got) != 1 || got[0].ID != c.ID {
		t.Fatalf("%+v", got)
	}
}

// refused opens a store that can't be written, and returns what is said to it.
// Permissions do not bind root, who does it as somebody else.
func refused(t *testing.T, path string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		_, err := store.Open(t.Context(), path)
		if err == nil {
			t.Fatal("it was opened")
		}
		return err.Error()
	}
	cmd := start("open", path)
	cmd.Path = copied(t)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	cmd.Dir = "/"
	for dir := filepath.Dir(filepath.Dir(path)); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var exit *exec.ExitError
	if err := cmd.Run(); errors.Is(err, os.ErrPermission) {
		t.Skip(err)
	} else if !errors.As(err, &exit) {
		t.Fatal("it was opened", err)
	}
	return cmd.Stderr.(interface{ String() string }).String()
}

// copied is this program where everybody may run it.
func copied(t *testing.T) string {
	t.Helper()
	in, err := os.Open(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "program")
	out, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o755)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close(), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	return path
}
