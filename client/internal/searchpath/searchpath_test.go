//go:build unix

package searchpath_test

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"goated/client/internal/searchpath"
	"goated/internal/proctest"
)

// goated finds the PATH of a login shell that prints text and leaves a job running. It does not
// wait for a shell that hangs.
func TestLogin(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	bin := filepath.Join(home, "tools")
	nvm := filepath.Join(home, ".nvm", "versions", "node")
	for _, dir := range []string{bin, filepath.Join(nvm, "v9.9.0", "bin"), filepath.Join(nvm, "v22.1.0", "bin"), filepath.Join(home, ".volta", "bin")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	shell := func(text string) string {
		path := filepath.Join(home, "sh-"+strconv.Itoa(len(text)))
		if err := proctest.WriteProgram(path, []byte("#!/bin/sh\n"+text)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	// The shell is called with -l -i -c, like a shell with a profile.
	chatty := shell("echo welcome back\nsleep 60 &\nPATH=" + bin + ":/usr/bin:/bin\nexport PATH\neval \"$4\"\n")
	began := time.Now()
	got := filepath.SplitList(searchpath.Login(t.Context(), []string{"HOME=" + home, "SHELL=" + chatty, "PATH=/usr/bin:/bin"}))
	if len(got) < 4 || got[0] != bin || got[1] != "/usr/bin" {
		t.Errorf("found %q", got)
	}
	if !slices.Contains(got, filepath.Join(nvm, "v22.1.0", "bin")) || slices.Contains(got, filepath.Join(nvm, "v9.9.0", "bin")) || !slices.Contains(got, filepath.Join(home, ".volta", "bin")) {
		t.Errorf("of the version managers: %q", got)
	}
	if took := time.Since(began); took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
	began = time.Now()
	got = filepath.SplitList(searchpath.Login(t.Context(), []string{"HOME=" + home, "SHELL=" + shell("sleep 3600\n")}))
	if took := time.Since(began); took > 30*time.Second || !slices.Contains(got, filepath.Join(home, ".volta", "bin")) {
		t.Errorf("with a shell that hangs: %q after %v", got, took)
	}
}
