//go:build unix

package client_test

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/sandbox"
	"goated/internal/servertest"
	"goated/internal/wording"
)

// diagnosis connects a server that must fail, and returns the reason.
func diagnosis(t *testing.T, h *client.Host, c client.Config) *client.FailureReport {
	t.Helper()
	_, err := h.Connect(t.Context(), c)
	var e *client.Error
	if !errors.As(err, &e) || e.Report == nil {
		t.Fatalf("the error has no diagnosis: %v", err)
	}
	return e.Report
}

// The diagnosis of a taken port names the program that uses the port, and the variable from
// which the server reads the port number.
func TestPortTaken(t *testing.T) {
	t.Parallel()
	python := "python3"
	for _, dir := range filepath.SplitList(func() string { p, _ := servertest.Programs(t); return p }()) {
		if _, err := os.Stat(filepath.Join(dir, "python3")); err == nil {
			python = filepath.Join(dir, "python3")
			break
		}
	}
	other := exec.Command(python, "-c", "import socket, sys\ns = socket.socket()\ns.bind(('127.0.0.1', 0))\ns.listen()\nprint(s.getsockname()[1], flush=True)\nsys.stdin.read()")
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	in, err := other.StdinPipe()
	if err == nil {
		err = other.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); _ = other.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	port := strings.TrimSpace(line)
	for _, tt := range []struct {
		name, file, text, set string
		args, env             []string // arguments or variables that contain the port; otherwise only the server's code does
	}{
		{"python", "a.py", "import socket\nsocket.socket().bind(('127.0.0.1', " + port + "))\n", "", []string{"1" + port, "a" + port + "0"}, []string{"PORT=" + port + "1"}},
		{"python by a variable", "a.py", "import os, socket, sys\ntry:\n    socket.socket().bind(('127.0.0.1', int(os.environ.get('NOTES_PORT', " + port + "))))\nexcept OSError as e:\n    sys.exit(f'port " + port + ": {e}')\n", "NOTES_PORT", nil, []string{"NOTES_PORT=" + port}},
		{"node", "a.js", "require('net').createServer().listen(" + port + ", '127.0.0.1')\n", "", []string{"--listen=127.0.0.1:" + port}, nil},
		{"node by a variable", "a.js", "require('net').createServer().listen(process.env.PORT || " + port + ", '127.0.0.1')\n", "PORT", nil, nil},
		{"node that says so", "a.js", "require('net').createServer().listen(" + port + ", '127.0.0.1').on('error', e => { console.error(e.message + ': set HTTP_PORT to another'); process.exit(1) })\n", "HTTP_PORT", nil, nil},
		{"go", "a.go", "package main\n\nimport (\n\t\"log\"\n\t\"net\"\n)\n\nfunc main() {\n\t_, err := net.Listen(\"tcp\", \"127.0.0.1:" + port + "\")\n\tlog.Fatal(err)\n}\n", "", []string{"1" + port, "a" + port + "0"}, []string{"PORT=" + port + "1"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.file == "a.go" && !servertest.Long() {
				t.Skip("the other interpreters say the same: GOATED_LONG=1 compiles this server")
			}
			path := filepath.Join(t.TempDir(), tt.file)
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			d := diagnosis(t, host(t, client.Options{}), client.Config{Path: path, Args: tt.args, Env: tt.env, Grant: sandbox.Grant{Network: sandbox.AnyNetwork}})
			if d.Cause != diagnose.PortTaken || d.Args.Subject != port || d.Args.Variable != tt.set {
				t.Errorf("%+v", d)
			}
			if remedy := wording.Remedy(d.Diagnosis); tt.set != "" && !strings.Contains(remedy, "set "+tt.set+" to another port") {
				t.Errorf("the remedy is %q", remedy)
			}
			if runtime.GOOS != "linux" {
				return
			}
			pid := strconv.Itoa(other.Process.Pid)
			if why := wording.CauseText(d.Diagnosis); why != "The program python3 (process "+pid+") already uses port "+port+"." {
				t.Errorf("the sentence is %q", why)
			}
			given := tt.name == "node" || tt.name == "python by a variable"
			fix := d.Args.Commands
			if given && (len(fix) != 1 || !slices.Equal(fix[0], []string{"kill", pid})) || !given && fix != nil {
				t.Errorf("the commands are %q", fix)
			}
		})
	}
}

