//go:build unix

package ghost

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func dir(path string) args { return args{"directoryPath": path} }

// tree creates files, and directories for names that end in a slash.
func tree(t *testing.T, root string, names ...string) {
	t.Helper()
	for _, name := range names {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, "/") {
			os.MkdirAll(path, 0o755)
		} else {
			write(t, path, name)
		}
	}
}

// A client may start the server in a folder that is not a project. The server lists nothing there,
// and the answer says what to set: the setting in the window, or the flag for another client.
func TestNoProjectIsListed(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	for root, why := range map[string]string{
		"/": "the root of the file system is not a project", home: "your home folder is not a project", filepath.Join(home, "nope"): "the folder of the project does not exist",
	} {
		b := newBench(t)
		b.project.root = root
		c := b.connect(t, nil)
		for _, given := range []string{".", "etc", root} {
			if got := c.fail(why, "read_project_context", dir(given)); !strings.Contains(got, "--root") || !strings.Contains(got, "Settings > Data > Folder to work in") || strings.Contains(got, "ask the user") {
				t.Errorf("%s: %q", root, got)
			}
		}
	}
}

func TestReadContext(t *testing.T) {
	b := newBench(t)
	tree(t, b.root, "b.txt", "Zoo.txt", "a<&>.txt", "src/", "docs/x.md", "Assets/")
	c := b.connect(t, nil)
	const want = `[
  {"name":"Assets","type":"directory","size":0},
  {"name":"docs","type":"directory","size":0},
  {"name":"src","type":"directory","size":0},
  {"name":"Zoo.txt","type":"file","size":7},
  {"name":"a<&>.txt","type":"file","size":8},
  {"name":"b.txt","type":"file","size":5}
]`
	for _, path := range []string{"", ".", "./", "src/..", "docs/../docs/..", b.root, b.root + "/", filepath.Join("..", filepath.Base(b.root))} {
		if got := c.succeed("read_project_context", dir(path)); got != want {
			t.Errorf("%q: got\n%s", path, got)
		}
	}
	if got := c.succeed("read_project_context", dir("src")); got != "[]" {
		t.Errorf("empty directory: %q", got)
	}
	if got := c.succeed("read_project_context", dir(filepath.Join(b.root, "docs"))); !strings.Contains(got, `"name":"x.md"`) {
		t.Errorf("absolute path inside: %s", got)
	}

	res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "read_project_context", Arguments: dir(".")})
	if err != nil {
		t.Fatal(err)
	}
	structured, _ := json.Marshal(res.StructuredContent)
	var l listing
	if err := json.Unmarshal(structured, &l); err != nil || len(l.Entries) != 6 || l.Truncated || len(res.Content) != 1 {
		t.Errorf("structured content %s, %d texts", structured, len(res.Content))
	}
}

