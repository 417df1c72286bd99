package index

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"goated/internal/servertest"
	"goated/internal/waittest"
	"goated/servers/llmem/outline"
	"goated/servers/llmem/workspace"
)

func open(t testing.TB, dir, cache string) *Index {
	t.Helper()
	ws, err := workspace.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	p := outline.New(outline.Options{CacheDir: servertest.Grammars(t), MaxTime: time.Minute})
	x := New(Options{Workspace: ws, Parser: p, Cache: cache, MaxBytes: 1 << 20})
	t.Cleanup(func() {
		x.Close()
		_ = p.Close()
		_ = ws.Close()
	})
	return x
}

func write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A second process loads the outlines of the first one and parses only changed files.
func TestCacheOutlivesTheProcess(t *testing.T) {
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "sub", "cache")
	write(t, dir, map[string]string{
		"a.go": "package a\n\n// A is.\nfunc A() { b() }\n", "b.py": "import os\n\nclass B:\n    def m(self):\n        def local(): pass\n",
		"wrong.ts": "import {x} from './y'\nfunction ( {", "big.go": "package big\n" + strings.Repeat("// x\n", 300_000),
	})
	x := open(t, dir, cache)
	status, err := x.Refresh(t.Context(), Want{Wait: time.Minute})
	if err != nil || status.Source != 4 || status.Pending != 0 || len(status.Skipped) != 1 || status.Skipped[0].Path != "big.go" {
		t.Fatalf("%+v, %v", status, err)
	}
	x.Close() // waits for the cache
	first := x.Snapshot()

	y := open(t, dir, cache)
	if err := y.list(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := y.Snapshot()
	if len(second.Entries) != 4 || !reflect.DeepEqual(first.Names, second.Names) {
		t.Fatalf("%d entries, names %q and %q", len(second.Entries), first.Names, second.Names)
	}
	for i, e := range second.Entries {
		if fmt.Sprint(*e) != fmt.Sprint(*first.Entries[i]) {
			t.Errorf("stored %+v, read %+v", *first.Entries[i], *e)
		}
	}
	write(t, dir, map[string]string{"b.py": "def new(): pass\n"})
	if err := os.Remove(filepath.Join(dir, "wrong.ts")); err != nil {
		t.Fatal(err)
	}
	if status, err := y.Refresh(t.Context(), Want{Wait: time.Minute}); err != nil || status.Source != 3 || status.Pending != 0 {
		t.Errorf("%+v, %v", status, err)
	}
	if e := y.Entry("b.py"); e == nil || len(e.Symbols) != 1 || e.Symbols[0].Name != "new" || y.Entry("wrong.ts") != nil {
		t.Errorf("after changes: %+v", e)
	}
}

// Writing the outlines of 10,000 files takes longer than parsing one file. So a change waits for
// others, and none is lost.
func TestAChangeDoesNotWriteTheWholeCache(t *testing.T) {
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	write(t, dir, map[string]string{"a.go": "package a\n\nfunc A() {}\n", "gone.go": "package a\n"})
	x := open(t, dir, cache)
	x.saver.delay = time.Hour
	refresh := func() {
		t.Helper()
		if status, err := x.Refresh(t.Context(), Want{Wait: time.Minute}); err != nil || status.Pending != 0 {
			t.Fatalf("%+v, %v", status, err)
		}
	}
	refresh()
	write(t, dir, map[string]string{"a.go": "package a\n\nfunc Changed() {}\n"})
	if err := os.Remove(filepath.Join(dir, "gone.go")); err != nil {
		t.Fatal(err)
	}
	refresh()
	for range 30 { // a save would finish soon after the refresh
		if _, err := os.Stat(cache); err == nil {
			t.Fatal("a change wrote the whole cache at once")
		}
		time.Sleep(10 * time.Millisecond)
	}
	x.Close()
	_, entries := open(t, dir, cache).readCache()
	if len(entries) != 1 || entries["a.go"] == nil || entries["a.go"].Symbols[0].Name != "Changed" {
		t.Errorf("after the end the cache holds %+v", entries)
	}
	many := make(map[string]string)
	for i := range saveNow {
		many[fmt.Sprintf("f%d.go", i)] = "package a\n"
	}
	write(t, dir, many)
	x = open(t, dir, cache)
	x.saver.delay = time.Hour
	refresh()
	waittest.Until(t, "many changes are saved at once", func() bool {
		_, entries := x.readCache()
		return len(entries) == 1+saveNow
	})
}

