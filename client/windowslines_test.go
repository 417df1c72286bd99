//go:build unix

package client_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/servertest"
)

// goated reported that a script saved on Windows needs an interpreter that this machine lacks.
// The command in the advice now converts the script.
func TestScriptWithWindowsLines(t *testing.T) {
	t.Parallel()
	python := "\n" + servertest.Small(t) + "\nMCPServer('w').run()\n"
	programs, _ := servertest.Programs(t)
	shell := "\nset -e\n" + filepath.Join(filepath.SplitList(programs)[0], "python3") + " \"$(dirname \"$0\")/server.py\"\n"
	for _, tt := range []struct{ name, line, text string }{
		{"program", "#!/bin/sh", shell},
		{"program", "#!/usr/bin/env python3", python},
		{"run.sh", "#!/bin/sh", shell},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, tt.name)
		write(t, path, []byte(strings.ReplaceAll(tt.line+tt.text, "\n", "\r\n")))
		if err := os.WriteFile(filepath.Join(dir, "server.py"), []byte(python), 0o600); err != nil {
			t.Fatal(err)
		}
		c := client.Config{Command: path}
		if tt.name == "run.sh" {
			c.Command, c.Args = "sh", []string{path}
		}
		h := host(t, client.Options{Data: t.TempDir()})
		d := diagnosis(t, h, c)
		if d.Cause != diagnose.WindowsLines || d.Args.Subject != path || len(d.Args.Commands) != 1 {
			t.Errorf("%s: %+v", tt.line, d)
			continue
		}
		if out, err := exec.Command(d.Args.Commands[0][0], d.Args.Commands[0][1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		c.Name, c.NoSandbox = "converted", true
		connect(t, h, c)
	}
}
