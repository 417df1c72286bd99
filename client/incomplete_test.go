//go:build linux

package client_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// runner returns a host that runs a script in place of a package runner such as npx. It also
// returns a configuration that may install packages with that runner.
func runner(t *testing.T, name, script string) (*client.Host, client.Config) {
	t.Helper()
	bin := t.TempDir()
	write(t, filepath.Join(bin, name), []byte(script))
	env := servertest.EnvironV1(t)
	for i, kv := range env {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok {
			env[i] = "PATH=" + bin + string(os.PathListSeparator) + path
		}
	}
	return host(t, client.Options{Data: t.TempDir(), Env: env}),
		client.Config{Command: name, Grant: sandbox.Grant{Install: true, Read: []string{filepath.Dir(servertest.Dice())}}}
}

// npx was killed during an installation, so a file of a package is missing. From then on, npx
// considers the package installed. goated reports this and removes the installed files, and the
// next start installs the package again.
func TestIncompleteInstallHeals(t *testing.T) {
	t.Parallel()
	if s := sandbox.Probe(); !s.Confined() {
		t.Skip(s)
	}
	script := `#!/bin/sh
at="$npm_config_cache/_npx/e54c/node_modules/pack"
if [ ! -d "$at" ]; then
	mkdir -p "$at"
	if [ -e "$STATE_DIRECTORY/second" ]; then
		cp '` + servertest.Dice() + `' "$at/index.js"
	else
		echo 'require("../helpers/whole")' > "$at/index.js"
		touch "$STATE_DIRECTORY/second"
	fi
fi
exec node "$at/index.js"
`
	h, c := runner(t, "npx", script)
	c.Args = []string{"-y", "pack"}
	_, err := h.Connect(t.Context(), c)
	var e *client.Error
	if !errors.As(err, &e) || e.Report == nil || e.Report.Cause != diagnose.InstallIncomplete {
		t.Fatalf("%v: %+v", err, e)
	}
	failed := h.Snapshot().Servers[0]
	if err := h.Restart(t.Context(), failed.ID); err != nil {
		t.Fatalf("the next start: %v", err)
	}
	if v := h.Snapshot().Servers[0]; len(v.Tools) != 1 {
		t.Errorf("its tools are %+v", v.Tools)
	}
}

// A server for version 1 of the Python SDK that does not declare this starts with that version.
// Before, its first start failed, and goated advised the user to change the command.
func TestOlderServerGetsItsVersion(t *testing.T) {
	t.Parallel()
	if s := sandbox.Probe(); !s.Confined() {
		t.Skip(s)
	}
	script := `#!/bin/sh
if [ "$(cat "$UV_CONSTRAINT")" != "mcp<2" ]; then
	echo "ModuleNotFoundError: No module named 'mcp.server.fastmcp'" >&2
	exit 1
fi
exec node '` + servertest.Dice() + `'
`
	h, c := runner(t, "uvx", script)
	c.Args = []string{"pack"}
	if _, err := h.Connect(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if all := h.Snapshot().Servers; len(all) != 1 || len(all[0].Tools) != 1 {
		t.Errorf("the servers are %+v", all)
	}
}

// The install script of mcp-mermaid installs system packages, which no sandbox allows, and npx
// exits without a message. goated gave no reason. It now installs such a package without its
// scripts. If that does not help, it names the script that failed.
func TestServerStartsWithoutTheScriptThatFails(t *testing.T) {
	t.Parallel()
	if s := sandbox.Probe(); !s.Confined() {
		t.Skip(s)
	}
	const npx = `#!/bin/sh
mkdir -p "$npm_config_cache/_logs"
if [ "$npm_config_ignore_scripts" != true ] || [ "$1" = hopeless ]; then
	printf '1 info run %s@1.0.0 postinstall node_modules/pack playwright install --with-deps\n2 info run %s@1.0.0 postinstall { code: 1, signal: null }\n' pack pack >"$npm_config_cache/_logs/1-debug-0.log"
	exit 1
fi
exec node '`
	h, c := runner(t, "npx", npx+servertest.Dice()+"'\n")
	c.Args = []string{"pack"}
	if _, err := h.Connect(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if all := h.Snapshot().Servers; len(all) != 1 || len(all[0].Tools) != 1 {
		t.Errorf("the servers are %+v", all)
	}
	c.Args = []string{"hopeless"}
	_, err := h.Connect(t.Context(), c)
	var e *client.Error
	if !errors.As(err, &e) || e.Report == nil || e.Report.Cause != diagnose.InstallScript || e.Report.Args.Subject != "pack" || e.Report.Args.Text != "playwright install --with-deps" {
		t.Errorf("%v: %+v", err, e.Report)
	}
}

// A pasted npx command names no working directory, and a window started from a menu has no
// useful one. Such a server therefore works in its own folder, which it may write to without a
// question. Before, @playwright/mcp left .playwright-mcp wherever goated happened to run. From
// a terminal, the server works in the user's current directory.
func TestPackageWorksInItsOwnFolder(t *testing.T) {
	t.Parallel()
	if s := sandbox.Probe(); !s.Confined() {
		t.Skip(s)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for fromMenu, want := range map[bool]string{true: "files", false: filepath.Base(here)} {
		_, c := runner(t, "npx", "")
		bin := t.TempDir()
		script := "#!/bin/sh\npwd >\"$STATE_DIRECTORY/pwd\"\n" + map[bool]string{true: "mkdir .playwright-mcp || exit 1\n"}[fromMenu] + "exec node '" + servertest.Dice() + "'\n"
		write(t, filepath.Join(bin, "npx"), []byte(script))
		env := servertest.EnvironV1(t)
		for i, kv := range env {
			if path, ok := strings.CutPrefix(kv, "PATH="); ok {
				env[i] = "PATH=" + bin + string(os.PathListSeparator) + path
			}
		}
		data := t.TempDir()
		h := host(t, client.Options{Data: data, Env: env, Process: client.ProcessOptions{OwnFolder: fromMenu}})
		c.Args = []string{"-y", "pack"}
		if _, err := h.Connect(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		found, _ := filepath.Glob(filepath.Join(data, "*", "files", "pwd")) // the pattern is valid
		if len(found) != 1 {
			t.Fatalf("%q", found)
		}
		if text, err := os.ReadFile(found[0]); err != nil || filepath.Base(strings.TrimSpace(string(text))) != want {
			t.Errorf("started from a menu: %v: it works in %s, %v", fromMenu, text, err)
		}
	}
}

// Permission to install includes the Python that a package needs and that this computer lacks.
// Before, goated asked for that download's host, and for a second one that uv tries next.
func TestInstallsOfUVReachItsPythons(t *testing.T) {
	t.Parallel()
	if s := sandbox.Probe(); !s.Confined() {
		t.Skip(s)
	}
	script := "#!/bin/sh\nexec node '" + servertest.Dice() + "'\n"
	for name, want := range map[string]bool{"uvx": true, "npx": false} {
		h, c := runner(t, name, script)
		if _, err := h.Connect(t.Context(), c); err != nil {
			t.Fatal(err)
		}
		if got := h.Snapshot().Servers[0].Policy.Packages.Registries; slices.Contains(got, "releases.astral.sh") != want {
			t.Errorf("%s installs from %q", name, got)
		}
	}
}