// If an interpreter is not installed, the diagnosis has the package manager's command. If the
// interpreter is in another folder, the diagnosis has that folder.
func TestInterpreterMissing(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "a.js")
	dice, err := os.ReadFile(servertest.Dice())
	if err == nil {
		err = os.WriteFile(script, dice, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin", "/usr/local/bin"} {
		if _, err := os.Stat(filepath.Join(dir, "node")); err == nil {
			t.Skip("Node.js is in " + dir + ", where it is always looked for")
		}
	}
	for manager, want := range map[string]string{
		"":        "",
		"apt-get": "apt-get install nodejs npm",
		"dnf":     "dnf install nodejs npm",
		"zypper":  "zypper install nodejs npm",
		"pacman":  "pacman -S nodejs npm",
		"apk":     "apk add nodejs npm",
		"brew":    "brew install node",
	} {
		bin, home := t.TempDir(), t.TempDir()
		if manager != "" {
			program(t, filepath.Join(bin, manager), "exit 1\n")
		}
		d := diagnosis(t, host(t, client.Options{Env: []string{"PATH=" + bin, "HOME=" + home}}), client.Config{Path: script})
		if d.Cause != diagnose.ProgramMissing || d.Args.Subject != "node" || d.Args.Page != "https://nodejs.org/en/download" || !strings.HasPrefix(wording.Remedy(d.Diagnosis), "Install Node.js") {
			t.Errorf("%s: %+v", manager, d)
		}
		got := ""
		fix := d.Args.Commands
		if len(fix) > 0 {
			got = strings.TrimPrefix(strings.Join(fix[0], " "), "sudo ")
		}
		if got != want {
			t.Errorf("with %q the command is %q", manager, got)
		}
		if sudo := len(fix) > 0 && fix[0][0] == "sudo"; sudo != (want != "" && manager != "brew" && os.Geteuid() != 0) {
			t.Errorf("%s: %q", manager, fix)
		}
	}

	// The interpreter was installed after goated started, so only a new login shell has it on
	// its PATH.
	bin, home := filepath.Join(t.TempDir(), "tools"), t.TempDir()
	programs, modules := servertest.Programs(t)
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	h := host(t, client.Options{Process: client.ProcessOptions{LoginPath: true}, Env: []string{"PATH=/nowhere", "HOME=" + home, "NODE_PATH=" + modules, "SHELL=" + filepath.Join(home, "sh")}})
	if d := diagnosis(t, h, client.Config{Path: script}); d.Cause != diagnose.ProgramMissing {
		t.Errorf("%+v", d)
	}
	if err := os.Symlink(filepath.Join(filepath.SplitList(programs)[1], "node"), filepath.Join(bin, "node")); err != nil {
		t.Fatal(err)
	}
	program(t, filepath.Join(home, "sh"), "PATH="+bin+":/usr/bin:/bin\nexport PATH\neval \"$4\"\n")
	d := diagnosis(t, h, client.Config{Path: script})
	if d.Cause != diagnose.ProgramElsewhere || d.Args.Found != bin || !strings.Contains(wording.CauseText(d.Diagnosis), "node is in "+bin) || wording.Remedy(d.Diagnosis) == "" {
		t.Fatalf("%+v", d)
	}
	h.AddSearchDir(d.Args.Found)
	if err := h.Restart(t.Context(), h.Snapshot().Servers[0].ID); err != nil {
		t.Errorf("fixed, it says %v\n%s", err, stderr(err))
	}
}

// program writes an executable shell script.
func program(t *testing.T, path, text string) {
	t.Helper()
	write(t, path, []byte("#!/bin/sh\n"+text))
}
