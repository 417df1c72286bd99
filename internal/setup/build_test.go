//go:build unix

package setup_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// A program's modification time changes only with its content. Otherwise go test would repeat the
// tests that open the file.
func TestBuildKeepsTheTimeOfTheSameProgram(t *testing.T) {
	program, hourAgo := filepath.Join(t.TempDir(), "keeper"), time.Now().Add(-time.Hour).Truncate(time.Second)
	build := func(args ...string) time.Time {
		t.Helper()
		cmd := exec.Command("sh", append([]string{"internal/setup/build.sh", program}, args...)...)
		cmd.Dir = "../.."
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		info, err := os.Stat(program)
		if err != nil {
			t.Fatal(err)
		}
		return info.ModTime()
	}
	build("-buildvcs=false", "./cmd/keeper")
	for _, path := range []string{program, filepath.Dir(program)} {
		if err := os.Chtimes(path, hourAgo, hourAgo); err != nil {
			t.Fatal(err)
		}
	}
	if at := build("-buildvcs=false", "./cmd/keeper"); !at.Equal(hourAgo) {
		t.Errorf("the same program is of %v, not of %v", at, hourAgo)
	}
	if folder, err := os.Stat(filepath.Dir(program)); err != nil || !folder.ModTime().Equal(hourAgo) {
		t.Errorf("the folder of the same program is of %v, not of %v; %v", folder.ModTime(), hourAgo, err)
	}
	if at := build("-buildvcs=false", "-ldflags=-s", "./cmd/keeper"); !at.After(hourAgo) {
		t.Errorf("another program is of %v", at)
	}
	if left, err := filepath.Glob(program + "?*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
}
