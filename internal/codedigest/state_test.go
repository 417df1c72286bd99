//go:build unix

package codedigest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// later returns a time at which all files of a test are old.
func later() time.Time { return time.Now().Add(time.Hour) }

// The second look at a program compares change times. It must notice every change that a digest of
// the contents notices, even if a program restores the old modification time.
func TestStateSeesEachChange(t *testing.T) {
	for name, change := range map[string]func(t *testing.T, dir, script string){
		"contents": func(t *testing.T, _, script string) { write(t, "y", script) },
		"contents with the old time": func(t *testing.T, _, script string) {
			info, err := os.Stat(script)
			if err != nil {
				t.Fatal(err)
			}
			write(t, "y", script)
			if err := os.Chtimes(script, info.ModTime(), info.ModTime()); err != nil {
				t.Fatal(err)
			}
		},
		"a new file":     func(t *testing.T, dir, _ string) { write(t, "y", dir, "new.py") },
		"a removed file": func(t *testing.T, dir, _ string) { remove(t, filepath.Join(dir, "lib.py")) },
		"another name": func(t *testing.T, dir, _ string) {
			if err := os.Rename(filepath.Join(dir, "lib.py"), filepath.Join(dir, "bil.py")); err != nil {
				t.Fatal(err)
			}
		},
		"a file of one name in place of another": func(t *testing.T, dir, script string) {
			if err := os.Rename(write(t, "y", dir, "other.txt"), script); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			script := write(t, "x", dir, "server.py")
			write(t, "x", dir, "lib.py")
			p := program("/nowhere/python3", "", nil, script)
			before := look(p, false, later()).state.text()
			if again := look(p, true, later()).state.text(); before == "" || again != before {
				t.Fatalf("%q and %q without a change", before, again)
			}
			change(t, dir, script)
			if look(p, true, later()).state.text() == before {
				t.Error("not seen")
			}
		})
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// A file that has just changed may change again within one step of the file system's clock.
func TestYoungFilesHaveNoState(t *testing.T) {
	script := write(t, "x", t.TempDir(), "server.py")
	if s := Begin(program("/nowhere/python3", "", nil, script)); s.state != "" {
		t.Error("a new file counts as old")
	}
}

// The digest ignores the contents of files that are too long. A state must not hide that.
func TestStateKeepsWhatIsUnseen(t *testing.T) {
	dir := t.TempDir()
	write(t, strings.Repeat("x", maxBytes+1), dir, "a.py")
	p := program("/nowhere/python3", "", nil, write(t, "x", dir, "server.py"))
	read, only := look(p, false, later()), look(p, true, later())
	if !read.partial || !only.partial || read.state.text() != only.state.text() {
		t.Errorf("unseen %v and %v", read.partial, only.partial)
	}
}