// Models write ~ for the home folder, which contains most projects.
func TestReadContextHome(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	b := newBench(t)
	b.project.root = filepath.Join(home, "work")
	tree(t, home, "work/in/a.txt", "other/")
	c := b.connect(t, nil)
	if got := c.succeed("read_project_context", dir("~/work/in")); !strings.Contains(got, "a.txt") {
		t.Errorf("got %s", got)
	}
	for _, path := range []string{"~", "~/other", "~/nowhere"} {
		if got, want := c.fail("", "read_project_context", dir(path)), "Error: Directory is outside the project: "+path; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestReadContextErrors(t *testing.T) {
	b := newBench(t)
	tree(t, b.root, "file.txt")
	mkfifo(t, filepath.Join(b.root, "pipe"))
	c := b.connect(t, nil)
	for path, want := range map[string]string{
		"missing":                         "Error: Directory does not exist: missing",
		"file.txt":                        "Error: Path is not a directory: file.txt",
		"pipe":                            "Error: Path is not a directory: pipe",
		filepath.Join(b.root, "no", "no"): "Error: Directory does not exist: " + filepath.Join(b.root, "no", "no"),
	} {
		if got := c.fail("", "read_project_context", dir(path)); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
	c.fail("reading directory", "read_project_context", dir("a\x00b"))
	c.fail("limit is 4096", "read_project_context", dir(strings.Repeat("a/", 3000)))
	c.fail("file name too long", "read_project_context", dir(strings.Repeat("a", 300)))
	if err := explain(&fs.PathError{Op: "open", Path: "/secret/place", Err: fs.ErrPermission}, "sub"); err.Error() != "Insufficient permissions to read directory: sub" {
		t.Errorf("permission: %v", err)
	}
	if err := explain(&fs.PathError{Op: "open", Path: "/secret/place", Err: errors.New("odd")}, "sub"); strings.Contains(err.Error(), "secret") {
		t.Errorf("the error shows a path: %v", err)
	}
	if os.Geteuid() != 0 {
		os.Mkdir(filepath.Join(b.root, "locked"), 0)
		c.fail("Insufficient permissions to read directory: locked", "read_project_context", dir("locked"))
	}
	os.RemoveAll(b.root)
	if got := c.fail("the folder of the project does not exist", "read_project_context", dir(".")); strings.Contains(got, b.root) {
		t.Errorf("the error shows the root: %q", got)
	}
}

func TestReadContextEscapes(t *testing.T) {
	parent := t.TempDir()
	b := newBench(t)
	b.project.root = filepath.Join(parent, "root")
	tree(t, parent, "root/in/", "root-secret/hidden.txt", "secret/hidden.txt")
	link := func(target, name string) {
		if err := os.Symlink(target, filepath.Join(parent, "root", name)); err != nil {
			t.Fatal(err)
		}
	}
	link("../secret", "relative")
	link(filepath.Join(parent, "secret"), "absolute")
	link(parent, "parent")
	link("/", "slash")
	link("relative", "chain")
	link("../../secret", "in/deep")
	link("loop", "loop")
	link(filepath.Join(parent, "root", "self"), "self")
	link("../nowhere", "dangling")
	c := b.connect(t, nil)
	for _, path := range []string{
		"..", "../", "../secret", "../root-secret", "in/../..", "in/../../secret", "../root/../secret", "/", "/etc",
		parent, parent + "/secret", parent + "/root-secret", parent + "/root/../secret", parent + "/root/in/../../root-secret",
		"relative", "absolute", "parent", "parent/secret", "slash", "slash/etc", "chain", "in/deep", "relative/.",
		"absolute/../secret", "loop", "self", "dangling", "/proc/self/root", "../../../../../../../../etc", "..//secret", "./../secret",
	} {
		got := c.succeedOrNot("read_project_context", dir(path))
		if !strings.HasPrefix(got, "Error: ") || strings.Contains(got, "hidden") {
			// "absolute/../secret" looks like a path inside, but does not exist.
			t.Errorf("%q escapes: %s", path, got)
		}
		if strings.Contains(strings.ReplaceAll(got, path, ""), parent) {
			t.Errorf("%q: the error shows more than was given: %s", path, got)
		}
	}
	for _, path := range []string{"relative", "absolute", "dangling"} {
		if got, want := c.succeedOrNot("read_project_context", dir(path)), "Error: Directory is outside the project: "+path; got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
	}
	// The answers do not reveal whether a path outside exists.
	tell := func(path string) string {
		return strings.ReplaceAll(c.succeedOrNot("read_project_context", dir(path)), path, "…")
	}
	if a, b := tell("../secret"), tell("../nowhere"); a != b {
		t.Errorf("answers differ: %q, %q", a, b)
	}
	if a, b := tell("relative"), tell("dangling"); a != b {
		t.Errorf("answers differ: %q, %q", a, b)
	}
}

func (c *client) succeedOrNot(tool string, a any) string {
	text, _ := c.call(tool, a)
	return text
}

func TestReadContextLinks(t *testing.T) {
	b := newBench(t)
	outside := t.TempDir()
	write(t, filepath.Join(outside, "big"), "12345")
	tree(t, b.root, "real/inner.txt", "real/deep/inner.txt", "five.txt", "list/")
	for name, target := range map[string]string{
		"dir-relative":  "../real",
		"dir-absolute":  filepath.Join(b.root, "real"),
		"dir-chain":     "dir-absolute",
		"dir-below":     "dir-absolute/deep",
		"file-relative": "../five.txt",
		"file-absolute": filepath.Join(b.root, "five.txt"),
		"out-file":      filepath.Join(outside, "big"),
		"out-dir":       outside,
		"broken":        "nowhere",
		"loop":          "loop",
	} {
		if err := os.Symlink(target, filepath.Join(b.root, "list", name)); err != nil {
			t.Fatal(err)
		}
	}
	mkfifo(t, filepath.Join(b.root, "list", "pipe"))
	socket, err := net.Listen("unix", filepath.Join(b.root, "list", "socket"))
	if err == nil {
		defer socket.Close()
	} else {
		write(t, filepath.Join(b.root, "list", "socket"), "")
	}
	l, err := b.project.list("list")
	if err != nil {
		t.Fatal(err)
	}
	want := []entry{
		{"dir-absolute", "directory", 0}, {"dir-below", "directory", 0}, {"dir-chain", "directory", 0}, {"dir-relative", "directory", 0},
		{"broken", "file", 0}, {"file-absolute", "file", 8}, {"file-relative", "file", 8}, {"loop", "file", 0},
		{"out-dir", "file", 0}, {"out-file", "file", 0}, {"pipe", "file", 0}, {"socket", "file", 0},
	}
	if !slices.Equal(l.Entries, want) {
		t.Errorf("got  %v\nwant %v", l.Entries, want)
	}
	for _, path := range []string{"list/dir-absolute", "list/dir-relative", "list/dir-chain", "list/dir-below", "list/dir-absolute/deep", "list/dir-chain/deep"} {
		if l, err := b.project.list(path); err != nil || len(l.Entries) == 0 || l.Entries[len(l.Entries)-1].Name != "inner.txt" {
			t.Errorf("%s: %v, %v", path, l, err)
		}
	}
}

func TestReadContextRoots(t *testing.T) {
	t.Run("link", func(t *testing.T) {
		parent := t.TempDir()
		tree(t, parent, "real/sub/x.txt")
		os.Symlink("real", filepath.Join(parent, "link"))
		p := project{root: filepath.Join(parent, "link"), max: 10}
		for _, path := range []string{"sub", filepath.Join(parent, "link", "sub"), filepath.Join(parent, "real", "sub")} {
			if l, err := p.list(path); err != nil || len(l.Entries) != 1 {
				t.Errorf("%s: %v, %v", path, l, err)
			}
		}
	})
}

func TestReadContextCap(t *testing.T) {
	b := newBench(t)
	b.project.max = 5
	for i := range 5 {
		write(t, filepath.Join(b.root, fmt.Sprint(i)), "")
	}
	c := b.connect(t, nil)
	get := func() (l listing, texts int) {
		res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "read_project_context", Arguments: dir(".")})
		if err != nil || res.IsError {
			t.Fatal(err, res)
		}
		data, _ := json.Marshal(res.StructuredContent)
		json.Unmarshal(data, &l)
		var first []entry
		if err := json.Unmarshal([]byte(resultText(res)), &first); err != nil || !slices.Equal(first, l.Entries) {
			t.Errorf("the first text is not the JSON array: %v", err)
		}
		if len(res.Content) == 2 && !strings.Contains(res.Content[1].(*mcp.TextContent).Text, "more than 5 entries") {
			t.Errorf("note %v", res.Content[1])
		}
		return l, len(res.Content)
	}
	if l, texts := get(); len(l.Entries) != 5 || l.Truncated || texts != 1 {
		t.Errorf("at the limit: %v, %d texts", l, texts)
	}
	write(t, filepath.Join(b.root, "more"), "")
	if l, texts := get(); len(l.Entries) != 5 || !l.Truncated || texts != 2 {
		t.Errorf("over the limit: %v, %d texts", l, texts)
	}
	if newGhost(Options{}).project.max != 10_000 {
		t.Error("default limit")
	}
}

// While another process replaces a directory with a link to a secret, no answer contains the secret.
func TestReadContextSwap(t *testing.T) {
	parent := t.TempDir()
	tree(t, parent, "root/", "secret/hidden.txt")
	p := project{root: filepath.Join(parent, "root"), max: 10}
	path := filepath.Join(parent, "root", "sub")
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				os.Mkdir(path, 0o755)
				time.Sleep(time.Microsecond)
				os.Remove(path)
				os.Symlink("../secret", path)
				time.Sleep(time.Microsecond)
				os.Remove(path)
			}
		}
	})
	for range 30_000 {
		if l, _ := p.list("sub"); len(l.Entries) != 0 {
			t.Fatalf("the secret is listed: %v", l.Entries)
		}
	}
	close(stop)
	wg.Wait()
}

// readDir is safe on its own, because another process may replace the directory after the check.
func TestReadDirSwapped(t *testing.T) {
	parent := t.TempDir()
	tree(t, parent, "root/", "secret/hidden.txt")
	os.Symlink("../secret", filepath.Join(parent, "root", "link"))
	mkfifo(t, filepath.Join(parent, "root", "pipe")) // opening it for reading would wait for a writer
	root, err := os.OpenRoot(filepath.Join(parent, "root"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, name := range []string{"link", "pipe", "../secret"} {
		ended := make(chan error, 1)
		go func() {
			_, _, err := readDir(root, name, 10)
			ended <- err
		}()
		select {
		case err := <-ended:
			if err == nil {
				t.Errorf("%s was listed", name)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%s: waits", name)
		}
	}
}
