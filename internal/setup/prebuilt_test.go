//go:build unix

package setup_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/proctest"
)

// TestPrebuiltRunsEachProgramInItsFolder runs two scripts that stand in for test programs. Each
// needs the file beside it. One fails, and prebuilt.sh must show why, and still run the other.
func TestPrebuiltRunsEachProgramInItsFolder(t *testing.T) {
	programs, module := t.TempDir(), t.TempDir()
	var folders string
	for _, name := range []string{"a", "b"} {
		folder := filepath.Join(module, name)
		for path, text := range map[string]string{
			filepath.Join(folder, "beside"): name,
			filepath.Join(programs, strings.ReplaceAll(folder, "/", ".")): `#!/bin/sh
echo "$(cat beside) runs with $*"
test "$(cat beside)" != "$FAIL"
`,
		} {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := proctest.WriteProgram(path, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		folders += folder + "\n"
	}
	if err := os.WriteFile(filepath.Join(programs, "folders"), []byte(folders), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(fail string) (string, error) {
		cmd := exec.Command("sh", "prebuilt.sh", "run", programs, "-test.v")
		cmd.Env = append(os.Environ(), "FAIL="+fail)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("none"); err != nil || strings.Count(out, "ok ") != 2 {
		t.Errorf("two programs that pass: %v\n%s", err, out)
	}
	out, err := run("a")
	if err == nil || !strings.Contains(out, "a runs with -test.paniconexit0 -test.v") || !strings.Contains(out, "FAIL "+module+"/a") || !strings.Contains(out, "ok "+module+"/b") {
		t.Errorf("one program that fails: %v\n%s", err, out)
	}
}
