package outline

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"goated/internal/servertest"
)

// samples returns a source for each language with most kinds of definitions.
func samples() map[string]string {
	return map[string]string{
		"a.go":   "package a\n\nimport \"fmt\"\n\n// T is.\ntype T[P any] struct{ a int }\n\nfunc (t *T[P]) M(x int) error { return nil }\n\nconst (\n\tA = iota\n\tB\n)\n",
		"a.py":   "import os\nfrom . import b as c\n\n@dec\nclass C(B):\n    \"\"\"Doc.\"\"\"\n    x = 1\n    async def m(self, a=1):\n        def inner(): pass\n\ntype A[T] = int\n",
		"a.ts":   "import d, { a as b } from './x';\n/** Doc. */\nexport default class Foo<T> extends Bar {\n  private h = () => {};\n  @dec() m(): void {}\n}\nnamespace N.M { export function q() {} }\ntype U = string;\nexports.f = function () {};\n",
		"a.tsx":  "export const App = (p: { a: string }) => <div onClick={() => p.a}>{p.a}</div>;\n",
		"a.js":   "const x = require('y');\nvar o = { f() {}, g: async () => 1 };\nO.prototype.h = function* () {};\nexport default function () {}\n",
		"A.java": "package a;\nimport static b.C.*;\n/** Doc. */\n@X public class A<T> { int x, y; A() {} @Override <R> R m(T t) { return null; } enum E { P { void q() {} } } record R(int a) { R {} } }\n",
		"a.c":    "#include <x.h>\n#define M(a) a\ntypedef struct { int a; } S, *P;\nstatic int *f(void (*cb)(int)) { return 0; }\nstruct T { int a; };\nint g, h[3];\n",
		"a.cpp":  "namespace a::b {\ntemplate <typename T> class F : public G<T> { public: F(); ~F(); operator bool() const; bool operator==(F&); };\n}\nint a::b::F<int>::m() { return 1; }\nusing X = int;\nextern \"C\" { void e(); }\n",
		"a.cs":   "using A = B.C;\nnamespace N { public class C : D { int x, y; public string P { get; set; } public static C operator +(C a) => a; void M() { int l() => 1; } } record R(int A); delegate int D(); }\n",
		"a.rs":   "use a::{b, c};\nmod m;\n/// Doc\n#[derive(X)]\npub struct S<T>(T);\nimpl<T> Tr for S<T> { const X: i32 = 1; fn f(&self) { fn g() {} } }\nmacro_rules! m { () => {} }\n",
		"a.rb":   "require_relative 'x'\nmodule A::B\n  X = 1\n  class C < D\n    def self.s; end\n    class << self; def k; end; end\n  end\nend\n",
		"a.php":  "<?php\nnamespace A;\nuse X\\{Y, Z as W};\nabstract class C { const K = 1; public ?int $p; function m(int ...$a): ?int {} }\nfunction &f() {}\n",
		"a.kt":   "package x\nimport a.*\ndata class P(val a: Int) {\n  companion object { fun m() = 1 }\n  val q: Int\n    get() = 2\n}\nfun <T> List<T>.e(): T = this[0]\n",
		"a.sh":   "#!/bin/sh\n. ./lib.sh\nf() { echo \"$1\"; }\nfunction g { f; }\n",
		"a.lua":  "local M = {}\nlocal x = require('a.b')\nfunction M.a.b:c() end\nM.q = function() end\nreturn { z = function() end }\n",
	}
}

func TestEachLanguageHasSymbols(t *testing.T) {
	p := New(Options{CacheDir: servertest.Grammars(t), MaxTime: time.Minute})
	defer p.Close()
	languages := make(map[string]bool)
	for name, source := range samples() {
		f, err := p.Parse(t.Context(), name, []byte(source))
		if err != nil || len(f.Symbols) == 0 || len(f.Refs) == 0 {
			t.Errorf("%s: %+v, %v", name, f, err)
			continue
		}
		languages[f.Language] = true
	}
	for _, l := range []string{"bash", "c", "cpp", "csharp", "go", "java", "javascript", "kotlin", "lua", "php", "python", "ruby", "rust", "tsx", "typescript"} {
		if !languages[l] {
			t.Errorf("%s has no sample", l)
		}
	}
}