// Damage to the cache costs time but has no other effect.
func TestDamagedCacheIsIgnored(t *testing.T) {
	dir, cache := t.TempDir(), filepath.Join(t.TempDir(), "cache")
	write(t, dir, map[string]string{"a.go": "package a\n\nfunc A() {}\n"})
	x := open(t, dir, cache)
	if _, err := x.Refresh(t.Context(), Want{Wait: time.Minute}); err != nil {
		t.Fatal(err)
	}
	x.Close()
	good, err := os.ReadFile(cache)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(good); i += 7 {
		bad := append([]byte(nil), good...)
		bad[i] ^= 0x55
		if err := os.WriteFile(cache, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, entries := open(t, dir, cache).readCache(); entries != nil {
			t.Fatalf("byte %d of %d changed, and the cache is read", i, len(good))
		}
	}
	if _, entries := open(t, t.TempDir(), cache).readCache(); entries != nil {
		t.Error("another workspace reads the cache")
	}
}

func TestNamedFilesComeFirst(t *testing.T) {
	dir := t.TempDir()
	files := make(map[string]string)
	for i := range 300 {
		files[fmt.Sprintf("f%d.py", i)] = fmt.Sprintf("def f%d():\n    pass\n%s", i, strings.Repeat("x = [1, 2, 3]\n", 200))
	}
	write(t, dir, files)
	x := open(t, dir, "")
	status, err := x.Refresh(t.Context(), Want{Name: "f123"})
	if err != nil || status.Source != 300 {
		t.Fatalf("%+v, %v", status, err)
	}
	if e := x.Entry("f123.py"); e == nil || e.Symbols[0].Name != "f123" {
		t.Errorf("the named file is not parsed: %+v", e)
	}
}

func TestImportsResolve(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"go.mod": "module example.com/m\n", "cmd/main.go": "package main\n\nimport _ \"example.com/m/lib\"\n", "lib/lib.go": "package lib\n", "lib/lib_test.go": "package lib\n",
		"web/a.ts": "import './b'; import x from './c.js'; import y from 'react';\n", "web/b/index.tsx": "export {}\n", "web/c.ts": "export default 1\n",
		"py/pkg/__init__.py": "", "py/pkg/mod.py": "from . import other\nfrom .other import f\n", "py/pkg/other.py": "import pkg.mod\n",
		"c/x.c": "#include \"x.h\"\n#include <stdio.h>\n", "c/x.h": "int x(void);\n",
		"rs/src/main.rs": "mod util;\nuse crate::util::f;\n", "rs/src/util.rs": "pub fn f() {}\n",
		"rs/src/all.rs": "use crate::*;\nuse crate::{util, x};\n", "rs/src/glob.rs": "use crate::util::*;\n", "rs/src/half.rs": "use crate::",
		"j/src/a/B.java": "package a; import a.C; class B {}\n", "j/src/a/C.java": "package a; class C {}\n",
	})
	x := open(t, dir, "")
	if _, err := x.Refresh(t.Context(), Want{Wait: time.Minute}); err != nil {
		t.Fatal(err)
	}
	var g Graph
	goMod := []byte("module example.com/m\n")
	for from, want := range map[string]string{
		"cmd/main.go": "[lib/lib.go]", "web/a.ts": "[web/b/index.tsx web/c.ts]", "py/pkg/mod.py": "[py/pkg/__init__.py py/pkg/other.py]",
		"py/pkg/other.py": "[py/pkg/mod.py]", "c/x.c": "[c/x.h]", "rs/src/main.rs": "[rs/src/util.rs]",
		"rs/src/all.rs": "[rs/src/main.rs rs/src/util.rs]", "rs/src/glob.rs": "[rs/src/util.rs]", "rs/src/half.rs": "[]", "j/src/a/B.java": "[j/src/a/C.java]",
	} {
		uses, _ := g.Neighbours(x.Snapshot(), goMod, from)
		if have := fmt.Sprint(uses); have != want {
			t.Errorf("%s uses %s, want %s", from, have, want)
		}
	}
	for from, want := range map[string]string{"cmd/main.go": "[]", "web/a.ts": "[react]", "c/x.c": "[stdio.h]", "lib/lib.go": "[]"} {
		if have := fmt.Sprint(g.Packages(x.Snapshot(), goMod, from)); have != want {
			t.Errorf("%s uses the packages %s, want %s", from, have, want)
		}
	}
	if _, usedBy := g.Neighbours(x.Snapshot(), goMod, "lib/lib.go"); fmt.Sprint(usedBy) != "[cmd/main.go]" {
		t.Errorf("used by %v", usedBy)
	}
	// A new file may be the target of an old import.
	write(t, dir, map[string]string{"web/b.ts": "export {}\n"})
	if _, err := x.Refresh(t.Context(), Want{Wait: time.Minute}); err != nil {
		t.Fatal(err)
	}
	if uses, _ := g.Neighbours(x.Snapshot(), goMod, "web/a.ts"); fmt.Sprint(uses) != "[web/b.ts web/c.ts]" {
		t.Errorf("after a new file: %v", uses)
	}
}

