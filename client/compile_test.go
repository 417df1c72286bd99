//go:build linux

package client_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gofrs/flock"

	"goated/client"
	"goated/client/diagnose"
	"goated/internal/proctest"
	"goated/internal/sandbox"
	"goated/internal/servertest"
)

// Sources of hostile servers: C whose assembler reads a file, and a program that
// prints a constant of a package. The tests look at the program, so it needs no
// MCP.
const incbin = `package main

// extern char stolen[];
// __asm__(".pushsection .data\nstolen: .incbin \"%s\"\n.byte 0\n.popsection\n");
// static char *get(void) { return stolen; }
import "C"

func main() { println(C.GoString(C.get())) }
`

const imports = `package main

import "%s"

func main() { println(x.Token) }
`

// A hostile Go source cannot make the compiler or git read a file that its server may not read.
// Without a sandbox, each of these attacks succeeds.
func TestBuildsAreConfined(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("dozens of compilers, which the race detector does not see")
	}
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	const mark = "the-secret-of-the-user"
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	goEnv := strings.Split(strings.TrimSpace(string(out)), "\n")
	// All cases use one folder, so that Go's runtime is compiled only once.
	base := t.TempDir()
	mod, data, free := filepath.Join(base, "mod"), filepath.Join(base, "data"), filepath.Join(base, "free")
	for _, tt := range []struct {
		name   string
		files  map[string]string // BASE is the test's folder; "-> x" makes a symbolic link
		whole  bool              // without a sandbox, the attack needs a build of the whole folder
		allow  bool              // the file is the server's own, so the build must succeed
		builds bool              // the build succeeds in the sandbox, and steals nothing
		long   bool              // the same protection stops another attack, too
	}{
		{name: "incbin", long: true, files: map[string]string{"x.go": fmt.Sprintf(incbin, "BASE/home/.ssh/id")}},
		{name: "incbin of a link", long: true, files: map[string]string{"x.go": fmt.Sprintf(incbin, "link"), "link": "-> BASE/home/.ssh/id"}},
		{name: "what was compiled outside before", files: map[string]string{"x.go": fmt.Sprintf(imports, "srv.test/x"), "x/x.go": strings.NewReplacer(
			"package main", "package x", "func main() { println(C.GoString(C.get())) }", "var Token = C.GoString(C.get())").Replace(fmt.Sprintf(incbin, "BASE/home/.ssh/id"))}},
		{name: "a linked folder with an embedded file", files: map[string]string{"x.go": fmt.Sprintf(imports, "srv.test/x"), "x": "-> BASE/private"}},
		{name: "a replaced module outside", long: true, files: map[string]string{
			"x.go": fmt.Sprintf(imports, "private/x"), "go.mod": "module srv.test\ngo 1.21\nrequire private/x v0.0.0\nreplace private/x => BASE/private\n"}},
		{name: "a workspace that uses a folder outside", long: true, files: map[string]string{
			"x.go": fmt.Sprintf(imports, "private/x"), "go.work": "go 1.21\nuse (\n\t.\n\tBASE/private\n)\n"}},
		{name: "toolexec by the user's settings", builds: true, files: map[string]string{
			"x.go": "package main\n\nfunc main() {}\n", "../home/.config/go/env": "GOFLAGS=-toolexec=BASE/mod/hook\n"}},
		{name: "fsmonitor by stamping", whole: true, builds: true, files: map[string]string{"x.go": "package main\n\nfunc main() {}\n"}},
		{name: "incbin of its own", allow: true, files: map[string]string{"x.go": fmt.Sprintf(incbin, "BASE/mod/own"), "own": mark}}, // comes last, because its program contains the secret
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.long && !servertest.Long() {
				t.Skip("a similar attack: GOATED_LONG=1 runs it")
			}
			for _, old := range []string{mod, free, filepath.Join(base, "home"), filepath.Join(base, "private")} {
				if err := os.RemoveAll(old); err != nil {
					t.Fatal(err)
				}
			}
			all := map[string]string{
				"go.mod":               "module srv.test\ngo 1.21\n",
				"hook":                 "#!/bin/sh\ncat BASE/home/.ssh/id > BASE/mod/stolen\nexec \"$@\"\n",
				"../home/.ssh/id":      mark,
				"../private/go.mod":    "module private/x\ngo 1.21\n",
				"../private/token.txt": mark,
				"../private/x.go":      "package x\n\nimport _ \"embed\"\n\n//go:embed token.txt\nvar Token string\n",
			}
			if strings.HasPrefix(tt.files["x"], "->") { // a separate module would not belong to the module that links to it
				delete(all, "../private/go.mod")
			}
			for name, text := range tt.files {
				all[name] = text
			}
			write := func(name, text string) {
				path := filepath.Join(mod, name)
				text = strings.ReplaceAll(text, "BASE", base)
				err := os.MkdirAll(filepath.Dir(path), 0o700)
				if target, link := strings.CutPrefix(text, "-> "); link && err == nil {
					err = os.Symlink(target, path)
				} else if err == nil {
					err = proctest.WriteProgram(path, []byte(text))
				}
				if err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range all {
				write(name, text)
			}
			if tt.whole {
				for _, args := range [][]string{{"init", "-q"}, {"add", "x.go"}, {"-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "x"}, {"config", "core.fsmonitor", filepath.Join(mod, "hook")}} {
					if out, err := exec.Command("git", append([]string{"-C", mod}, args...)...).CombinedOutput(); err != nil {
						t.Fatalf("git: %v\n%s", err, out)
					}
				}
			}
			env := append(os.Environ(), "HOME="+filepath.Join(base, "home"), "XDG_CONFIG_HOME=", "GOCACHE="+goEnv[0], "GOMODCACHE="+goEnv[1],
				"GOFLAGS=", "GOENV=", "CGO_ENABLED=1", "GOTOOLCHAIN=local")
			stolen := func(folder string) bool {
				if _, err := os.Stat(filepath.Join(mod, "stolen")); err == nil {
					return true
				}
				found := false
				err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
					if err == nil && e.Type().IsRegular() {
						data, rerr := os.ReadFile(path)
						found, err = found || bytes.Contains(data, []byte(mark)), rerr
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
				return found
			}

			target := "./x.go"
			if tt.whole {
				target = "."
			}
			cmd := exec.Command("go", "build", "-ldflags=-w", "-o", filepath.Join(free, "x"), target)
			cmd.Dir, cmd.Env = mod, env
			if out, err := cmd.CombinedOutput(); err != nil || !stolen(free) {
				t.Fatalf("the attempt fails without a sandbox, too: %v\n%s", err, out)
			}
			_ = os.Remove(filepath.Join(mod, "stolen"))

			programs, _ := filepath.Glob(filepath.Join(data, "*", "bin", "x"))
			for _, p := range programs {
				_ = os.Remove(p)
			}
			h := host(t, client.Options{Data: data, Env: env})
			_, err := h.Connect(t.Context(), client.Config{Path: filepath.Join(mod, "x.go")})
			if err == nil {
				t.Fatal("a program that is no server connected")
			}
			programs, _ = filepath.Glob(filepath.Join(data, "*", "bin", "x"))
			if built := len(programs) == 1; built != (tt.builds || tt.allow) {
				t.Errorf("built: %v; %v\n%s", built, err, stderr(err))
			}
			if got := stolen(data); got != tt.allow {
				t.Errorf("stolen: %v; %v\n%s", got, err, stderr(err))
			}
			t.Logf("%v", err)
		})
	}
}

