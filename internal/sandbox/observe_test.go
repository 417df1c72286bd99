//go:build linux && (amd64 || arm64)

package sandbox

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// observed runs a Python script under p, and returns its output and the refusals.
func observed(t *testing.T, p Policy, script string, args ...string) (string, []string) {
	t.Helper()
	if s := Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	var mu sync.Mutex
	var refused []string
	cmd := exec.Command("/usr/bin/python3", append([]string{"-c", script}, args...)...)
	cmd.Dir = "/"
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	s, err := Start(cmd, p, func(q Permission) {
		mu.Lock()
		defer mu.Unlock()
		refused = append(refused, q.Resolved().String())
	})
	if err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	s.Close()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), refused
}

// If a process looks for a resolver, goated asks for hosts rather than for the file. When a server
// failed for another reason, goated asked whether it may read /etc/resolv.conf.
func TestResolverFilesAreNoQuestion(t *testing.T) {
	p := For("/usr/bin/python3", "", t.TempDir(), nil)
	p.Reads = true
	secret := filepath.Join(resolveLinks(t.TempDir()), "key")
	if err := os.WriteFile(secret, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, refused := observed(t, p, "import sys\nfor f in sys.argv[1:]:\n try: open(f)\n except OSError: pass", "/etc/resolv.conf", secret)
	if !slices.Equal(refused, []string{"read " + secret}) {
		t.Errorf("refused %q", refused)
	}
}

// A refused call is reported with its path, whatever the process writes about it. goated asks for the
// smallest permission that helps, and never for the whole home folder.
func TestRefusedFilesAreObserved(t *testing.T) {
	home := resolveLinks(t.TempDir())
	t.Setenv("HOME", home)
	other, data := resolveLinks(t.TempDir()), t.TempDir()
	for _, dir := range []string{filepath.Join(home, ".cache"), filepath.Join(home, "project"), filepath.Join(other, "sub")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(other, "note"), []byte("milk"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := For("/usr/bin/python3", "", data, nil)
	const script = `
import os, sys
home, other, state = sys.argv[1:4]
def quietly(call, *args):
    try:
        call(*args)
    except OSError:
        pass
if sys.argv[4] == "mkdir": quietly(os.mkdir, home + "/.arxiv")
if sys.argv[4] == "makedirs": quietly(os.makedirs, home + "/.cache/tool/a/b")
if sys.argv[4] == "project": quietly(open, home + "/project/new.txt", "w")
if sys.argv[4] == "file": quietly(open, home + "/.tool.json", "w")
if sys.argv[4] == "relative":
    os.chdir(other)
    quietly(open, "note", "a")
if sys.argv[4] == "unlink": quietly(os.unlink, other + "/note")
if sys.argv[4] == "rename":
    open(state + "/x", "w").close()
    quietly(os.rename, state + "/x", other + "/sub/x")
if sys.argv[4] == "read": quietly(open, other + "/note")
if sys.argv[4] == "harmless":
    open(state + "/fine", "w").close(); os.makedirs(state + "/d", exist_ok=True); os.unlink(state + "/fine")
    quietly(open, "/usr/lib/goated-none", "w")
    quietly(os.mkdir, other + "/__pycache__")
    quietly(open, other + "/none/none", "w")
    quietly(os.mkdir, other + "/sub")
    quietly(os.listdir, "/"); quietly(os.listdir, home); quietly(open, other + "/missing")
    open("/dev/null", "w").close()
`
	for doing, want := range map[string]string{
		"mkdir": "read and write ~/.arxiv", "makedirs": "read and write ~/.cache/tool", "project": "read and write ~/project",
		"file": "read and write the file ~/.tool.json", "relative": "read and write " + filepath.Join(other, "note"),
		"unlink": "read and write " + other, "rename": "read and write " + filepath.Join(other, "sub"), "read": "", "harmless": "",
	} {
		out, got := observed(t, p, script, home, other, p.State, doing)
		if strings.Join(got, ";") != want || out != "" {
			t.Errorf("%s: refused %q, want %q; %s", doing, got, want, out)
		}
	}
	p.Reads = true
	for doing, want := range map[string]string{"read": "read " + filepath.Join(other, "note"), "harmless": ""} {
		if out, got := observed(t, p, script, home, other, p.State, doing); strings.Join(got, ";") != want || out != "" {
			t.Errorf("%s while reads are observed: refused %q, want %q; %s", doing, got, want, out)
		}
	}
	// Each question, answered with yes, makes the call succeed.
	for doing, made := range map[string]string{"mkdir": home + "/.arxiv", "makedirs": home + "/.cache/tool/a/b", "file": home + "/.tool.json", "project": home + "/project/new.txt"} {
		var g Permissions
		cmdPolicy := For("/usr/bin/python3", "", data, nil)
		_, _ = observedPermissions(t, cmdPolicy, &g, script, home, other, p.State, doing)
		if out, got := observed(t, cmdPolicy.With(g.Grant()), script, home, other, p.State, doing); len(got) > 0 || out != "" {
			t.Errorf("%s, allowed: refused %q, %s", doing, got, out)
		}
		if _, err := os.Stat(made); err != nil {
			t.Errorf("%s, allowed: %v", doing, err)
		}
	}
}

func observedPermissions(t *testing.T, p Policy, into *Permissions, script string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command("/usr/bin/python3", append([]string{"-c", script}, args...)...)
	var mu sync.Mutex
	s, err := Start(cmd, p, func(q Permission) {
		mu.Lock()
		defer mu.Unlock()
		*into = into.With(q.Resolved())
	})
	if err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	s.Close()
	return "", err
}

// A server that may write a single file may also write the files that belong to it: the journals of
// SQLite, a lock, and a temporary copy that replaces it. It can write nothing else there, by any
// link.
func TestSingleFiles(t *testing.T) {
	dir, secret := resolveLinks(t.TempDir()), filepath.Join(resolveLinks(t.TempDir()), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(dir, "data.db")
	for name, target := range map[string]string{"data.db-link": secret, "data.db.dir": filepath.Dir(secret)} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Link(secret, filepath.Join(dir, "data.db-hard")), os.WriteFile(filepath.Join(dir, "other.db"), nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	p := For("/usr/bin/python3", "", t.TempDir(), nil).With(Grant{Files: []string{db}})
	out, refused := observed(t, p, `
import contextlib, ctypes, errno, os, sys, sqlite3
dir, secret = sys.argv[1:3]
db = dir + "/data.db"
for mode in "delete", "wal", "truncate":
    with contextlib.closing(sqlite3.connect(db)) as c:
        c.execute("pragma journal_mode=" + mode)
        c.execute("create table if not exists t(a)")
        c.execute("insert into t values(1)")
        c.commit()
        with contextlib.closing(sqlite3.connect(db)) as again:
            again.execute("select * from t").fetchall()
print(len(sqlite3.connect(db).execute("select * from t").fetchall()), "rows")
with open(db + ".tmp", "w") as f: f.write("new")
os.rename(db + ".tmp", db)
print(open(db).read(), oct(os.stat(db).st_mode & 0o777))
os.mkdir(db + ".lock"); os.rmdir(db + ".lock")
def rename(old, new, flags):
    if ctypes.CDLL(None, use_errno=True).renameat2(-100, old.encode(), -100, new.encode(), flags) < 0:
        return errno.errorcode[ctypes.get_errno()]
with open(db + ".tmp", "w") as f: f.write("newer")
print(rename(db + ".tmp", db, 1), open(db).read()) # RENAME_NOREPLACE
print(rename(db + ".tmp", db, 2), open(db).read(), open(db + ".tmp").read()) # RENAME_EXCHANGE
def no(what, call, *args):
    try:
        print("ESCAPED:", what, call(*args))
    except OSError as e:
        pass
flags = os.O_RDONLY
no("symlink", lambda: open(db + "-link").read())
no("symlink write", lambda: open(db + "-link", "w"))
no("hard link", lambda: open(db + "-hard").read())
no("hard link write", lambda: open(db + "-hard", "a"))
no("folder link", lambda: open(db + ".dir/secret").read())
no("up", lambda: open(db + ".lock/../other.db").read())
no("other", lambda: open(dir + "/other.db", "w"))
no("other prefix", lambda: open(dir + "/data.dbx", "w"))
no("remove other", os.unlink, dir + "/other.db")
no("move in", os.rename, secret, db + "-in")
no("move over", os.rename, db, dir + "/other.db")
no("link in", os.link, secret, db + "-in")
os.mkfifo and no("fifo", os.mkfifo, db + "-fifo")
no("path", lambda: os.open(db + "-link", os.O_PATH) and open("/proc/self/fd/9").read())
`, dir, secret)
	if want := "3 rows\nnew 0o644\nEEXIST new\nNone newer new\n"; out != want {
		t.Errorf("it printed %q, want %q; refused %q", out, want, refused)
	}
	if text, err := os.ReadFile(secret); err != nil || string(text) != "secret" {
		t.Errorf("the secret is %q, %v", text, err)
	}
	if !slices.ContainsFunc(refused, func(text string) bool { return strings.Contains(text, dir) }) {
		t.Errorf("refusals beside the file were not observed: %q", refused)
	}
}
