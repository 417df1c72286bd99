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

// AsUser runs the test t again as another user and returns its output. It runs in a new folder,
// which the user can read and which is the user's home. The folder contains a copy of the test
// binary and of each file in carried, which maps names in the folder to paths. env returns
// additional variables; it gets the folder, and may be nil.
func AsUser(t *testing.T, uid uint32, carried map[string]string, env func(dir string) []string) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "goated-user-") // only the owner can enter t.TempDir
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

// Nobody is the id of a user and a group that own nothing.
const Nobody = 65534

// Carry copies a file to a path where any user may read and execute it.
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
