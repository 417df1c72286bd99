//go:build linux

package client_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"goated/client"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// The sandbox blocks a file until the user allows it, and again after the user revokes the
// permission. The snapshot names the file.
func TestAllow(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	note := filepath.Join(t.TempDir(), "note.txt")
	if err := os.WriteFile(note, []byte("milk"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "note.js")
	source := "console.error(require('fs').readFileSync(" + quoted(note) + ", 'utf8'))\nrequire(" + quoted(servertest.Dice()) + ")\n"
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	h := host(t, client.Options{Data: t.TempDir()})
	base := sandbox.Grant{Read: []string{filepath.Dir(servertest.Dice())}}
	if _, err := h.Connect(t.Context(), client.Config{Path: script, Grant: base}); err == nil {
		t.Fatal("the server read a file without permission")
	}
	s := h.Snapshot().Servers[0]
	if !s.Sandbox.Confined() || len(s.Needs) != 1 || s.Needs[0] != (sandbox.Permission{Kind: sandbox.ToRead, Path: note}) {
		t.Fatalf("%s needs %+v", s.Sandbox, s.Needs)
	}
	more := base
	more.Read = append([]string{note}, base.Read...)
	if err := h.Allow(t.Context(), s.ID, more); err != nil {
		t.Fatal(err)
	}
	if s = waitLine(t, h, s.ID, "milk"); s.Status != client.Connected {
		t.Errorf("%s: %q", s.Status, s.Stderr)
	}
	if err := h.Allow(t.Context(), s.ID, base); err == nil {
		t.Error("the server read the file after its permission was removed")
	}
}

// The snapshot shows which servers run without a sandbox by the user's choice.
func TestNoSandbox(t *testing.T) {
	t.Parallel()
	h := host(t, client.Options{})
	connect(t, h, client.Config{Path: servertest.Dice(), Name: "free", NoSandbox: true})
	connect(t, h, client.Config{Path: servertest.Dice(), Name: "held"})
	for _, s := range h.Snapshot().Servers {
		if s.Sandbox.Confined() == s.NoSandbox || s.NoSandbox != (s.Name == "free") {
			t.Errorf("%s: %s", s.Name, s.Sandbox)
		}
	}
}

// A server has the same sandbox and folders with and without a keeper, and keeps its
// permissions across a restart.
func TestSandboxOfAKeptServer(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	script := filepath.Join(t.TempDir(), "where.js")
	source := "console.error('in ' + process.env.STATE_DIRECTORY + ' and ' + process.env.TMPDIR)\n" +
		"require('fs').writeFileSync(process.env.TMPDIR + '/x', 'x')\nrequire(" + quoted(servertest.Dice()) + ")\n"
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	granted := filepath.Dir(servertest.Dice())
	for name, k := range map[string][]string{"kept": nil, "alone": {}} { // nil selects the keeper of the tests
		data := t.TempDir()
		h := host(t, client.Options{Data: data, Process: client.ProcessOptions{Keeper: k}})
		id := connect(t, h, client.Config{Path: script, Grant: sandbox.Grant{Read: []string{granted}}})
		for _, after := range []string{"the start", "a restart"} {
			s := waitLine(t, h, id, "in ")
			got := s.Sandbox
			got.Wrap, got.Net = sandbox.Unwrapped, false // see TestBubble
			if got != sandbox.Probe() || !s.Policy.Offline() || !slices.Contains(s.Policy.Read, granted) {
				t.Errorf("%s, after %s: %+v, %+v", name, after, s.Sandbox, s.Policy)
			}
			if want := "in " + s.Policy.State + " and " + s.Policy.Temp; !slices.Contains(s.Stderr, want) || !strings.HasPrefix(s.Policy.State, data) {
				t.Errorf("%s, after %s: it says %q, not %q", name, after, s.Stderr, want)
			}
			if err := h.Restart(t.Context(), id); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Environment returns exactly the variables of the server's process. They include the variables
// that the sandbox adds, and exclude those that it replaces.
func TestEnvironmentInTheSandbox(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "env.js")
	source := "for (const [k, v] of Object.entries(process.env)) console.error('<' + k + '=' + v + '>')\nconsole.error('end of environment')\nrequire(" + quoted(servertest.Dice()) + ")\n"
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, free := range []bool{false, true} {
		if !free && !sandbox.Probe().Confined() {
			continue
		}
		// A log line is cut at 1,024 bytes, and a developer's PATH is longer.
		env := append(slices.DeleteFunc(servertest.Environ(t), func(v string) bool { return strings.HasPrefix(v, "PATH=") }), "PATH="+filepath.Dir(node)+":/usr/bin:/bin")
		h := host(t, client.Options{Data: t.TempDir(), Env: env})
		id := connect(t, h, client.Config{Path: script, NoSandbox: free, Env: []string{"TMPDIR=/elsewhere", "DICE_TOKEN=s3cret"},
			Grant: sandbox.Grant{Read: []string{filepath.Dir(servertest.Dice())}}})
		var given []string
		for _, v := range h.Environment(id) {
			given = append(given, "<"+v.Name+"="+v.Value+">")
			if set := v.Name == "DICE_TOKEN" || free && v.Name == "TMPDIR"; v.Set != set {
				t.Errorf("free is %t: %s has Set: %t", free, v.Name, v.Set)
			}
		}
		waitLine(t, h, id, "end of environment")
		var has []string
		for _, line := range logLines(h, id) {
			if strings.HasPrefix(line, "<") {
				has = append(has, line)
			}
		}
		slices.Sort(given)
		slices.Sort(has)
		if p := h.Snapshot().Servers[0].Policy; !slices.Equal(given, has) || !free && !slices.Contains(given, "<STATE_DIRECTORY="+p.State+">") {
			t.Errorf("free is %t: Environment returns %q, the process has %q", free, given, has)
		}
	}
}

// The server fails to start if its keeper is missing or exits immediately.
func TestKeeperThatFails(t *testing.T) {
	t.Parallel()
	for _, k := range []string{"/no/such/keeper", "/bin/false", "/bin/true"} {
		h := host(t, client.Options{Process: client.ProcessOptions{Keeper: []string{k}}})
		_, err := h.Connect(t.Context(), misbehave(t, "plain"))
		if !errors.Is(err, client.ErrStart) || !strings.Contains(err.Error(), "the process that supervises the server did not start") {
			t.Errorf("%s: %v", k, err)
		}
		if s := h.Snapshot().Servers; len(s) != 1 || s[0].Status != client.Failed {
			t.Errorf("%s: %+v", k, s)
		}
	}
}

// The system's error for a program keeps its kind across the keeper and the sandbox.
func TestStartErrorsKeepTheirKind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	binary, shebang := filepath.Join(dir, "binary"), filepath.Join(dir, "shebang")
	for path, text := range map[string]string{binary: "\x00\x01 nothing\n", shebang: "#!/no/such/interpreter\n"} {
		write(t, path, []byte(text))
	}
	for _, tt := range []struct {
		path string
		free bool
		want error
	}{{binary, false, syscall.ENOEXEC}, {binary, true, syscall.ENOEXEC}, {shebang, false, fs.ErrNotExist}, {shebang, true, fs.ErrNotExist}} {
		for _, k := range [][]string{nil, {}} {
			h := host(t, client.Options{Process: client.ProcessOptions{Keeper: k}})
			_, err := h.Connect(t.Context(), client.Config{Path: tt.path, Bundled: true, NoSandbox: tt.free})
			var path *os.PathError
			if !errors.Is(err, client.ErrStart) || !errors.Is(err, tt.want) || !errors.As(err, &path) || path.Path != tt.path {
				t.Errorf("%+v, keeper %v: %v", tt, k == nil, err)
			}
		}
	}
}

// A server can read the files of the working directory that the user chose.
func TestChosenFolderIsRead(t *testing.T) {
	servertest.UsePython(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "note.txt"), []byte("milk"), 0o600); err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(t.TempDir(), "here.js")
	source := "console.error(require('fs').readFileSync('note.txt', 'utf8'))\nrequire(" + quoted(servertest.Dice()) + ")\n"
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	h := host(t, client.Options{Data: t.TempDir()})
	id := connect(t, h, client.Config{Path: script, Dir: dir, Grant: sandbox.Grant{Read: []string{filepath.Dir(servertest.Dice())}}})
	waitLine(t, h, id, "milk")
}

// A server may have created a symlink in its arguments or its working directory, so goated asks
// the user about the link's target. A symlink to goated's own folders comes from the user.
func TestSymlinksAreConfinedToTheirTargets(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(base, name) }
	for _, dir := range []string{"notes", "data"} {
		if err := os.Mkdir(at(dir), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(at(dir), at("to-"+dir)); err != nil {
			t.Fatal(err)
		}
	}
	source := "const fs = require('fs')\nfs.writeFileSync(process.env.STATE_DIRECTORY + '/x', '')\n" +
		"console.error('it says ' + fs.readFileSync(process.argv[2] + '/note', 'utf8'))\nrequire(" + quoted(servertest.Dice()) + ")\n"
	script := filepath.Join(t.TempDir(), "note.js")
	for path, text := range map[string]string{at("notes/note"): "milk", script: source} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lib := sandbox.Grant{Read: []string{filepath.Dir(servertest.Dice())}}
	h := host(t, client.Options{Data: at("to-data")})
	if _, err := h.Connect(t.Context(), client.Config{Path: script, Args: []string{at("to-notes")}, Dir: at("to-notes"), Grant: lib}); err == nil {
		t.Fatal("the server reads the target of a symlink without permission")
	}
	s := h.Snapshot().Servers[0]
	want := sandbox.Permission{Kind: sandbox.ToRead, Path: at("notes/note")}
	if len(s.Needs) != 1 || s.Needs[0].Resolved() != want {
		t.Fatalf("it needs %+v: %q", s.Needs, s.Stderr)
	}
	if err := h.Allow(t.Context(), s.ID, lib.Permissions().With(want).Grant()); err != nil {
		t.Fatal(err)
	}
	s = waitLine(t, h, s.ID, "it says ")
	if !slices.Contains(s.Stderr, "it says milk") || !strings.HasPrefix(s.Policy.State, at("data")) {
		t.Errorf("%q, in %s", s.Stderr, s.Policy.State)
	}
}

// A script behind a user's symlink runs, and is compiled, at the link's target.
func TestServersBehindASymlinkRun(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	root := servertest.GoData(t) // the same path in all runs, so that they find the build cache of simple.go
	scripts := filepath.Dir(servertest.Script("dice.js"))
	module := scripts
	for _, err := os.Stat(filepath.Join(module, "go.mod")); err != nil && module != "/"; _, err = os.Stat(filepath.Join(module, "go.mod")) {
		module = filepath.Dir(module)
	}
	below, err := filepath.Rel(module, scripts)
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(root, "link")
	if to, err := os.Readlink(link); err != nil || to != module { // the checkout may have moved
		_ = os.Remove(link) // it may be missing
		if err := os.Symlink(module, link); err != nil {
			t.Fatal(err)
		}
	}
	h := host(t, client.Options{Data: root})
	for _, name := range []string{"raw.py", "small/dice.js", "simple.go"} {
		path := filepath.Join(link, below, name)
		if _, err := os.Stat(path); err != nil {
			t.Fatal(err)
		}
		connect(t, h, client.Config{Path: path})
	}
}

// A server finds its files after a change of its arguments, which makes another folder.
func TestChangedServerFindsItsFiles(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	script := filepath.Join(t.TempDir(), "count.js")
	source := "const fs = require('fs'), file = process.env.STATE_DIRECTORY + '/x'\n" +
		"if (fs.existsSync(file)) console.error('it reads ' + fs.readFileSync(file, 'utf8'))\nfs.writeFileSync(file, 'milk')\nrequire(" + quoted(servertest.Dice()) + ")\n"
	if err := os.WriteFile(script, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	h := host(t, client.Options{Data: t.TempDir()})
	c := client.Config{Command: "node", Args: []string{script}, Name: "count", Grant: sandbox.Grant{Read: []string{filepath.Dir(servertest.Dice())}}}
	id := connect(t, h, c)
	c.Args = append(c.Args, "--verbose")
	if err := h.Change(t.Context(), id, c); err != nil {
		t.Fatal(err)
	}
	if s := waitLine(t, h, id, "it reads"); !slices.Contains(s.Stderr, "it reads milk") {
		t.Errorf("%q", s.Stderr)
	}
}
