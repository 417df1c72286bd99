//go:build unix

package store_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"goated/internal/proctest"
	"goated/internal/store"
)

// Only the owner can read the database and the files beside it.
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

// F46: the error for a read-only folder or file reports that.
func TestReadOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "history.db")
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755) //nolint:errcheck // so that TempDir can remove it
	message := refused(t, path)
	if !strings.Contains(message, "opening "+path) || !strings.Contains(message, "check the permissions") {
		t.Fatalf("%q", message)
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
	if message := refused(t, path); !strings.Contains(message, "check the permissions") {
		t.Fatalf("%q", message)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := list(t, open(t, path)); len(got) != 1 || got[0].ID != c.ID {
		t.Fatalf("%+v", got)
	}
}

// refused opens a store that cannot be written, and returns the text of the error. File permissions do
// not restrict root, so root opens it as another user.
func refused(t *testing.T, path string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		_, err := store.Open(t.Context(), path)
		if err == nil {
			t.Fatal("the store opened")
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
		t.Fatal("the store opened", err)
	}
	return cmd.Stderr.(interface{ String() string }).String()
}

// copied returns the path of a copy of this program that every user can run.
func copied(t *testing.T) string {
	t.Helper()
	program, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "store")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	path := filepath.Join(dir, "program")
	if err := errors.Join(proctest.WriteProgram(path, program), os.Chmod(path, 0o755), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	return path
}
