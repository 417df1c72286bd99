package ui_test

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"goated/client"
	"goated/internal/proctest"
	"goated/internal/sandbox"
	"goated/ui"
)

// programIn puts a program that exits immediately at the front of the search path.
func programIn(t *testing.T, name string) {
	t.Helper()
	bin := t.TempDir()
	if err := proctest.WriteProgram(filepath.Join(bin, name), []byte("#!/bin/sh\nexit 3\n")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// The sheet shows what a server will be able to do, and is the only place to let it change the
// folder among its arguments. "Add and start" agrees to that and to the installation of the
// server's package, so goated does not ask about either.
func TestTheSheetAgreesToWhatItShows(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	programIn(t, "npx")
	home := t.TempDir()
	t.Setenv("HOME", home)
	documents := filepath.Join(home, "Documents")
	if err := os.Mkdir(documents, 0o700); err != nil {
		t.Fatal(err)
	}
	d := hosted(t, ui.Options{})
	d.openConnect()
	d.Enter(scriptField, "npx -y @modelcontextprotocol/server-filesystem "+documents)
	for _, want := range []string{"In the sandbox it can do only this", "~/Documents", "Its own folder only", "The npm registry, to install it. goated asks about other hosts."} {
		d.sees(want)
	}
	d.Press("Let it change ~/Documents")
	d.sees("Its own folder, ~/Documents")
	d.Press("Let it only read ~/Documents")
	d.sees("Its own folder only")
	d.Press("Let it change ~/Documents")
	d.Press("Add and start")
	s := d.server("failed", func(s client.Server) bool { return s.Status == client.Failed })
	c, _ := d.host.Config(s.ID)
	want := sandbox.Permissions{{Kind: sandbox.ToInstall}, {Kind: sandbox.ToWrite, Path: documents}}
	if got := c.Grant.Permissions(); len(got) != 2 || !got.Has(want[0]) || !got.Has(want[1]) {
		t.Errorf("it runs with %v, want %v", got, want)
	}
}

// The sheet lists the hosts that the arguments name, and goated does not ask about them after
// "Add and start".
func TestTheSheetAgreesToTheHostsOfTheSettings(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	programIn(t, "npx")
	t.Setenv("HOME", t.TempDir())
	d := hosted(t, ui.Options{})
	d.openConnect()
	d.Enter(scriptField, "npx -y mcp-remote http://127.0.0.1:9/mcp")
	d.sees("The npm registry, to install it, and 127.0.0.1:9, which its settings name. goated asks about other hosts.")
	d.Press("Add and start")
	s := d.server("failed", func(s client.Server) bool { return s.Status == client.Failed })
	if c, _ := d.host.Config(s.ID); len(c.Grant.Hosts) != 1 || c.Grant.Hosts[0] != "127.0.0.1:9" {
		t.Errorf("it may reach %q", c.Grant.Hosts)
	}
}

// A server from a repository needs the repository and the registry of its packages. The sheet
// lists both, and goated asks about neither.
func TestTheSheetAgreesToARepository(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	programIn(t, "uvx")
	t.Setenv("HOME", t.TempDir())
	d := hosted(t, ui.Options{})
	d.openConnect()
	d.Enter(scriptField, "uvx --from git+http://127.0.0.1:9/acme/fs-mcp fs-mcp")
	d.sees("The PyPI registry, to install it, and 127.0.0.1:9, which its settings name. goated asks about other hosts.")
	d.Press("Add and start")
	s := d.server("failed", func(s client.Server) bool { return s.Status == client.Failed })
	if c, _ := d.host.Config(s.ID); !c.Grant.Install || len(c.Grant.Hosts) != 1 || c.Grant.Hosts[0] != "127.0.0.1:9" {
		t.Errorf("it may %+v", c.Grant)
	}
}

// The sheet does not offer a dangerous folder, because the question about it comes with a
// warning.
func TestTheSheetOffersNoDangerousFolder(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	d := hosted(t, ui.Options{})
	d.openConnect()
	d.Enter(scriptField, "npx -y @modelcontextprotocol/server-filesystem "+home)
	d.sees("In the sandbox it can do only this")
	if d.Reads("Let it change ~") {
		t.Error("the sheet offers to let a server change the whole home")
	}
}

// The sheet offers the servers of other apps and preselects those of Claude Desktop. It runs
// none before the user imports it.
func TestTheSheetOffersTheServersOfOtherApps(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	programIn(t, "uvx")
	for name, text := range map[string]string{
		filepath.Join(".config", "Claude", "claude_desktop_config.json"): `{"mcpServers": {"clock": {"command": "uvx", "args": ["mcp-server-time"]}}}`,
		filepath.Join(".cursor", "mcp.json"):                             `{"mcpServers": {"other": {"command": "uvx", "args": ["other"]}}}`,
	} {
		file := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	d := hosted(t, ui.Options{Files: ui.Files{OtherApps: true}})
	d.openConnect()
	d.until("the servers are listed", func() bool { return d.Reads("Found in Claude Desktop") && d.Reads("Found in Cursor") })
	d.sees("installs itself from PyPI")
	if len(d.host.Snapshot().Servers) > 0 {
		t.Error("a server runs before it is imported")
	}
	d.Press("Import 1 server")
	s := d.server("was started", func(s client.Server) bool { return s.Status == client.Failed })
	if c, _ := d.host.Config(s.ID); c.Name != "clock" || !c.Grant.Install {
		t.Errorf("it is %+v", c)
	}
	d.until("it is saved", func() bool { l := d.saved.get().Launch; return len(l) == 1 && len(l[0].Allowed) == 1 })
}

// A script can read its folder, however the text names the script. The sheet showed only the
// script, twice if it was an argument of an interpreter, and offered to let the server change
// it.
func TestSheetShowsTheFolderOfAScript(t *testing.T) {
	script := scriptOf(t, "shop.py", "print()")
	for _, text := range []string{script, "python3 " + script, "python3 -u " + script + " --verbose"} {
		d := shown(t, ui.Options{})
		d.openConnect()
		d.Enter(scriptField, text)
		d.sees("In the sandbox it can do only this")
		texts := d.Texts()
		i := slices.Index(texts, "Read")
		if i < 0 || texts[i+1] != filepath.Dir(script) || d.Reads("Let it change "+script) {
			t.Errorf("for %s the sheet reads %q", text, texts)
		}
	}
}

// The sheet promised a sandbox in which no container starts, and the failure's card offered
// only "Restart".
func TestAContainerRunsWithoutTheSandbox(t *testing.T) {
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	python := pythonPath(t)
	bin, path := t.TempDir(), filepath.Join(t.TempDir(), "docker.sock")
	daemon, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { daemon.Close() })
	source, err := os.ReadFile(echoServer(t))
	if err != nil {
		t.Fatal(err)
	}
	program := "#!" + python + "\nimport socket, sys\ntry:\n    socket.socket(socket.AF_UNIX).connect('" + path + "')\n" +
		"except OSError:\n    sys.exit('docker: dial unix " + path + ": connect: permission denied')\n" + string(source)
	if err := proctest.WriteProgram(filepath.Join(bin, "docker"), []byte(program)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	d := hosted(t, ui.Options{})
	d.openConnect()
	for _, line := range []string{"ssh box everything", "docker compose run -T everything", "docker exec -i box server", "docker run -i --rm mcp/everything"} {
		d.Enter(scriptField, line)
		d.sees("It can't run in the sandbox")
		if d.Reads("In the sandbox it can do only this") || d.Reads("Network") {
			t.Errorf("%s: the sheet promises a sandbox: %q", line, d.Texts())
		}
	}
	d.Press("Add and start")
	d.until("it offers to run without the sandbox", func() bool { return d.Reads("Run without the sandbox…") })
	d.Press("Run without the sandbox…")
	d.later()
	d.Press("Run without the sandbox")
	d.until("it runs and the sheet closes", func() bool { return d.host.Snapshot().Connected() == 1 && !d.connecting() })
	d.until("it is saved", func() bool {
		s := d.saved.get()
		return len(s.Launch) == 1 && s.Launch[0].NoSandbox && !s.Launch[0].Off
	})
}