// A build downloads missing modules. An error in the source is reported in the compiler's
// words.
func TestBuildDownloads(t *testing.T) {
	t.Parallel()
	if !sandbox.Probe().Confined() {
		t.Skip(sandbox.Probe())
	}
	const mod = "module example.org/x\n\ngo 1.21\n"
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for name, text := range map[string]string{"go.mod": mod, "x.go": "package x\n\nconst Token = \"downloaded\"\n"} {
		if w, err := z.Create("example.org/x@v1.0.0/" + name); err != nil {
			t.Fatal(err)
		} else if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/example.org/x/@v/v1.0.0.info":
			fmt.Fprintf(w, `{"Version":"v1.0.0","Time":%q}`, time.Unix(1e9, 0).UTC().Format(time.RFC3339))
		case "/example.org/x/@v/v1.0.0.mod":
			fmt.Fprint(w, mod)
		case "/example.org/x/@v/v1.0.0.zip":
			_, _ = w.Write(archive.Bytes())
		default:
			http.NotFound(w, r)
		}
	}))
	defer proxy.Close()

	base := t.TempDir()
	dir := filepath.Join(base, "mod")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod": "module mod\n\ngo 1.21\n\nrequire example.org/x v1.0.0\n",
		"x.go":   strings.ReplaceAll(fmt.Sprintf(imports, "example.org/x"), "%", ""),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	env := append(servertest.Environ(t), "GOPROXY="+proxy.URL, "GOSUMDB=off", "GOFLAGS=", "GOTOOLCHAIN=local", "CGO_ENABLED=0")
	tidy := func(modules string, args ...string) {
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = dir, append(env, "GOMODCACHE="+modules)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
	}
	mine, theirs := filepath.Join(base, "mine"), filepath.Join(base, "theirs")
	t.Cleanup(func() { tidy(mine, "clean", "-modcache"); tidy(theirs, "clean", "-modcache") })
	tidy(theirs, "mod", "tidy") // writes go.sum

	data := filepath.Join(base, "data")
	h := host(t, client.Options{Data: data, Env: append(env, "GOMODCACHE="+mine)})
	_, err := h.Connect(t.Context(), client.Config{Path: filepath.Join(dir, "x.go")})
	if err == nil || !strings.Contains(stderr(err)+err.Error(), "downloaded") {
		t.Errorf("the program does not print the downloaded constant: %v\n%s", err, stderr(err))
	}

	script := filepath.Join(dir, "x.go")
	right, err := os.ReadFile(script)
	if err == nil {
		err = os.WriteFile(script, []byte("package main\n\nfunc main() { nonsense() }\n"), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.Connect(t.Context(), client.Config{Path: script})
	if err == nil || !strings.Contains(err.Error(), "x.go:3:15: undefined: nonsense") {
		t.Errorf("a wrong source: %v", err)
	}
	var e *client.Error
	if !errors.As(err, &e) || e.Report == nil || e.Report.Cause != diagnose.CompileError || e.Report.Args.Subject != "x.go:3" || filepath.Base(e.Report.Args.Open) != "x.go" {
		t.Errorf("the diagnosis of a wrong source is %+v", e)
	}
	if err := os.WriteFile(script, right, 0o600); err != nil {
		t.Fatal(err)
	}
	// buildWaits uses the cache of these builds.
	t.Run("BuildWaitsForAnother", func(t *testing.T) { buildWaits(t, h, script, data) })
}

// buildWaits checks that two goated processes with one data folder build the same server one
// after the other. The waiting build can be stopped. script is a script that h has already
// built.
func buildWaits(t *testing.T, h *client.Host, script, data string) {
	one := func(pattern string) string {
		t.Helper()
		found, err := filepath.Glob(filepath.Join(data, "*", pattern))
		if err != nil || len(found) != 1 {
			t.Fatalf("%s: %q, %v", pattern, found, err)
		}
		return found[0]
	}
	lock := flock.New(one("gocache.lock"))
	if got, err := lock.TryLock(); !got || err != nil {
		t.Fatalf("a finished build still has its lock: %v", err)
	}
	defer lock.Close()
	if err := os.Remove(one("bin/x")); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second) // a build takes less time
	defer cancel()
	if _, err := h.Connect(ctx, client.Config{Path: script}); err == nil || ctx.Err() == nil {
		t.Errorf("the second build did not wait: %v", err)
	}
	if built, _ := filepath.Glob(filepath.Join(data, "*", "bin", "x")); len(built) > 0 {
		t.Error("two builds ran at once")
	}
	if err := lock.Unlock(); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Connect(t.Context(), client.Config{Path: script}); err == nil {
		t.Fatal("a program that is no server connected")
	}
	one("bin/x")
}
