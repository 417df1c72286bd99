//go:build linux && (amd64 || arm64)

package sandbox

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"goated/internal/paths"
)

// protectedFiles are project files that other programs run.
var protectedFiles = []string{
	".git/hooks/pre-commit", ".git/config", ".envrc", ".vscode/tasks.json", ".idea/workspace.xml", "node_modules/.bin/tool", ".venv/bin/python",
	"deep/er/.git/hooks/post-checkout", "worktree/.git",
}

// Names of files that other programs run, and of the folders around them.
var (
	startsPrograms  = regexp.MustCompile(`(?i)(^|/)(\.git/(hooks|config|config\.worktree|commondir|modules|worktrees)|\.envrc|\.husky|\.cursor|\.devcontainer|node_modules/\.bin|\.?venv/bin)(/|$)`)
	beginsProtected = regexp.MustCompile(`(^|/)(\.git|node_modules|\.?venv)$`)
)

// newProject creates a folder with protected files.
func newProject(t *testing.T) string {
	t.Helper()
	dir := resolveLinks(t.TempDir())
	for _, name := range protectedFiles {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("of the user\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, time.Unix(1e9, 0), time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// inspectProject returns what is wrong with the protected files of a folder. The files in allowed
// may have any content.
func inspectProject(t *testing.T, dir string, allowed ...string) (wrong []string) {
	t.Helper()
	for _, name := range protectedFiles {
		if slices.Contains(allowed, name) {
			continue
		}
		info, err := os.Lstat(filepath.Join(dir, name))
		text, _ := os.ReadFile(filepath.Join(dir, name)) // an error leaves it empty
		if err != nil || info.Mode() != 0o600 || info.ModTime().Unix() != 1e9 || string(text) != "of the user\n" {
			wrong = append(wrong, fmt.Sprintf("%s was changed: %v %v %q", name, info, err, text))
		}
	}
	known := make(map[string]bool)
	for _, name := range append(allowed, protectedFiles...) {
		for ; name != "."; name = filepath.Dir(name) {
			known[name] = true
		}
	}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		switch {
		case err != nil:
			return err
		case strings.HasPrefix(rel, "staged"): // no program looks there
			return fs.SkipDir
		case startsPrograms.MatchString(rel) && !known[rel] && !slices.ContainsFunc(allowed, func(name string) bool { return paths.Within(rel, name) }), beginsProtected.MatchString(rel) && !d.IsDir() && !known[rel]:
			wrong = append(wrong, "the server made "+rel)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return wrong
}

// runPython runs a script of testdata under p, in a bubble or without one.
func runPython(t *testing.T, p Policy, bubble bool, refused func(Permission), script string, args ...string) string {
	t.Helper()
	runtime.LockOSThread() // a bubble ends with the thread that starts it
	defer runtime.UnlockOSThread()
	text, err := os.ReadFile(filepath.Join("testdata", script))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/usr/bin/python3", append([]string{"-c", string(text)}, args...)...)
	cmd.Dir = "/"
	var out, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errors
	if bubble {
		wrapInBubble(t, cmd, p, "")
		err = cmd.Run()
	} else {
		var s *Sandbox
		if s, err = Start(cmd, p, refused); err != nil {
			t.Fatal(err)
		}
		if !s.Guards {
			t.Errorf("the status does not say that it protects files: %+v", s.Status)
		}
		err = cmd.Wait()
		s.Close()
	}
	if err != nil {
		t.Errorf("%v: %s%s", err, out.String(), errors.String())
	}
	return out.String()
}

// In a folder that a server may write, the server can do its work. It cannot change, replace,
// remove or create the files that the user's other programs run: by no call, no other name, no link
// and no open folder, and not while another thread changes the path.
func TestProtectedFilesOfAWritableFolder(t *testing.T) {
	if s := Probe(); !s.Confined() || !s.Guards {
		t.Skipf("this kernel cannot: %s", s)
	}
	for _, bubble := range []bool{false, true} {
		t.Run(map[bool]string{false: "alone", true: "bubble"}[bubble], func(t *testing.T) {
			dir := newProject(t)
			p := For("/usr/bin/python3", "", t.TempDir(), nil).With(Grant{Write: []string{dir}, Desktop: !bubble})
			args := []string{dir}
			if p.Desktop {
				args = append(args, "sockets")
			}
			out := runPython(t, p, bubble, nil, "protected.py", args...)
			var got struct{ Failed, Done []string }
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			for _, what := range got.Failed {
				t.Errorf("the server's work failed: %s", what)
			}
			for _, what := range got.Done {
				t.Errorf("ESCAPED: %s", what)
			}
			for _, what := range inspectProject(t, dir) {
				t.Errorf("ESCAPED: %s", what)
			}
		})
	}
}

// The attacks of the test above succeed where nothing protects the files. So each attack proves
// something.
func TestAttacksOnProtectedFilesWorkElsewhere(t *testing.T) {
	if testing.Short() {
		t.Skip("the same attacks again")
	}
	dir, own := newProject(t), t.TempDir()
	cmd := exec.Command("/usr/bin/python3", "testdata/protected.py", dir)
	cmd.Env = append(os.Environ(), "STATE_DIRECTORY="+own)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Failed, Done []string }
	if err := json.Unmarshal(out, &got); err != nil || len(got.Done) < 100 || len(inspectProject(t, dir)) < 5 {
		t.Errorf("%d attacks succeed without a sandbox, %v: %s", len(got.Done), err, out)
	}
}

// A refused change of a protected file is reported by its name. A user who allows that name gives
// the server this file and no other.
func TestProtectedFilesAreAllowedByName(t *testing.T) {
	if s := Probe(); !s.Confined() || !s.Guards {
		t.Skipf("this kernel cannot: %s", s)
	}
	for name, want := range map[string]string{
		"hook": ".git/hooks/pre-commit", "new": ".git/hooks/post-merge", "folder": ".husky", "envrc": ".envrc", "worktree": "worktree/.git", "settings": ".vscode",
	} {
		t.Run(name, func(t *testing.T) {
			dir := newProject(t)
			p := For("/usr/bin/python3", "", t.TempDir(), nil).With(Grant{Write: []string{dir}})
			var mu sync.Mutex
			var refused Permissions
			try := func(p Policy) string {
				return runPython(t, p, false, func(q Permission) {
					mu.Lock()
					defer mu.Unlock()
					refused = append(refused, q.Resolved())
				}, "named.py", dir, name)
			}
			if out := try(p); out != "refused\n" || len(refused) != 1 || !strings.HasPrefix(refused[0].Path, filepath.Join(dir, want)) {
				t.Fatalf("refused is %v; %s", refused, out)
			}
			given := refused
			if name == "settings" {
				given = Permissions{{Kind: ToWrite, Path: filepath.Join(dir, want)}}
			}
			refused = nil
			if out := try(p.With(given.Grant())); out != "done\n" || len(refused) > 0 {
				t.Errorf("with %v: refused %v; %s", given, refused, out)
			}
			for _, what := range inspectProject(t, dir, given[0].Path[len(dir)+1:], want, ".vscode/tasks.json") {
				t.Error(what)
			}
		})
	}
}

// The user's start-up files stay protected in a writable home folder.
func TestStartupFilesOfAWritableHome(t *testing.T) {
	if s := Probe(); !s.Confined() || !s.Guards {
		t.Skipf("this kernel cannot: %s", s)
	}
	home := resolveLinks(t.TempDir())
	t.Setenv("HOME", home)
	t.Setenv("PATH", filepath.Join(home, "tools")+":"+os.Getenv("PATH"))
	if err := os.MkdirAll(filepath.Join(home, ".config"), 0o700); err != nil {
		t.Fatal(err)
	}
	p := For("/usr/bin/python3", "", t.TempDir(), nil).With(Grant{Write: []string{home}})
	out := runPython(t, p, false, nil, "named.py", home, "home")
	if out != "refused\n" {
		t.Error(out)
	}
	for _, name := range []string{".bashrc", ".config/autostart", "tools", ".local/bin"} {
		if _, err := os.Lstat(filepath.Join(home, name)); err == nil {
			t.Errorf("the server made %s", name)
		}
	}
	if _, err := os.Stat(filepath.Join(home, "fine")); err != nil {
		t.Error(err)
	}
}
