//go:build unix

// Package setup_test tests the scripts that make runs before it builds the program.
package setup_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/proctest"
)

// A system is a PATH that contains only the programs that a test adds.
type system struct {
	t   *testing.T
	bin string
}

func newSystem(t *testing.T) *system {
	s := &system{t: t, bin: t.TempDir()}
	for _, name := range []string{"sh", "grep", "cat", "id"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, filepath.Join(s.bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// has adds a program that is a script.
func (s *system) has(name, script string) {
	s.t.Helper()
	path := filepath.Join(s.bin, name)
	_ = os.Remove(path)
	if err := proctest.WriteProgram(path, []byte("#!/bin/sh\n"+script+"\n")); err != nil {
		s.t.Fatal(err)
	}
}

// packages runs packages.sh and returns its output and exit code.
func (s *system) packages(purpose string) (output string, code int) {
	s.t.Helper()
	cmd := exec.Command(filepath.Join(s.bin, "sh"), "packages.sh", purpose)
	cmd.Env = []string{"PATH=" + s.bin}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

const debian = `[ "$4" = libxi-dev ] && exit 1; echo "install ok installed"`

func TestPackagesAreInstalled(t *testing.T) {
	s := newSystem(t)
	mark := filepath.Join(t.TempDir(), "mark")
	s.has("dpkg-query", debian)
	s.has("id", "echo 0")
	s.has("apt-get", `echo "$@" >> `+mark)
	output, code := s.packages("window")
	installed, _ := os.ReadFile(mark)
	if code != 0 || !strings.Contains(output, "to build the window") || !strings.Contains(output, "libxi-dev") {
		t.Errorf("status %d: %s", code, output)
	}
	if !strings.HasSuffix(string(installed), "--no-install-recommends libxi-dev\n") {
		t.Errorf("ran apt-get with %s", installed)
	}
}

func TestNothingIsMissing(t *testing.T) {
	s := newSystem(t)
	s.has("dpkg-query", `echo "install ok installed"`)
	s.has("apt-get", "echo apt-get was run; exit 1")
	if output, code := s.packages("window"); code != 0 || output != "" {
		t.Errorf("status %d: %s", code, output)
	}
}

func TestSudoOnlyWhereNeeded(t *testing.T) {
	s := newSystem(t)
	mark := filepath.Join(t.TempDir(), "mark")
	s.has("dpkg-query", debian)
	s.has("id", "echo 1000")
	s.has("apt-get", "exit 0")
	s.has("sudo", `[ "$1" = -n ] && exit 0; echo sudo >> `+mark+`; exec "$@"`)
	if output, code := s.packages("window"); code != 0 {
		t.Errorf("status %d: %s", code, output)
	}
	if used, _ := os.ReadFile(mark); string(used) != "sudo\n" {
		t.Errorf("sudo was used %q", used)
	}
}

func TestNoPermission(t *testing.T) {
	s := newSystem(t)
	s.has("dpkg-query", debian)
	s.has("id", "echo 1000")
	s.has("apt-get", "exit 0")
	output, code := s.packages("window")
	if code != 3 || !strings.Contains(output, "As root, run: apt-get update") || !strings.Contains(output, "libxi-dev") {
		t.Errorf("status %d: %s", code, output)
	}
}

func TestOtherManagers(t *testing.T) {
	for manager, query := range map[string]string{"dnf": "rpm", "pacman": ""} {
		s := newSystem(t)
		s.has("id", "echo 0")
		if query != "" {
			s.has(query, "exit 1")
		}
		mark := filepath.Join(t.TempDir(), "mark")
		s.has(manager, `[ "$1" = -Qi ] && exit 1; echo "$@" >> `+mark)
		output, code := s.packages("window")
		installed, _ := os.ReadFile(mark)
		if code != 0 || !strings.Contains(strings.ToLower(string(installed)), "libxcursor") {
			t.Errorf("%s: status %d: %s; installed %s", manager, code, output, installed)
		}
	}
}

func TestUnknownSystemPrintsTheList(t *testing.T) {
	s := newSystem(t)
	output, code := s.packages("test")
	for _, want := range []string{"does not know", "libXcursor", "Xvfb", "Node.js"} {
		if code != 3 || !strings.Contains(output, want) {
			t.Errorf("status %d, no %q: %s", code, want, output)
		}
	}
}

// Without a display, "make run" starts the terminal chat and prints the reason.
func TestRunWithoutADisplay(t *testing.T) {
	if testing.Short() {
		t.Skip("the race detector does not see the program that it builds and runs")
	}
	cmd := exec.Command("make", "run")
	cmd.Dir = filepath.Join("..", "..")
	home := t.TempDir()
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "DISPLAY=") && !strings.HasPrefix(kv, "XDG_") && !strings.HasPrefix(kv, "GEMINI") && !strings.HasPrefix(kv, "GOOGLE") {
			cmd.Env = append(cmd.Env, kv)
		}
	}
	cmd.Env = append(cmd.Env, "XDG_DATA_HOME="+home, "XDG_CONFIG_HOME="+home)
	cmd.Stdin = strings.NewReader("list the files in .\n")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "There is no display (DISPLAY is not set), so goated starts the terminal chat.") ||
		!strings.Contains(string(out), "go.mod · file") {
		t.Errorf("%v\n%s", err, out)
	}
}
