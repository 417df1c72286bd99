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

// The tests use the Python of the tools, even where python3 is a shim. The rest of PATH stays as it
// is: a folder such as /usr/bin at its front would hide a newer Go.
func TestPathOfTheTestsHasThePythonOfTheTools(t *testing.T) {
	source, err := os.ReadFile("path.sh")
	if err != nil {
		t.Fatal(err)
	}
	for _, installed := range []bool{true, false} {
		dir := t.TempDir()
		tools := filepath.Join(dir, ".tools", "venv", "bin")
		files := map[string]string{"internal/setup/path.sh": string(source)}
		want := os.Getenv("PATH")
		if installed {
			files[".tools/venv/bin/python3"] = "#!/bin/sh\n"
			want = tools + ":" + want
		}
		for name, text := range files {
			file := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := proctest.WriteProgram(file, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.Command("sh", "internal/setup/path.sh")
		cmd.Dir = dir
		got, err := cmd.Output()
		if err != nil || strings.TrimSpace(string(got)) != want {
			t.Errorf("the PATH is %q, not %q (%v)", got, want, err)
		}
	}
}
