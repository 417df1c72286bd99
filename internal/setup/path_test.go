//go:build unix

package setup_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The tests use the interpreter behind a shim. Any other PATH stays as it is: a folder such as
// /usr/bin at its front would hide a newer Go.
func TestPathOfTheTestsAvoidsShims(t *testing.T) {
	for _, tt := range []struct{ folder, first string }{{"shims", "/opt/python/bin:"}, {"bin", ""}} {
		t.Run(tt.folder, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), tt.folder)
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "python3"), []byte("#!/bin/sh\necho /opt/python/bin\n"), 0o700); err != nil {
				t.Fatal(err)
			}
			path := dir + ":" + os.Getenv("PATH")
			cmd := exec.Command("sh", "path.sh")
			cmd.Env = []string{"PATH=" + path}
			got, err := cmd.Output()
			if want := tt.first + path; err != nil || strings.TrimSpace(string(got)) != want {
				t.Errorf("the PATH is %q, not %q (%v)", got, want, err)
			}
		})
	}
}
