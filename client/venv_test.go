//go:build unix

package client_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/consent"
	"goated/internal/proctest"
	"goated/internal/servertest"
	"goated/internal/wording"
)

// The advice for a missing module led to the same failure again, unless the server was the path
// of a script. goated did not use the environment that it had told the user to create. Each
// server here runs after the test follows its advice. The test writes the module itself,
// because pip needs a network.
func TestAdviceForAMissingModuleWorks(t *testing.T) {
	t.Parallel()
	programs, _ := servertest.Programs(t)
	python, err := filepath.EvalSymlinks(filepath.Join(filepath.SplitList(programs)[0], "python3")) // outside any environment
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "PATH="+filepath.Dir(python)+":/usr/bin:/bin")
	text := "import feedparser\n" + servertest.Small(t) + "\nMCPServer('feeds').run()\n"
	for _, tt := range []struct {
		name, file string
		command    func(script string) client.Config
		want       diagnose.Cause
		follow     func(c *client.Config, script, python string)
	}{
		{"a script", "a.py", func(script string) client.Config { return client.Config{Path: script} }, diagnose.PythonModule, nil},
		{"python3", "a.py", func(script string) client.Config { return client.Config{Command: "python3", Args: []string{script}} }, diagnose.PythonModule, nil},
		{"an option of python3", "a.py", func(script string) client.Config {
			return client.Config{Command: "python3", Args: []string{"-u", filepath.Base(script)}, Dir: filepath.Dir(script)}
		}, diagnose.PythonModule, nil},
		{"a Python by its path", "a.py", func(script string) client.Config { return client.Config{Command: python, Args: []string{script}} },
			diagnose.ModuleOfCommand, func(c *client.Config, _, python string) { c.Command = python }},
		{"a program", "feeds", func(script string) client.Config { return client.Config{Command: script} },
			diagnose.ModuleOfProgram, func(_ *client.Config, script, python string) {
				if err := proctest.WriteProgram(script, []byte("#!"+python+"\n"+text)); err != nil {
					t.Error(err)
				}
			}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			script := filepath.Join(t.TempDir(), tt.file)
			write(t, script, []byte("#!/usr/bin/env python3\n"+text))
			c := tt.command(script)
			h := host(t, client.Options{Data: t.TempDir(), Env: env})
			d := diagnosis(t, h, c)
			inside := filepath.Join(filepath.Dir(script), ".venv", "bin", "python3")
			if d.Cause != tt.want || len(d.Args.Commands) != 2 || !slices.Equal(d.Args.Commands[1], []string{inside, "-m", "pip", "install", "feedparser"}) {
				t.Fatalf("%+v", d)
			}
			if remedy := wording.Remedy(d.Diagnosis); strings.Contains(remedy, "goated uses") == (tt.follow != nil) || tt.follow != nil && !strings.Contains(remedy, inside) {
				t.Errorf("it says %q", remedy)
			}
			advised := exec.Command("env", append(slices.Clone(d.Args.Commands[0]), "--without-pip")...)
			advised.Env = env
			if out, err := advised.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			found, err := filepath.Glob(filepath.Join(filepath.Dir(script), ".venv", "lib", "python3*", "site-packages"))
			if err != nil || len(found) != 1 {
				t.Fatalf("%q, %v", found, err)
			}
			if err := os.WriteFile(filepath.Join(found[0], "feedparser.py"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if tt.follow != nil {
				tt.follow(&c, script, inside)
			}
			c.Name = "fixed"
			connect(t, h, c)
		})
	}
}

// The advice mentions the working directory of python3 -m only if the module exists.
func TestModuleThatIsNotInstalled(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{Data: t.TempDir()})
	d := diagnosis(t, h, client.Config{Command: "python3", Args: []string{"-m", "mcp_server_of_nobody"}})
	if d.Cause != diagnose.ModuleToRun || d.Args.Subject != "mcp_server_of_nobody" {
		t.Errorf("%+v", d)
	}
	if p, ok := consent.FirstMissing(h.Snapshot().Servers[0], ""); ok {
		t.Errorf("it asks to %s", p)
	}
}