// A source in Latin-1, Windows-1252 or UTF-16 keeps its names, its comments, and the number of each
// line.
func TestSourcesThatAreNoUTF8(t *testing.T) {
	p := New(Options{CacheDir: servertest.Grammars(t), MaxTime: time.Minute})
	defer p.Close()
	for name, source := range map[string]string{
		"a.go":       "package a\n\n// F\xfcnf \x80.\nfunc Gr\xfc\xdfe() string { return \"\xfc\" }\n",
		"a.py":       "# Gr\xfc\xdfe\n\n# F\xfcnf \x80.\ndef Gr\xfc\xdfe(): return '\xfc'\n",
		"a.ts":       "// Gr\xfc\xdfe\n\n// F\xfcnf \x80.\nexport function Gr\xfc\xdfe() { return '\xfc' }\n",
		"mixed.ts":   "// Gr\xfc\xdfe\n\n// Fünf €.\nexport function Gr\xfc\xdfe() { return 'ü' }\n",
		"wide.ts":    utf16le("\ufeff// Größe\r\n\r\n// Fünf €.\r\nexport function Grüße() {}\r\n"),
		"swapped.ts": swapped(utf16le("\ufeff// 😀\n\n// Fünf €.\nexport function Grüße() {}\n")),
	} {
		f, err := p.Parse(t.Context(), name, []byte(source))
		if err != nil || f.Lines != 4 || len(f.Symbols) != 1 || f.Symbols[0].Name != "Grüße" || f.Symbols[0].Doc != "Fünf €." || f.Symbols[0].StartLine != 4 {
			t.Errorf("%s: %+v, %v", name, f, err)
		}
	}
	for _, data := range []string{"\x7fELF\x00\xff", "GIF89a\x00\xfe"} {
		if _, err := p.Parse(t.Context(), "a.py", []byte(data)); !errors.Is(err, ErrBinary) {
			t.Errorf("%q: %v", data, err)
		}
	}
}

func utf16le(text string) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		b = binary.LittleEndian.AppendUint16(b, unit)
	}
	return string(b)
}

func swapped(text string) string {
	b := []byte(text)
	for i := 0; i+1 < len(b); i += 2 {
		b[i], b[i+1] = b[i+1], b[i]
	}
	return string(b)
}

// The TSX grammar can take minutes for a short source, because it tries both interpretations of
// each bracket. The limit stops it, and the next file still gets its outline.
func TestSourceOfManyReadings(t *testing.T) {
	p := New(Options{CacheDir: servertest.Grammars(t), MaxTime: time.Second})
	defer p.Close()
	source := "exp\r\nort const App = (" + strings.Repeat("t App = (", 9) + "t App = string }) => <dnClick={() => p.a}>{\xb6p.a}</div>;\n"
	began := time.Now()
	if _, err := p.Parse(t.Context(), "a.tsx", []byte(source)); err != nil && !errors.Is(err, ErrSlow) || time.Since(began) > 20*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
	p.maxTime = time.Minute // the machine may be busy
	if f, err := p.Parse(t.Context(), "a.tsx", []byte(samples()["a.tsx"])); err != nil || len(f.Symbols) == 0 {
		t.Errorf("the next file: %+v, %v", f, err)
	}
}

// Whatever a file contains, the lines in its outline exist in the file, and nothing panics. Few
// files take longer than the limit.
func TestHostileSources(t *testing.T) {
	p := New(Options{CacheDir: servertest.Grammars(t), MaxTime: 5 * time.Second})
	defer p.Close()
	slow := 0
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 3))
	for name, source := range samples() {
		for range 40 {
			b := []byte(source)
			for range 1 + r.IntN(6) {
				at := r.IntN(len(b) + 1)
				switch r.IntN(5) {
				case 0: // delete
					b = append(b[:at:at], b[min(at+r.IntN(12), len(b)):]...)
				case 1: // repeat
					b = append(b[:at:at], append([]byte(strings.Repeat(string(b[at:min(at+r.IntN(20), len(b))]), 1+r.IntN(30))), b[at:]...)...)
				case 2: // a wrong byte
					b = append(b[:at:at], append([]byte{byte(1 + r.IntN(255))}, b[at:]...)...)
				case 3: // an opening without an end
					b = append(b[:at:at], append([]byte([]string{"{", "(", "[", "\"", "'", "/*", "`", "\"\"\"", "<", "\r\n"}[r.IntN(10)]), b[at:]...)...)
				default: // the end is missing
					b = b[:at]
				}
				if len(b) == 0 {
					b = []byte("x")
				}
			}
			f, err := p.Parse(t.Context(), name, b)
			if errors.Is(err, ErrSlow) {
				if slow++; slow > 3 {
					t.Fatalf("%s: %v, as with others before\n%q", name, err, b)
				}
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v\n%q", name, err, b)
			}
			for _, s := range f.Symbols {
				if s.Name == "" || s.StartLine < 1 || s.EndLine < s.StartLine || s.EndLine > max(f.Lines, 1) || len(s.Signature) > maxSignature || len(s.Doc) > maxDoc {
					t.Fatalf("%s of %d lines has %+v\n%q", name, f.Lines, s, b)
				}
			}
		}
	}
	deep := []byte(strings.Repeat("function f() { if (x) { ", 20_000))
	if _, err := p.Parse(t.Context(), "deep.js", deep); err != nil && !errors.Is(err, ErrSlow) && !strings.Contains(fmt.Sprint(err), "memory") {
		t.Errorf("deep nesting: %v", err)
	}
}
