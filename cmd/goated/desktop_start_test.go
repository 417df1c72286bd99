//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"goated/internal/proctest"
	"goated/internal/servertest"
)

// A goated without a terminal was started by a click, whatever TERM contains, so it asks the login
// shell for the PATH. In a terminal it keeps the terminal's PATH. If a program is missing there,
// the error names the folder that has it.
func TestStartedFromTheDesktop(t *testing.T) {
	for _, dir := range []string{"/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/local/bin"} {
		if _, err := os.Stat(filepath.Join(dir, "node")); err == nil {
			t.Skip("Node.js is in " + dir + ", where it is always looked for")
		}
	}
	path, modules := servertest.Programs(t)
	node := filepath.Join(filepath.SplitList(path)[1], "node")
	p := newPlace(t)
	tools, shell := t.TempDir(), filepath.Join(p.home, "sh")
	if err := os.Symlink(node, filepath.Join(tools, "node")); err != nil {
		t.Fatal(err)
	}
	if err := proctest.WriteProgram(shell, []byte("#!/bin/sh\nPATH="+tools+":/usr/bin:/bin\nexport PATH\neval \"$4\"\n")); err != nil {
		t.Fatal(err)
	}
	p.env = []string{"PATH=/nowhere", "HOME=" + p.home, "NODE_PATH=" + modules, "SHELL=" + shell}
	args := []string{"tools", "--no-bundled", "--server", servertest.Dice()}
	for _, term := range []string{"", "linux", "xterm-256color"} {
		cmd := p.command(t.Context(), args...)
		if cmd.Env = p.env; term != "" {
			cmd.Env = append(cmd.Environ(), "TERM="+term)
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // like a desktop
		var out bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &out
		if err := cmd.Run(); err != nil || !strings.Contains(out.String(), "roll") {
			t.Errorf("TERM=%s: %v\n%s", term, err, out.String())
		}
	}
	s, wait := p.screen(args...) // also without a TERM
	s.wait("node is in " + tools + ", which is not on goated's PATH")
	if code := wait(); code != 1 {
		t.Errorf("status %d", code)
	}
}

// The doctor named the interpreters on goated's own PATH, but servers use those of the login shell
// first.
func TestDoctorLooksWhereServersStart(t *testing.T) {
	for _, dir := range []string{"/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/local/bin"} {
		if _, err := os.Stat(filepath.Join(dir, "node")); err == nil {
			t.Skip("Node.js is in " + dir + ", where it is always looked for")
		}
	}
	p := newPlace(t)
	p.quietGo()
	own, login, shell := t.TempDir(), t.TempDir(), filepath.Join(p.home, "sh")
	for path, text := range map[string]string{
		filepath.Join(own, "node"): "#!/bin/sh\necho v22.0.0", filepath.Join(login, "node"): "#!/bin/sh\necho v20.0.0",
		shell: "#!/bin/sh\nPATH=" + login + ":/usr/bin:/bin\nexport PATH\neval \"$4\"",
	} {
		if err := proctest.WriteProgram(path, []byte(text+"\n")); err != nil {
			t.Fatal(err)
		}
	}
	cmd := p.command(t.Context(), "doctor")
	cmd.Env = append(cmd.Environ(), "PATH="+own+":/usr/bin:/bin", "SHELL="+shell)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // like a desktop
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "v20.0.0 ("+login) {
		t.Errorf("%v\n%s", err, out)
	}
}
