//go:build unix

package ghost

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/adrg/xdg"
)

func note(name, content string) args { return args{"filename": name, "content": content} }

func TestHaunt(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	path := filepath.Join(b.desk, "note.txt")

	if got, want := c.succeed("haunt_desktop", note("note.txt", "boo\r\n<&>é\n")), "File created at "+path; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := content(t, path); got != "boo\r\n<&>é\n" {
		t.Errorf("content %q", got)
	}
	if got, want := c.succeed("haunt_desktop", note("note.txt", "")), "File replaced at "+path+" (it held 11 bytes before)"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := content(t, path); got != "" {
		t.Errorf("content %q after writing nothing", got)
	}
	if names := readNames(t, b.desk); len(names) != 1 {
		t.Errorf("litter on the desktop: %q", names)
	}
	if info, _ := os.Stat(path); info.Mode()&0o111 != 0 {
		t.Errorf("the note is executable: %v", info.Mode())
	}
}

func TestHauntLimit(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	full := strings.Repeat("é", maxContent/2)
	c.succeed("haunt_desktop", note("full.txt", full))
	if got := content(t, filepath.Join(b.desk, "full.txt")); got != full {
		t.Errorf("%d bytes written, want %d", len(got), len(full))
	}
	c.fail("1 MiB", "haunt_desktop", note("over.txt", full+"x"))
	if names := readNames(t, b.desk); len(names) != 1 {
		t.Errorf("desktop holds %q", names)
	}
}

func TestHauntTraversal(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	victim := filepath.Join(filepath.Dir(b.desk), "victim")
	write(t, victim, "safe")
	for _, name := range []string{
		"../victim", `..\victim`, "x/../../victim", victim, "./../victim", "..", ".", "", "Desktop/../../victim", "....//victim", "../victim\x00.txt", "file://" + victim,
	} {
		c.fail("filename", "haunt_desktop", note(name, "owned"))
	}
	if content(t, victim) != "safe" || len(readNames(t, filepath.Dir(b.desk))) != 1 {
		t.Error("something was written")
	}
}

// Directories, links and pipes are not changed.
func TestHauntRefusesToReplace(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	victim := filepath.Join(t.TempDir(), "victim")
	write(t, victim, "safe")
	os.MkdirAll(filepath.Join(b.desk, "folder"), 0o755)
	os.Symlink(victim, filepath.Join(b.desk, "link"))
	os.Symlink(filepath.Join(t.TempDir(), "new"), filepath.Join(b.desk, "dangling"))
	mkfifo(t, filepath.Join(b.desk, "pipe"))
	before := readNames(t, b.desk)
	for _, name := range before {
		c.fail("not a regular file", "haunt_desktop", note(name, "owned"))
	}
	if got := readNames(t, b.desk); fmt.Sprint(got) != fmt.Sprint(before) {
		t.Errorf("desktop holds %q, held %q", got, before)
	}
	if content(t, victim) != "safe" {
		t.Error("written through the link")
	}

	protected := filepath.Join(b.desk, "protected.txt")
	write(t, protected, "keep")
	os.Chmod(protected, 0o444)
	c.fail("read-only", "haunt_desktop", note("protected.txt", "owned"))
	if content(t, protected) != "keep" {
		t.Error("a read-only file was replaced")
	}
}

// The new file has the old file's permissions, except execute.
func TestHauntPermissions(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	os.MkdirAll(b.desk, 0o755)
	path := filepath.Join(b.desk, "private.txt")
	write(t, path, "old")
	os.Chmod(path, 0o700)
	c.succeed("haunt_desktop", note("private.txt", "new"))
	if info, _ := os.Stat(path); info.Mode() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode())
	}
}

// Another process repeatedly creates and removes a link to another file under the name. The server
// never writes that file.
func TestHauntSymlinkSwap(t *testing.T) {
	b := newBench(t)
	os.MkdirAll(b.desk, 0o755)
	victim := filepath.Join(t.TempDir(), "victim")
	write(t, victim, "safe")
	path := filepath.Join(b.desk, "note.txt")
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				os.Remove(path)
				time.Sleep(100 * time.Microsecond)
				os.Symlink(victim, path)
				time.Sleep(100 * time.Microsecond)
			}
		}
	})
	created := 0
	for range 200 {
		_, _, err := b.desktop.haunt(t.Context(), nil, hauntArgs{"note.txt", "owned"})
		if err == nil {
			created++
		}
		if got := content(t, victim); got != "safe" {
			t.Fatalf("the link's target was written: %q", got)
		}
	}
	close(stop)
	wg.Wait()
	t.Logf("%d of 200 calls found no link", created)
}

// If many servers write the same new name, one creates the file and the others report that they
// replaced it. Readers never see a partial file.
func TestHauntConcurrently(t *testing.T) {
	b := newBench(t)
	path := filepath.Join(b.desk, "note.txt")
	whole := func(i int) string { return strings.Repeat(string(rune('a'+i)), 100_000) }
	results := make([]string, 8)
	var writers, reader sync.WaitGroup
	stop := make(chan struct{})
	reader.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if data, err := os.ReadFile(path); err == nil && (len(data) != 100_000 || strings.Trim(string(data), string(data[:1])) != "") {
				t.Errorf("a part of the file was visible: %d bytes", len(data))
			}
		}
	})
	for i := range results {
		writers.Go(func() {
			res, _, err := b.desktop.haunt(t.Context(), nil, hauntArgs{"note.txt", whole(i)})
			if err != nil {
				t.Errorf("writer %d: %v", i, err)
				return
			}
			results[i] = resultText(res)
		})
	}
	writers.Wait()
	close(stop)
	reader.Wait()
	created := 0
	for _, r := range results {
		if strings.HasPrefix(r, "File created at ") {
			created++
		} else if !strings.HasSuffix(r, "(it held 100000 bytes before)") {
			t.Errorf("result %q", r)
		}
	}
	if created != 1 || len(readNames(t, b.desk)) != 1 {
		t.Errorf("%d calls say they created the file; desktop holds %q", created, readNames(t, b.desk))
	}
}

func TestHauntFailures(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	write(t, b.desk, "a file where the desktop should be")
	if text := c.fail("desktop directory", "haunt_desktop", note("x.txt", "x")); strings.Contains(text, b.desk) {
		t.Errorf("the error shows a path the caller did not give: %q", text)
	}
}

func TestDesktopDirectory(t *testing.T) {
	t.Cleanup(xdg.Reload)
	home, config, direct := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", config)
	t.Setenv("XDG_DESKTOP_DIR", "")
	check := func(want string) {
		t.Helper()
		xdg.Reload()
		if got := newGhost(Options{}).desktop.dir; got != want {
			t.Errorf("desktop is %q, want %q", got, want)
		}
	}
	check(filepath.Join(home, "Desktop"))
	write(t, filepath.Join(config, "user-dirs.dirs"), "# comment\nXDG_DESKTOP_DIR=\"$HOME/Schreibtisch\"\n")
	check(filepath.Join(home, "Schreibtisch"))
	t.Setenv("XDG_DESKTOP_DIR", direct)
	check(direct)
}
