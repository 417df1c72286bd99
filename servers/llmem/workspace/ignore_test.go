package workspace

import (
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// git itself is the reference: Files lists the same files as "git ls-files". One repository
// contains all random cases, each in a separate folder.
func TestFilesMatchGit(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is missing")
	}
	names := []string{"a", "b", "ab", "a.o", "b.txt", "build", "lib", "[x]", "a b", "x.min.js", "ä"}
	lines := []string{"*", "!*/", "a", "b/", "/a", "a/b", "**/b", "a/**", "a/**/b", "*.o", "!a.o", "*.min.*", "/build", "build/", "!build", "lib/*", "!lib/a",
		"a?", "?", "[ab]", "[!a]*", "[a-b].txt", `\[x\]`, "a\\ b", "a b  ", "# a", `\#`, "**", "/**", "**/", "a**", "**a", "*/a", "*/*/a", "a/*/b", "!/a", "[[:alpha:]]", "ä", "/", "!", "b.txt/"}
	dir := t.TempDir()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	some := func(from []string, low, high int) (out []string) {
		for range low + r.IntN(high-low+1) {
			out = append(out, from[r.IntN(len(from))])
		}
		return out
	}
	write := func(name, text string) {
		full := filepath.Join(dir, name)
		_ = os.MkdirAll(filepath.Dir(full), 0o700)
		_ = os.WriteFile(full, []byte(text), 0o600) // fails if a folder has the name
	}
	for i := range 200 {
		top := "case" + string(rune('a'+i/26)) + string(rune('a'+i%26))
		for range 3 + r.IntN(10) {
			write(filepath.Join(top, strings.Join(some(names, 1, 4), "/")), "x")
		}
		for range 1 + r.IntN(3) {
			write(filepath.Join(top, strings.Join(some(names, 0, 2), "/"), ".gitignore"), strings.Join(some(lines, 1, 5), "\n"))
		}
	}
	run := func(args ...string) string {
		cmd := exec.Command(git, append([]string{"-c", "core.quotePath=false", "-c", "core.excludesFile="}, args...)...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	run("init", "-q")
	want := make(map[string]bool)
	for name := range strings.SplitSeq(run("ls-files", "--others", "--exclude-standard", "-z"), "\x00") {
		if name != "" {
			want[name] = true
		}
	}
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	files, _, err := w.Files(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	have := make(map[string]bool)
	for _, f := range files {
		have[f.Path] = true
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() == ".git" {
			return fs.SkipDir
		}
		rel, _ := filepath.Rel(dir, path)
		if d.IsDir() {
			return nil
		}
		if have[rel] != want[rel] || w.Ignored(rel) == want[rel] {
			rules, _ := exec.Command("grep", "-r", "", "--include=.gitignore", filepath.Join(dir, rel[:6])).Output()
			t.Errorf("%s: listed %v, ignored %v, git lists it %v. Rules:\n%s", rel, have[rel], w.Ignored(rel), want[rel], rules)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(want) < 200 {
		t.Errorf("only %d files are listed", len(want))
	}
}

func TestPathsStayInside(t *testing.T) {
	outer := t.TempDir()
	dir := filepath.Join(outer, "ws")
	if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"secret": "s", "ws/in": "i", "ws/sub/x": "x"} {
		if err := os.WriteFile(filepath.Join(outer, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for link, target := range map[string]string{"out": "../secret", "abs": filepath.Join(outer, "secret"), "ok": "in", "up": ".."} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	w, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for _, name := range []string{"..", "../secret", "/etc/passwd", "sub/../../secret", filepath.Join(outer, "secret"), "a\x00b"} {
		if clean, err := w.Clean(name); err == nil {
			t.Errorf("Clean(%q) is %q", name, clean)
		}
	}
	behind := filepath.Join(outer, "link") // the folder may be accessed through a link
	if err := os.Symlink(dir, behind); err != nil {
		t.Fatal(err)
	}
	linked, err := Open(behind)
	if err != nil {
		t.Fatal(err)
	}
	defer linked.Close()
	for _, w := range []*Workspace{w, linked} {
		for name, want := range map[string]string{behind: ".", filepath.Join(behind, "sub", "x"): "sub/x", filepath.Join(dir, "sub"): "sub"} {
			if clean, err := w.Clean(name); err != nil || clean != want {
				t.Errorf("Clean(%q) is %q, %v", name, clean, err)
			}
		}
		if clean, err := w.Clean(filepath.Join(behind, "..", "secret")); err == nil {
			t.Errorf("the path beside the link is %q", clean)
		}
	}
	if clean, err := linked.Clean(filepath.Join(behind, "deleted")); err != nil || clean != "deleted" {
		t.Errorf("a file that is gone: %q, %v", clean, err)
	}
	for name, want := range map[string]string{"": ".", ".": ".", "sub/": "sub", "./sub//x": "sub/x", filepath.Join(w.Dir(), "sub"): "sub"} {
		if clean, err := w.Clean(name); err != nil || clean != want {
			t.Errorf("Clean(%q) is %q, %v", name, clean, err)
		}
	}
	if runtime.GOOS == "windows" {
		if clean, err := w.Clean(`sub\x`); err != nil || clean != "sub/x" {
			t.Errorf(`Clean("sub\x") is %q, %v`, clean, err)
		}
		if clean, err := w.Clean(`..\secret`); err == nil {
			t.Errorf(`Clean("..\secret") is %q`, clean)
		}
	}
	for _, name := range []string{"out", "abs", "up/secret", "sub", "missing"} {
		if data, _, err := w.Read(name, 100); err == nil {
			t.Errorf("Read(%q) gives %q", name, data)
		}
	}
	if data, _, err := w.Read("ok", 100); err != nil || !slices.Equal(data, []byte("i")) {
		t.Errorf("a link inside gives %q, %v", data, err)
	}
	if _, _, err := w.Read("in", 0); err == nil {
		t.Error("the limit is not kept")
	}
	files, _, err := w.Files(t.Context())
	if err != nil || len(files) != 2 {
		t.Errorf("listed %v, %v", files, err)
	}
}
