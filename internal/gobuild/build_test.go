//go:build unix

package gobuild

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"goated/internal/sandbox"
)

// A build writes only to its own server's folders, has no network, and gets no setting that names a
// program.
func TestBuildIsConfinedToItsFolders(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	tool := fakeGo(t, `cat <<EOF
{"GOROOT": "/no/go", "GOCACHE": "`+base+`/users", "GOMODCACHE": "`+base+`/mod", "GOFLAGS": "-toolexec=/evil -tags=a -mod=mod", "GOPROXY": "https://proxy.test"}
EOF
`)
	folder, source := filepath.Join(base, "x"), filepath.Join(base, "source")
	for _, dir := range []string{folder, source} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	b, err := newBuilder(t.Context(), Request{Go: tool.program, Dir: source, Source: "./x.go", Folder: folder,
		Env: append(tool.own, "GOAUTH=/evil", "GEMINI_API_KEY=secret", "LC_ALL=C"),
		Policy: func(string, []string) (*sandbox.Policy, error) {
			return &sandbox.Policy{Write: []string{"/srv/files"}, State: filepath.Join(folder, "files"), Network: sandbox.AnyNetwork, Desktop: true}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	p := b.policy
	if want := []string{filepath.Join(folder, "bin"), filepath.Join(folder, "gocache")}; !slices.Equal(p.Write, want) {
		t.Errorf("a build writes %q", p.Write)
	}
	if p.Network != sandbox.NoNetwork || p.Desktop || p.State != "" || !slices.Contains(p.Read, "/srv/files") {
		t.Errorf("a build may do %+v", p)
	}
	if d := b.online(); d.Network != sandbox.AnyNetwork || !slices.Equal(d.Write[2:], []string{filepath.Join(base, "mod")}) {
		t.Errorf("a download may do %+v", d)
	}
	if b.tool.flags != "-tags=a -mod=mod" {
		t.Errorf("the flags are %q", b.tool.flags)
	}
	for _, want := range []string{"GOENV=off", "LC_ALL=C", "GOPROXY=https://proxy.test", "GOCACHE=" + filepath.Join(folder, "gocache")} {
		if !slices.Contains(b.tool.env, want) {
			t.Errorf("the environment %q lacks %s", b.tool.env, want)
		}
	}
	for _, kv := range b.tool.env {
		if kv == "GOAUTH=/evil" || kv == "GEMINI_API_KEY=secret" {
			t.Errorf("the environment has %s", kv)
		}
	}
}

// A build in a workspace reads only the modules in the workspace's folder.
func TestModulesOfAWorkspace(t *testing.T) {
	t.Parallel()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	work := filepath.Join(base, "work")
	for name, text := range map[string]string{
		"work/go.work":      "go 1.21\n\nuse ./a // the server\nuse (\n\t\"./b\"\n\t../private\n\t./linked\n\t./c\n)\n",
		"work/go.work.sum":  "",
		"work/a/go.mod":     "module a\n",
		"work/a/go.sum":     "",
		"work/a/cmd/x.go":   "",
		"work/b/go.mod":     "module b\n",
		"work/c/x.go":       "",
		"work/1.21/go.mod":  "module mine\n",
		"private/go.mod":    "module private\n",
		"private/token.txt": "secret",
	} {
		path := filepath.Join(base, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for from, to := range map[string]string{"linked": "../private", "c/go.mod": "../../private/go.mod"} {
		if err := os.Symlink(to, filepath.Join(work, from)); err != nil {
			t.Fatal(err)
		}
	}
	roots, files := modules(filepath.Join(work, "a", "cmd"))
	in := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.Join(work, name))
		}
		return paths
	}
	if want := in("a/go.mod", "a/go.mod", "b/go.mod"); !slices.Equal(roots, want) {
		t.Errorf("roots %q, want %q", roots, want)
	}
	if want := in("a/go.sum", "go.work", "go.work.sum"); !slices.Equal(files, want) {
		t.Errorf("files %q, want %q", files, want)
	}
}
