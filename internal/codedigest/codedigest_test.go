//go:build unix

package codedigest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"goated/internal/launch"
	"goated/internal/paths"
	"goated/internal/proctest"
)

// write creates a file and its folders.
func write(t testing.TB, text string, path ...string) string {
	t.Helper()
	file := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := proctest.WriteProgram(file, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return file
}

// program returns the program that a command with arguments starts in a folder.
func program(found, dir string, env []string, args ...string) Program {
	origin, _ := launch.Of("", filepath.Base(found), "", args, dir, launch.Here(nil))
	p := Program{Script: found, Found: found, Args: args, Dir: dir, Env: env, Origin: origin}
	for _, a := range args {
		if path := a; filepath.IsAbs(path) && filepath.Ext(path) != "" && paths.IsFile(path) {
			p.Script = path
		}
	}
	return p
}

// code returns the digest of a program that has started.
func code(t testing.TB, p Program) (text string, unseen bool) {
	t.Helper()
	text, _, unseen, changed := Begin(p).Code(t.Context())
	if changed {
		t.Errorf("%s %q changed during its start", p.Found, p.Args)
	}
	return text, unseen
}

// A permission is bound to the code that runs, for each way to start a server. Each change of the
// code changes the digest. A change of other files does not.
func TestEachWayToStartIsBoundToItsCode(t *testing.T) {
	home := t.TempDir()
	env := []string{"HOME=" + home}
	npx := func(folder, packages, version string) {
		dir := filepath.Join(home, ".npm", "_npx", folder)
		write(t, `{"dependencies":{"mail-mcp":"^1"},"_npx":{"packages":[`+packages+`]}}`, dir, "package.json")
		write(t, `{"packages":{"node_modules/mail-mcp":{"version":"`+version+`","integrity":"sha512-`+version+`"}}}`, dir, "node_modules", ".package-lock.json")
	}
	python := func(prefix, name, version string) {
		site := filepath.Join(prefix, "lib", "python3.12", "site-packages")
		write(t, "home = /usr\n", prefix, "pyvenv.cfg")
		write(t, name+"/server.py,sha256="+version+",1\n", site, name+"-1.0.dist-info", "RECORD")
	}
	docker := func(id string) string {
		return write(t, "#!/bin/sh\n[ \"$1 $2\" = 'image inspect' ] && [ \"$5\" = 'mcp/mail:2' ] && echo sha256:"+strings.Repeat(id, 64)+"\n", home, "docker")
	}
	user := fmt.Sprint(os.Getuid())
	bunx := func(dir, version string) {
		write(t, `{"dependencies":{"mail-mcp":"1"}}`, dir, "package.json")
		write(t, `{"packages":{"mail-mcp":["mail-mcp@1","",{},"sha512-`+version+`"]}}`, dir, "bun.lock")
	}
	remote := func(deno, host, path, text, time string) { // the times in the last line are not code
		write(t, text+"\n\n// denoCacheMetadata={\"headers\":{},\"url\":\"x\",\"time\":"+time+"}", deno, "remote", map[bool]string{true: "https", false: "http"}[host == "jsr.io"], host, fmt.Sprintf("%x", sha256.Sum256([]byte(path))))
	}
	proj := t.TempDir()
	runner := func(name string) string { return filepath.Join("/nowhere/bin", name) }
	for _, c := range []struct {
		name    string
		program func() Program
		write   func(version string)
	}{
		{"npx, the user's cache", func() Program { return program(runner("npx"), "", env, "-y", "mail-mcp") }, func(v string) { npx("1", `"mail-mcp"`, v); npx("2", `"other"`, "5") }},
		{"npx with --package", func() Program { return program(runner("npx"), "", env, "-y", "--package=mail-mcp@1", "mail") }, func(v string) { npx("3", `"mail-mcp@1"`, v) }},
		{"npm exec", func() Program { return program(runner("npm"), "", env, "exec", "-y", "mail-mcp@2") }, func(v string) { npx("4", `"mail-mcp@2"`, v) }},
		{"npx, an own store", func() Program {
			p := program(runner("npx"), "", env, "github:ada/mail-mcp")
			p.Store = filepath.Join(proj, "store")
			return p
		}, func(v string) {
			write(t, `{"resolved":"git+ssh://git@github.com/ada/mail-mcp.git#`+v+`"}`, proj, "store", "npm", "_npx", "9", "node_modules", ".package-lock.json")
		}},
		{"npx, of the project", func() Program { return program(runner("npx"), filepath.Join(proj, "n"), env, "local-mcp") }, func(v string) {
			write(t, "run("+v+")", proj, "n", "node_modules", "local-mcp", "index.js")
		}},
		{"bunx", func() Program { return program(runner("bunx"), "", env, "mail-mcp") }, func(v string) {
			bunx(filepath.Join(home, ".bun", "install", "cache", ".bunx-"+user, "mail-mcp@latest"), v)
			bunx(filepath.Join(home, ".bun", "install", "cache", ".bunx-"+user, "other@latest"), "5")
		}},
		{"bun x of a scope", func() Program { return program(runner("bun"), "", env, "x", "-y", "@ada/mail@2") }, func(v string) {
			bunx(filepath.Join(home, ".bun", "install", "cache", ".bunx-"+user, "@ada", "mail@2"), v)
		}},
		{"bunx, an older one", func() Program {
			return program(runner("bunx"), "", append([]string{"TMPDIR=" + proj}, env...), "old-mcp@1")
		}, func(v string) {
			bunx(filepath.Join(proj, "bunx-"+user+"-old-mcp@1"), v)
		}},
		{"bunx, an own store", func() Program {
			p := program(runner("bunx"), "", env, "mail-mcp@3")
			p.Store = filepath.Join(proj, "store3")
			return p
		}, func(v string) {
			bunx(filepath.Join(proj, "store3", "bun", ".bunx-"+user, "@ada", "mail-mcp@3"), v)
		}},
		{"pnpm dlx", func() Program { return program(runner("pnpm"), "", env, "dlx", "@ada/mail@2") }, func(v string) {
			dlx := filepath.Join(home, ".cache", "pnpm", "dlx")
			write(t, `{"name":"dlx","version":"0.0.0","dependencies":{"@ada/mail":"2"}}`, dlx, "776d", "mw-"+v, "package.json")
			write(t, "packages:\n  mail@2: {integrity: sha512-"+v+"}\n", dlx, "776d", "mw-"+v, "pnpm-lock.yaml")
			_ = os.Remove(filepath.Join(dlx, "776d", "pkg"))
			_ = os.Symlink("mw-"+v, filepath.Join(dlx, "776d", "pkg"))
			write(t, `{"dependencies":{"other":"2"}}`, dlx, "99", "pkg", "package.json")
		}},
		{"yarn dlx", func() Program {
			return program(runner("yarn"), "", append([]string{"TMPDIR=" + home}, env...), "dlx", "mail-mcp@2")
		}, func(v string) {
			write(t, `{"dependencies":{"mail-mcp":"2"}}`, home, "xfs-b1", "dlx-77", "package.json")
			write(t, "checksum: "+v, home, "xfs-b1", "dlx-77", "yarn.lock")
		}},
		{"deno run of npm", func() Program { return program(runner("deno"), "", env, "run", "-A", "npm:@ada/mail@2.0.0") }, func(v string) {
			at := filepath.Join(home, ".cache", "deno", "npm", "registry.npmjs.org")
			write(t, `{"dependencies":{"dep":"^1"},"optionalDependencies":{"absent":"1"}}`, at, "@ada", "mail", "2.0.0", "package.json")
			write(t, "run("+v+")", at, "@ada", "mail", "2.0.0", "lib", "x.js")
			write(t, "{}", at, "dep", "1.0.0", "package.json")
		}},
		{"deno run of npm, a dependency", func() Program { return program(runner("deno"), "", env, "run", "-A", "npm:post") }, func(v string) {
			at := filepath.Join(home, ".cache", "deno", "npm", "registry.npmjs.org")
			write(t, `{"dependencies":{"dep2":"^1"}}`, at, "post", "2.0.0", "package.json")
			write(t, "{}", at, "dep2", "1.0."+v, "package.json")
		}},
		{"deno run of a URL", func() Program { return program(runner("deno"), "", env, "run", "-A", "http://localhost:8765/main.ts") }, func(v string) {
			deno := filepath.Join(home, ".cache", "deno")
			remote(deno, "localhost_PORT8765", "/main.ts", "import {x} from './dep.ts'; import 'node:fs'", v)
			remote(deno, "localhost_PORT8765", "/dep.ts", "export const x="+v, v)
		}},
		{"deno run of jsr, an own store", func() Program {
			p := program(runner("deno"), "", append([]string{"DENO_DIR=" + filepath.Join(proj, "store4", "deno")}, env...), "run", "jsr:@ada/mail")
			p.Store = filepath.Join(proj, "store4")
			return p
		}, func(v string) {
			remote(filepath.Join(proj, "store4", "deno"), "jsr.io", "/@ada/mail/1.0.0/mod.ts", "run("+v+")", v)
		}},
		{"deno run of npm, an own store", func() Program {
			p := program(runner("deno"), "", append([]string{"DENO_DIR=" + filepath.Join(proj, "store5", "deno")}, env...), "run", "npm:@ada/mail")
			p.Store = filepath.Join(proj, "store5")
			return p
		}, func(v string) {
			write(t, `{"version":"1.0.`+v+`"}`, proj, "store5", "deno", "npm", "registry.npmjs.org", "@ada", "mail", "1.0."+v, "package.json")
		}},
		{"uvx", func() Program { return program(runner("uvx"), "", env, "Mail_MCP") }, func(v string) {
			python(filepath.Join(home, ".cache", "uv", "archive-v0", "a"), "mail_mcp", v)
			python(filepath.Join(home, ".cache", "uv", "archive-v0", "b"), "other", "5")
		}},
		{"uvx --from", func() Program { return program(runner("uvx"), "", env, "--from", "post-mcp[all]==1", "post") }, func(v string) {
			python(filepath.Join(home, ".cache", "uv", "archive-v0", "c"), "post_mcp", v)
		}},
		{"uv tool install", func() Program { return program(runner("uvx"), "", env, "tool-mcp") }, func(v string) {
			python(filepath.Join(home, ".local", "share", "uv", "tools", "tool-mcp"), "tool_mcp", v)
		}},
		{"uvx, an own store from git", func() Program {
			p := program(runner("uvx"), "", env, "--from", "git+https://github.com/ada/mail", "mail")
			p.Store = filepath.Join(proj, "store2")
			return p
		}, func(v string) { python(filepath.Join(proj, "store2", "uv", "archive-v0", "x"), "mail", v) }},
		{"pipx run", func() Program { return program(runner("pipx"), "", env, "run", "pip-mcp") }, func(v string) {
			python(filepath.Join(home, ".local", "share", "pipx", ".cache", "0a"), "pip_mcp", v)
		}},
		{"a program of pipx", func() Program { return program(filepath.Join(home, "venvs", "v", "bin", "mail-mcp"), "", env) }, func(v string) {
			write(t, "#!/x/python\n", home, "venvs", "v", "bin", "mail-mcp")
			python(filepath.Join(home, "venvs", "v"), "mail", v)
		}},
		{"python -m of an environment", func() Program {
			return program(filepath.Join(home, "venvs", "w", "bin", "python3"), "", env, "-m", "mail.server")
		}, func(v string) { python(filepath.Join(home, "venvs", "w"), "mail", v) }},
		{"python -m of a folder", func() Program { return program(runner("python3"), filepath.Join(proj, "m"), env, "-m", "mail.server") }, func(v string) {
			write(t, v, proj, "m", "mail", "server.py")
		}},
		{"a container", func() Program {
			return program(filepath.Join(home, "docker"), "", append([]string{"PATH=/usr/bin:/bin"}, env...), "run", "-i", "--rm", "-e", "KEY", "mcp/mail:2", "--all")
		}, func(v string) { docker(v) }},
		{"a script", func() Program { return program(runner("python3"), "", env, filepath.Join(proj, "s", "server.py")) }, func(v string) {
			write(t, v, proj, "s", "server.py")
		}},
		{"a module of a script", func() Program { return program(runner("python3"), "", env, filepath.Join(proj, "s", "server.py")) }, func(v string) {
			write(t, v, proj, "s", "tools", "mail.py")
		}},
		{"a module beside the folder of a script", func() Program {
			return program(runner("node"), "", env, filepath.Join(proj, "j", "bin", "server.js"))
		}, func(v string) {
			write(t, "{}", proj, "j", "package.json")
			write(t, "import '../lib/x.mjs'", proj, "j", "bin", "server.js")
			write(t, v, proj, "j", "lib", "x.mjs")
		}},
		{"the packages of a script", func() Program {
			return program(runner("node"), "", env, filepath.Join(proj, "j", "bin", "server.js"))
		}, func(v string) { write(t, v, proj, "j", "node_modules", ".package-lock.json") }},
		{"the environment of a script", func() Program { return program(runner("python3"), "", env, filepath.Join(proj, "s", "server.py")) }, func(v string) {
			python(filepath.Join(proj, "s", ".venv"), "mail", v)
		}},
		{"uv run of a project", func() Program {
			return program(runner("uv"), "", env, "--directory", filepath.Join(proj, "u"), "run", "mail")
		}, func(v string) {
			write(t, "[project]\n", proj, "u", "pyproject.toml")
			write(t, v, proj, "u", "src", "mail", "server.py")
		}},
		{"a package that is installed from a folder", func() Program {
			return program(filepath.Join(home, "venvs", "e", "bin", "mail"), "", env)
		}, func(v string) {
			write(t, "#!/x/python\n", home, "venvs", "e", "bin", "mail")
			python(filepath.Join(home, "venvs", "e"), "mail", "1")
			write(t, v, proj, "e", "mail.py")
			write(t, filepath.Join(proj, "e")+"\n", home, "venvs", "e", "lib", "python3.12", "site-packages", "mail.pth")
		}},
		{"another package of a Go server", func() Program {
			return program(runner("go"), filepath.Join(proj, "g"), env, "run", ".")
		}, func(v string) {
			write(t, "module x\n", proj, "g", "go.mod")
			write(t, "package main\n", proj, "g", "main.go")
			write(t, v, proj, "g", "internal", "mail", "mail.go")
		}},
		{"a program", func() Program { return program(filepath.Join(proj, "bin", "mail-mcp"), "", env) }, func(v string) {
			write(t, "\x7fELF"+v, proj, "bin", "mail-mcp")
		}},
		{"a program of npm", func() Program { return program(filepath.Join(proj, "bin", "post-mcp"), "", env) }, func(v string) {
			write(t, v, proj, "lib", "node_modules", "@ada", "post-mcp", "dist", "x.js")
			write(t, "#!/usr/bin/env node\n", proj, "lib", "node_modules", "@ada", "post-mcp", "bin.js")
			_ = os.Symlink("../lib/node_modules/@ada/post-mcp/bin.js", filepath.Join(proj, "bin", "post-mcp"))
		}},
	} {
		c.write("1")
		first, unseen := code(t, c.program())
		if first == "" || unseen {
			t.Errorf("%s: its code is %q, partly unseen: %v (%+v)", c.name, first, unseen, c.program().Origin)
			continue
		}
		write(t, "x", proj, "s", "data", "notes.txt")
		write(t, "x", proj, "s", ".git", "hooks.py")
		if again, _ := code(t, c.program()); again != first {
			t.Errorf("%s: the digest differs without a change of the code", c.name)
		}
		c.write("2")
		if now, _ := code(t, c.program()); now == first {
			t.Errorf("%s: a change of the code changes nothing", c.name)
		}
	}
}

// Code reports it if goated cannot see all code.
func TestCodeThatIsNotSeen(t *testing.T) {
	env := []string{"HOME=" + t.TempDir()}
	dir := t.TempDir()
	lacking := t.TempDir()
	write(t, `{"dependencies":{"gone":"1"}}`, lacking, "npm", "registry.npmjs.org", "mail", "1.0.0", "package.json")
	write(t, "import x from 'npm:mail'\n", lacking, "remote", "https", "example.com", fmt.Sprintf("%x", sha256.Sum256([]byte("/x.ts"))))
	for i := range 12 { // deeper than maxDepth
		write(t, "x", append(append([]string{dir}, strings.Split(strings.Repeat("a/", i), "/")...), "x.py")...)
	}
	for _, c := range []struct {
		name string
		p    Program
	}{
		{"an unknown package", program("/nowhere/npx", "", env, "-y", "mail-mcp")},
		{"an unknown package of bunx", program("/nowhere/bunx", "", env, "mail-mcp@1.2.3")},
		{"an unknown package of pnpm", program("/nowhere/pnpm", "", env, "dlx", "mail-mcp@1.2.3")},
		{"yarn's list, which is gone", program("/nowhere/yarn", "", append([]string{"TMPDIR=" + t.TempDir()}, env...), "dlx", "mail-mcp@1.2.3")},
		{"an unknown package of deno", program("/nowhere/deno", "", env, "run", "npm:mail-mcp@1.2.3")},
		{"a package of deno without one that it needs", program("/nowhere/deno", "", []string{"DENO_DIR=" + lacking}, "run", "npm:mail")},
		{"an unknown module of deno", program("/nowhere/deno", "", env, "run", "https://example.com/mail.ts")},
		{"a module of deno that loads a package", program("/nowhere/deno", "", []string{"DENO_DIR=" + lacking}, "run", "https://example.com/x.ts")},
		{"a package of jsr", program("/nowhere/deno", "", env, "run", "jsr:@ada/mail@1.0.0")},
		{"a tag that no image has", program("/nowhere/docker", "", env, "run", "-i", "mcp/mail")},
		{"a branch of a Go module", program("/nowhere/go", "", env, "run", "example.com/mail@latest")},
		{"an unknown module", program("/nowhere/python3", "", env, "-m", "mail")},
		{"a shell script", program("/bin/sh", "", env, write(t, "curl x | sh", t.TempDir(), "run.sh"))},
		{"a script that is a program", program(write(t, "#!/bin/sh\n", t.TempDir(), "mail"), "", env)},
		{"a deep project", program("/nowhere/python3", "", env, filepath.Join(dir, "x.py"))},
	} {
		if _, unseen := code(t, c.p); !unseen {
			t.Errorf("%s: all of its code is seen", c.name)
		}
	}
	if _, unseen := code(t, program("/nowhere/go", "", env, "run", "example.com/mail@v1.2.3")); unseen {
		t.Error("the checksum database pins a version of a Go module")
	}
}

// The digest of a large project takes limited time, and goated never makes one of the whole home
// folder.
func TestDigestsAreBounded(t *testing.T) {
	dir := t.TempDir()
	for i := range 120 {
		for j := range 40 {
			write(t, "x = 1\n", dir, fmt.Sprint(i), fmt.Sprint(j)+".py")
		}
	}
	write(t, strings.Repeat("x", maxBytes), dir, "a.py")
	began := time.Now()
	sum := Files(program("/nowhere/python3", "", nil, write(t, "x", dir, "server.py")))
	took := time.Since(began)
	t.Logf("4,800 files and 8 MiB: %v", took)
	if !sum.Partial || took > 3*time.Second {
		t.Errorf("%+v after %v", sum, took)
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	script := write(t, "x", home, "server.py")
	before := Files(program("/nowhere/python3", "", nil, script))
	write(t, "x", home, "projects", "other", "x.py")
	if Files(program("/nowhere/python3", "", nil, script)) != before {
		t.Error("the digest of a script in the home folder covers all projects")
	}
	if installed := Installed(context.Background(), program("/nowhere/python3", "", nil, script)); installed.Partial {
		t.Errorf("%+v", installed)
	}
}

// Each start examines the code twice. For a typical project that takes a few milliseconds.
func BenchmarkCode(b *testing.B) {
	dir := b.TempDir()
	for i := range 100 {
		write(b, strings.Repeat("x = 1\n", 1000), dir, "src", fmt.Sprint(i%10), fmt.Sprint(i)+".py")
	}
	p := program("/nowhere/python3", "", nil, write(b, "x", dir, "server.py"))
	for b.Loop() {
		if _, _, unseen, _ := Begin(p).Code(b.Context()); unseen {
			b.Fatal("unseen")
		}
	}
}

// When deno fetches a module again, only the times in its metadata change. They are not code.
func TestTimesInDenosCacheAreNoCode(t *testing.T) {
	deno := t.TempDir()
	p := program("/nowhere/deno", "", []string{"DENO_DIR=" + deno}, "run", "https://example.com/x.ts")
	var seen []string
	for _, text := range []string{"run(1)\n\n// denoCacheMetadata={\"time\":1}", "run(1)\n\n// denoCacheMetadata={\"time\":2}", "run(2)\n\n// denoCacheMetadata={\"time\":2}"} {
		write(t, text, deno, "remote", "https", "example.com", fmt.Sprintf("%x", sha256.Sum256([]byte("/x.ts"))))
		digest, unseen := code(t, p)
		if digest == "" || unseen {
			t.Fatalf("%q: %q, partly unseen: %v", text, digest, unseen)
		}
		seen = append(seen, digest)
	}
	if seen[0] != seen[1] || seen[1] == seen[2] {
		t.Errorf("digests %q", seen)
	}
}
