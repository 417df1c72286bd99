//go:build linux

package servertest

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
)

// AsUser runs t's own test once more as another user, with env added to what this
// process has, and returns what it says. It runs in a folder that he can read, with
// a copy of this program and of carried: by their names in there, where they lie now.
// That folder is his home, and told to env, which may be nil.
func AsUser(t *testing.T, uid uint32, carried map[string]string, env func(dir string) []string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "goated-user-") // t's own is ours alone
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "program.test")
	Carry(t, self, program)
	for _, name := range slices.Sorted(maps.Keys(carried)) {
		Carry(t, carried[name], filepath.Join(dir, name))
	}
	cmd := exec.Command(program, "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+dir)
	if env != nil {
		cmd.Env = append(cmd.Env, env(dir)...)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: Nobody}}
	out, err := cmd.CombinedOutput()
	t.Logf("as uid %d:\n%s", uid, out)
	if err != nil {
		t.Error(err)
	}
	return string(out)
}

// Nobody is the user, and the group, that own nothing.
const Nobody = 65534

// Carry copies a file to where anybody may read and execute it.
func Carry(t testing.TB, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o755)
	}
	if err == nil {
		err = os.WriteFile(to, data, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}