// Imports are odd while somebody types them. No language's resolver panics, or finds a file that is not in
// the workspace.
func TestOddImports(t *testing.T) {
	var s Snapshot
	for _, name := range []string{"src/mod.rs", "src/a/mod.rs", "lib/a.rb", "a.lua", "a/init.lua", "a.py", "a/__init__.py", "A.java", "a.h", "a.php", "a.go", ".rs", "src.rs"} {
		s.Listed = append(s.Listed, workspace.Entry{Path: name})
	}
	r := newResolver(s, []byte("module m\n"))
	var sources []string
	for _, whole := range []string{
		"crate::*", "crate::{a,b}", "crate::a::{*}", "crate::::a", "self::*", "self::{a}", "super::a", "m/../a", "./../../../a.js", "...a.b", "..", "a.*", ".*", `\\a\b`, "/a.php", "a..b", "../../a.h", "*", "{", "::", "\xff",
	} {
		for n := range len(whole) + 1 {
			sources = append(sources, whole[:n])
		}
	}
	for _, language := range []string{"go", "javascript", "typescript", "tsx", "python", "java", "kotlin", "c", "cpp", "csharp", "rust", "ruby", "php", "lua", "bash", "other"} {
		for _, from := range []string{"x", "src/x.rs", "deep/er/x"} {
			for _, source := range sources {
				e := &Entry{Entry: workspace.Entry{Path: from}, Language: language, Imports: []outline.Import{{Source: source}, {Source: source, Names: []string{"", "*", "a", ".."}}}}
				for _, to := range r.imports(e) {
					if !r.files[to] {
						t.Errorf("%s, %s, %q: %q", language, from, source, to)
					}
				}
			}
		}
	}
	for _, source := range []string{"crate::*", "crate::", "self::", "self::*"} { // they name no module
		if to := r.resolve(&Entry{Entry: workspace.Entry{Path: "src/x.rs"}, Language: "rust"}, outline.Import{Source: source}); len(to) > 0 {
			t.Errorf("%q leads to %q", source, to)
		}
	}
}

// If the system does not report when a file's inode changed, a change with the same size and time
// is visible only in the content. Verify compares the content.
func TestVerifyComparesTheContent(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{"a.go": "package a\n\nfunc One() {}\n", "b.go": "package a\n\nfunc B() {}\n"})
	x := open(t, dir, "")
	if _, err := x.Refresh(t.Context(), Want{Wait: time.Minute}); err != nil {
		t.Fatal(err)
	}
	if changed, err := x.Verify(t.Context(), []string{"a.go", "b.go"}); changed || err != nil {
		t.Errorf("nothing changed: %t, %v", changed, err)
	}
	write(t, dir, map[string]string{"a.go": "package a\n\nfunc Two() {}\n"})
	changed, err := x.Verify(t.Context(), []string{"b.go", "a.go"})
	if e := x.Entry("a.go"); !changed || err != nil || len(e.Symbols) != 1 || e.Symbols[0].Name != "Two" {
		t.Errorf("%t, %v, %+v", changed, err, e)
	}
}
