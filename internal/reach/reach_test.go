//go:build linux

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/proc"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == "keep" {
		proc.Keep()
	}
	os.Exit(m.Run())
}

// expected are the permissions that goated asks for because a server's arguments do not contain the
// path or host.
var expected = map[string]string{
	"sqlite": "read and write {db}", "mcp-remote": "reach {addr}", "memory": "read and write {work}",
	"github": "reach {addr}", "brave-search": "reach {addr}", "exa": "reach {addr}",
}

// quick are the servers of each run: two Node servers, one that needs a folder and one that needs a
// host, and a Python server. The long form tests the others.
var quick = []string{"memory", "github", "git"}

// environments are additional variables for the test.
var environments = map[string]string{"memory": "MEMORY_FILE_PATH={work}/memory.jsonl"}

// Popular servers connect in the sandbox and complete a useful call. goated asks no question, or
// one for the host that they need. The servers are installed in .tools. `make reach` starts all of
// them with the commands in their READMEs.
func TestPopularServers(t *testing.T) {
	if s := sandbox.Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	tools := filepath.Join(filepath.Dir(servertest.Script("x")), "..", "..", ".tools")
	bin := filepath.Join(tools, "node_modules", ".bin")
	for _, dir := range []string{bin, filepath.Join(tools, "venv-v1", "bin")} {
		if _, err := os.Stat(dir); err != nil {
			t.Fatalf("%v: run make tools", err)
		}
	}
	env := servertest.EnvironV1(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	w, err := newWorld("")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.close)
	tested := 0
	for _, s := range slices.Concat(servers, further) {
		if s.test == "" {
			continue
		}
		tested++
		t.Run(s.name, func(t *testing.T) {
			if !servertest.Long() && !slices.Contains(quick, s.name) {
				t.Skip("another server in the same ways: GOATED_LONG=1 runs it")
			}
			s.dir = tools
			if one := environments[s.name]; one != "" {
				s.env = append(s.env, one)
			}
			r := w.try(t.Context(), client.Options{Data: t.TempDir(), Env: env, Process: client.ProcessOptions{Keeper: []string{self, "keep"}}}, s, strings.ReplaceAll(s.test, "{bin}", bin), false)
			var want []string
			if one := expected[s.name]; one != "" {
				want = []string{w.fill(one)}
			}
			if r.undeclared != nil {
				t.Errorf("a model does not get its tools: %v", r.undeclared)
			}
			if !r.connected || r.tools == 0 || s.tool != "" && !r.called || !slices.Equal(r.allowed, want) {
				t.Errorf("connected %t, %d tools, called %t, asked for %q, want %q\n%s", r.connected, r.tools, r.called, r.allowed, want, strings.Join(r.log, "\n"))
			}
		})
	}
	if tested < 12 {
		t.Errorf("only %d servers are tested", tested)
	}
}
