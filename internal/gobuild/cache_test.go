//go:build unix

package gobuild

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goated/internal/proctest"
)

// fakeGo makes a go command from a shell script, with an empty user cache.
func fakeGo(t *testing.T, script string) toolchain {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "go")
	if err := proctest.WriteProgram(program, []byte("#!/bin/sh\n"+script)); err != nil {
		t.Fatal(err)
	}
	return toolchain{program: program, own: []string{"PATH=" + os.Getenv("PATH")}, set: map[string]string{"GOCACHE": dir, "GOVERSION": "go1"}}
}

// put adds an entry to a GOCACHE, and returns the path of its output.
func put(t *testing.T, cache, action, output, text string) string {
	t.Helper()
	action, output = strings.Repeat(action, 32), strings.Repeat(output, 32)
	paths := []string{filepath.Join(cache, action[:2], action+"-a"), filepath.Join(cache, output[:2], output+"-d")}
	for i, content := range []string{fmt.Sprintf("v1 %s %s %20d %20d\n", action, output, len(text), 1), text} {
		if err := os.MkdirAll(filepath.Dir(paths[i]), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(paths[i], []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return paths[1]
}

// buildID is the build ID of an entry whose action is "11".
var buildID = base64.RawURLEncoding.EncodeToString(bytes.Repeat([]byte{0x11}, 15)) + "/content"

// files returns the names of the files below dir.
func files(t *testing.T, dir string) (names []string) {
	t.Helper()
	if err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			names = append(names, e.Name()[:2])
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return names
}

// A new cache gets only the standard library from the user's cache. Another entry may be this
// server, compiled outside a sandbox.
func TestNewCacheHasTheStandardLibrary(t *testing.T) {
	t.Parallel()
	tool := fakeGo(t, `echo "`+buildID+` $GOCACHE/22/`+strings.Repeat("22", 32)+`-d"`)
	put(t, tool.set["GOCACHE"], "11", "22", "standard")
	put(t, tool.set["GOCACHE"], "33", "22", "standard") // the action of another program
	put(t, tool.set["GOCACHE"], "44", "55", "the server, with a secret")
	if err := os.WriteFile(filepath.Join(tool.set["GOCACHE"], "11", "damaged-a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c := cache{dir: filepath.Join(t.TempDir(), "gocache")}
	if err := os.Mkdir(c.dir+"-killed", 0o700); err != nil { // left by a goated process that was killed
		t.Fatal(err)
	}
	if err := c.prepare(t.Context(), tool); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(files(t, c.dir)); got != "[11 22]" {
		t.Errorf("the cache has %s", got)
	}

	// With the same toolchain, the cache stays unchanged.
	mine := put(t, c.dir, "66", "77", "built")
	if err := c.prepare(t.Context(), tool); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mine); err != nil {
		t.Error(err)
	}

	// Another toolchain replaces the cache. A link that a build left in it is not followed.
	outside := t.TempDir()
	if err := os.RemoveAll(filepath.Join(c.dir, "22")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(c.dir, "22")); err != nil {
		t.Fatal(err)
	}
	tool.set["GOVERSION"] = "go2"
	if err := c.prepare(t.Context(), tool); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(files(t, c.dir)); got != "[11 22]" {
		t.Errorf("after an update, the cache has %s", got)
	}
	if got := files(t, outside); len(got) > 0 {
		t.Errorf("written through a link: %v", got)
	}
	if left, _ := filepath.Glob(c.dir + "-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// If goated cannot list or copy the standard library, the build compiles it.
func TestCacheWithoutTheStandardLibrary(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"go fails": "exit 1\n", "no entries": "echo /nowhere\n"} {
		c := cache{dir: filepath.Join(t.TempDir(), "gocache")}
		if err := c.prepare(t.Context(), fakeGo(t, script)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := files(t, c.dir); len(got) > 0 {
			t.Errorf("%s: the cache has %v", name, got)
		}
	}
	// If an output cannot be copied, nothing is left behind.
	tool := fakeGo(t, `echo "`+buildID+` $GOCACHE/22/`+strings.Repeat("22", 32)+`-d"`)
	output := put(t, tool.set["GOCACHE"], "11", "22", "standard")
	if err := errors.Join(os.Remove(output), os.Mkdir(output, 0o700)); err != nil {
		t.Fatal(err)
	}
	c := cache{dir: filepath.Join(t.TempDir(), "gocache")}
	if err := c.prepare(t.Context(), tool); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(c.dir + "*"); len(left) != 1 || left[0] != c.dir {
		t.Errorf("left behind: %v", left)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := (cache{dir: filepath.Join(t.TempDir(), "gocache")}).prepare(ctx, fakeGo(t, "sleep 60\n")); err == nil {
		t.Error("a build that was stopped goes on")
	}
}

// goated finds the entries of the real go command by their build IDs. Otherwise each new server
// would compile the standard library.
func TestEntriesOfTheRealGo(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	tool, err := findToolchain(t.Context(), Request{Go: program, Folder: t.TempDir(), Env: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	list, err := tool.standardLibrary(t.Context(), t.TempDir())
	if err != nil || len(list) < 100 {
		t.Fatalf("%d packages, %v", len(list), err)
	}
	to := t.TempDir()
	if err := copyCompiled(t.Context(), tool.set["GOCACHE"], to, list[:20]); err != nil {
		t.Fatal(err)
	}
	for _, c := range list[:20] {
		if found, _ := filepath.Glob(filepath.Join(to, c.action[:2], c.action+"*-a")); len(found) != 1 {
			t.Errorf("%v has the entries %v", c, found)
		}
	}
}

// goated leaves out entries that are empty or cut, or that have another output. Go compiles those
// packages.
func TestDamagedEntriesAreLeftOut(t *testing.T) {
	t.Parallel()
	from, to := t.TempDir(), t.TempDir()
	good := put(t, from, "11", "aa", "compiled")
	put(t, from, "22", "bb", "compiled")
	empty, cut := put(t, from, "33", "cc", "compiled"), put(t, from, "44", "dd", "compiled")
	for action, text := range map[string]string{"33": "", "44": "v1 " + strings.Repeat("44", 32)} {
		if err := os.WriteFile(filepath.Join(from, action, strings.Repeat(action, 32)+"-a"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wanted := []compiled{{strings.Repeat("11", 15), good}, {strings.Repeat("22", 15), good}, {strings.Repeat("33", 15), empty}, {strings.Repeat("44", 15), cut}}
	if err := copyCompiled(t.Context(), from, to, wanted); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(files(t, to), " "); got != "11 aa" {
		t.Errorf("copied are %s", got)
	}
}

// goated compiles the standard library with the settings of the server's build. Module flags do not
// apply to it.
func TestStandardLibraryHasTheServersSettings(t *testing.T) {
	t.Parallel()
	tool := fakeGo(t, `echo "`+buildID+` $GOEXPERIMENT $GOAMD64 $GOFLAGS"`)
	tool.set["GOEXPERIMENT"], tool.set["GOAMD64"], tool.flags = "x", "v3", "-mod=mod -trimpath"
	got, err := tool.standardLibrary(t.Context(), t.TempDir())
	if err != nil || len(got) != 1 || got[0].output != "x v3 -trimpath" {
		t.Errorf("%v, %v", got, err)
	}
	before := tool.key()
	tool.set["GOAMD64"] = "v1"
	if tool.key() == before {
		t.Error("the key does not tell settings apart")
	}
}

// A build waits for another build of the same server, and can be cancelled.
func TestLock(t *testing.T) {
	t.Parallel()
	c := cache{dir: filepath.Join(t.TempDir(), "gocache")}
	unlock, err := c.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := c.lock(ctx); err == nil {
		t.Error("two builds have the lock")
	}
	unlock()
	unlock, err = c.lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}
