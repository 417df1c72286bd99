//go:build linux

package main

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

const nobody = 65534

// user runs goated as nobody, because file permissions do not restrict root.
func (p *place) user(args ...string) (stdout, stderr string, code int) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), time.Minute)
	defer cancel()
	cmd := p.command(ctx, args...)
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return p.result(cmd)
}

func (p *place) result(cmd *exec.Cmd) (stdout, stderr string, code int) {
	var out, aside bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &aside
	if err := cmd.Run(); cmd.ProcessState == nil {
		p.t.Logf("starting it: %v", err)
		return "", "", -1
	}
	return out.String(), aside.String(), cmd.ProcessState.ExitCode()
}

// If something cannot be read or written, the terminal chat still opens and works. It reports each
// problem in one sentence.
func TestOpensWithoutADisk(t *testing.T) {
	secret := `{"model":"mine"}`
	for name, tt := range map[string]struct {
		prepare func(p *place) (data string)
		says    []string
	}{
		"read-only home": {func(p *place) string { p.chmod(p.home, 0o555); return "" }, []string{"the log can't be written", "closing the history"}},
		"no home":        {func(p *place) string { p.env = append(p.env, "HOME=/nonexistent"); return "" }, []string{"the log can't be written", "closing the history"}},
		"closed folder": {func(p *place) string {
			data := p.folder("closed")
			p.chmod(data, 0)
			return data
		}, []string{"the log can't be written", "the settings can't be read", "closing the history"}},
		"a file in the folder's place": {func(p *place) string {
			return p.write("file", "x")
		}, []string{"the log can't be written", "the settings can't be read", "closing the history"}},
		"unreadable settings": {func(p *place) string {
			data := p.folder("data")
			path := filepath.Join(data, "settings.json")
			if err := os.WriteFile(path, []byte(secret), 0); err != nil {
				p.t.Fatal(err)
			}
			p.own(data)
			return data
		}, []string{"the settings can't be read"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			for _, dir := range []string{p.home, p.project} {
				p.chmod(filepath.Dir(dir), 0o755)
				p.chmod(dir, 0o755)
			}
			p.own(p.home)
			args := []string{"chat", "-p", "list the files in .", "--yes"}
			data := tt.prepare(p)
			if data != "" {
				args = append([]string{"--data", data}, args...)
			}
			out, aside, code := p.user(args...)
			status := 0
			if strings.Contains(aside, "Unsaved messages are lost") {
				status = 1 // the answer is there, but a script has to notice
			}
			if code != status || !strings.Contains(out, "hello.txt") {
				t.Errorf("status %d, want %d, %q", code, status, out)
			}
			for _, want := range tt.says {
				if strings.Count(aside, want) != 1 {
					t.Errorf("%q is not said once:\n%s", want, aside)
				}
			}
			if lines := strings.Count(aside, "goated: "); lines != len(tt.says) {
				t.Errorf("%d lines:\n%s", lines, aside)
			}
		})
	}
}

func (p *place) chmod(path string, mode os.FileMode) {
	p.t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = os.Chmod(path, 0o700) })
}

func (p *place) folder(name string) string {
	p.t.Helper()
	path := filepath.Join(p.home, name)
	if err := os.Mkdir(path, 0o700); err != nil {
		p.t.Fatal(err)
	}
	p.own(path)
	return path
}

// own gives a folder to the user as whom goated runs.
func (p *place) own(path string) {
	p.t.Helper()
	if os.Getuid() == 0 {
		if err := os.Chown(path, nobody, nobody); err != nil {
			p.t.Fatal(err)
		}
	}
}

// This is the same on a full disk. No existing file changes.
func TestOpensOnAFullDisk(t *testing.T) {
	p := newPlace(t)
	script := `mount -t tmpfs -o size=64k none "$HOME" || exit 77
		mkdir "$HOME/D" && echo '{"callTimeout":"7s"}' > "$HOME/D/settings.json"
		dd if=/dev/zero of="$HOME/fill" bs=1k count=1000 2>/dev/null
		"$0" --data "$HOME/D" chat -p 'list the files in .' --yes; echo "status $?"
		cat "$HOME/D/settings.json"`
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-c", script, program)
	cmd.Dir, cmd.Env = p.project, p.env
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, aside, code := p.result(cmd)
	if code == 77 || code == -1 {
		t.Skipf("this system lets nobody mount a file system: %s", aside)
	}
	if !strings.Contains(out, "hello.txt") || !strings.Contains(out, "status 1") || !strings.Contains(out, `{"callTimeout":"7s"}`) {
		t.Errorf("%s\n%s", out, aside)
	}
	if strings.Contains(aside, "panic") {
		t.Error(aside)
	}
}
