//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/proctest"
)

// A server starts in the sandbox through a shim of pyenv: shell scripts that read the version of
// the folder and run its interpreter. The tests of servers avoid the shims of this computer.
func TestShimRunsItsInterpreter(t *testing.T) {
	if s := Probe(); !s.Confined() {
		t.Skip(s)
	}
	t.Run("its version at home", func(t *testing.T) { runShim(t, ".pyenv/versions/3.12.7", "") })
	t.Run("its version on another disk", func(t *testing.T) { runShim(t, "../disk/python-3.12.7", ".pyenv/versions/3.12.7") })
	t.Run("all versions on another disk", func(t *testing.T) { runShim(t, "../disk/versions/3.12.7", ".pyenv/versions") })
}

// runShim runs a script by a shim of pyenv. The version is in the folder installed, to which, or to
// whose parent, link leads if it is not empty.
func runShim(t *testing.T, installed, link string) {
	home := makeHome(t, "proj/s.py", installed+"/lib/python3.12/os.py", installed+"/notes")
	at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
	for name, text := range map[string]string{
		".pyenv/version":           "3.12.7\n",
		installed + "/bin/python3": "#!/bin/sh\necho 3.12.7 \"$@\"\n",
		".pyenv/shims/python3":     "#!/usr/bin/env bash\nprogram=${0##*/}\nexec " + at(".pyenv/libexec/pyenv") + ` exec "$program" "$@"` + "\n",
		".pyenv/libexec/pyenv":     "#!/usr/bin/env bash\nPATH=" + at(".pyenv/libexec") + ":$PATH\ncommand=pyenv-$1\nshift\n" + `exec "$command" "$@"` + "\n",
		".pyenv/libexec/pyenv-exec": "#!/usr/bin/env bash\nset -e\nversion=$(cat " + at(".pyenv/version") + ")\n" +
			"bin=" + at(".pyenv/versions") + "/$version/bin\nprogram=$1\nshift\n" + `exec "$bin/$program" "$@"` + "\n",
	} {
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := proctest.WriteProgram(at(name), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if link != "" {
		target := at(installed)
		if filepath.Base(link) != "3.12.7" {
			target = filepath.Dir(target)
		}
		if err := os.MkdirAll(filepath.Dir(at(link)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	program := at(".pyenv/shims/python3")
	cmd := exec.Command(program, "s.py")
	cmd.Dir = at("proj")
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	s, err := Start(cmd, For(program, at("proj/s.py"), at("data"), nil), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := cmd.Wait(); err != nil || output.String() != "3.12.7 s.py\n" {
		t.Errorf("%v: %s", err, output.String())
	}
}
