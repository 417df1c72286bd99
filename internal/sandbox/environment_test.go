package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/proctest"
)

// A server may come with settings or links that declare any folder an installation. They must not
// open other projects.
func TestEnvironmentOpensNoProject(t *testing.T) {
	const python = ".local/share/uv/python/cpython-3.12"
	for name, marks := range map[string][]string{
		"an environment":  {"pyvenv.cfg", "bin/python3"},
		"Python":          {"lib/python3.12/os.py", "bin/python3"},
		"both":            {"pyvenv.cfg", "lib/python3.12/os.py", "bin/python3"},
		"node":            {"lib/node_modules/npm/x", "bin/python3"},
		"a Go project":    {"pkg/tool/main.go", "bin/python3"},
		"the user's own":  {".local/lib/python3.12/os.py", ".local/lib/node_modules/npm/x", ".local/pyvenv.cfg", ".local/bin/python3"},
		"no installation": {"bin/python3"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, how := range []string{"home", "python", "environment"} {
				files := []string{"srv/s.py", python + "/bin/python3", python + "/lib/python3.12/os.py", ".local/keys", ".local/share/keyrings/x", "work/.env", "work/src/secret.py"}
				project := "work"
				for _, mark := range marks {
					if strings.HasPrefix(mark, ".local/") {
						project = ".local"
						files = append(files, mark)
					} else {
						files = append(files, "work/"+mark)
					}
				}
				home := makeHome(t, files...)
				at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
				link := func(to, from string) {
					if err := os.MkdirAll(filepath.Dir(at(from)), 0o700); err != nil {
						t.Fatal(err)
					}
					if err := os.Symlink(at(to), at(from)); err != nil {
						t.Skip(err)
					}
				}
				command := "srv/.venv/bin/python3"
				switch how {
				case "home":
					link(python+"/bin/python3", command)
					if err := os.WriteFile(at("srv/.venv/pyvenv.cfg"), []byte("home = "+at(project+"/bin")+"\n"), 0o600); err != nil {
						t.Fatal(err)
					}
				case "python":
					link(project+"/bin/python3", command)
				case "environment":
					link(project, "srv/.venv")
				}
				p := For(at(command), at("srv/s.py"), at("data"), nil)
				p.Read, p.System = resolved(p.Read), resolved(p.System)
				for _, path := range []string{"work/.env", "work/src/secret.py", ".local/keys", ".local/share/keyrings/x"} {
					if p.reads(at(path)) {
						t.Errorf("by its %s the server reads %s: %q, %q", how, path, p.Read, p.System)
					}
				}
			}
		})
	}
}

// Virtual environments find the interpreter's libraries in the layouts of common tools, through
// their links.
func TestEnvironmentsFindTheirInterpreters(t *testing.T) {
	for name, tt := range map[string]struct{ installed, link, home string }{
		"pyenv":            {installed: ".pyenv/versions/3.12.7", home: ".pyenv/versions/3.12.7/bin"},
		"uv":               {installed: ".local/share/uv/python/cpython-3.12.7", link: ".local/share/uv/python/cpython-3.12", home: ".local/share/uv/python/cpython-3.12/bin"},
		"mise":             {installed: ".local/share/mise/installs/python/3.12.7", link: ".local/share/mise/installs/python/3.12", home: ".local/share/mise/installs/python/3.12/bin"},
		"built by oneself": {installed: "tools/python", home: "tools/python/bin"},
		"on another disk":  {installed: "disk/pyenv/versions/3.12.7", link: ".pyenv/versions/3.12.7", home: ".pyenv/versions/3.12.7/bin"},
	} {
		home := makeHome(t, tt.installed+"/bin/python3.12", tt.installed+"/lib/python3.12/os.py", tt.installed+"/lib/libpython3.so", "proj/s.py", "proj/.venv/lib/python3.12/site-packages/x.py")
		at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
		links := [][2]string{{tt.home + "/python3.12", "proj/.venv/bin/python3"}}
		if tt.link != "" {
			links = append(links, [2]string{tt.installed, tt.link})
		}
		for _, l := range links {
			if err := os.MkdirAll(filepath.Dir(at(l[1])), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(at(l[0]), at(l[1])); err != nil {
				t.Skip(err)
			}
		}
		if err := os.WriteFile(at("proj/.venv/pyvenv.cfg"), []byte("home = "+at(tt.home)+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		p := For(at("proj/.venv/bin/python3"), at("proj/s.py"), at("data"), nil)
		for _, path := range []string{tt.installed + "/bin/python3.12", tt.installed + "/lib/python3.12/os.py", tt.installed + "/lib/libpython3.so", "proj/.venv/lib/python3.12/site-packages/x.py"} {
			if !p.reads(at(path)) {
				t.Errorf("%s: the server does not read %s: %q", name, path, p.System)
			}
		}
	}
}

// A virtual environment created by Python runs in the sandbox with its libraries and its
// interpreter's libraries, both beside the script and through a link.
func TestVirtualEnvironmentRuns(t *testing.T) {
	if s := Probe(); !s.Confined() {
		t.Skip(s)
	}
	home := makeHome(t, "proj/s.py", "linked/s.py")
	at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
	var pythons []string
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		if path, err := exec.LookPath(name); err == nil {
			pythons = append(pythons, path)
		}
	}
	if len(pythons) == 0 {
		t.Skip("Python is not installed")
	}
	if err := os.Symlink(at("proj/.venv"), at("linked/.venv")); err != nil {
		t.Fatal(err)
	}
	for _, python := range pythons {
		for _, links := range []string{"--symlinks", "--copies"} {
			if err := os.RemoveAll(at("proj/.venv")); err != nil {
				t.Fatal(err)
			}
			if output, err := exec.Command(python, "-m", "venv", "--without-pip", links, at("proj/.venv")).CombinedOutput(); err != nil {
				t.Skipf("%v: %s", err, output)
			}
			found, err := filepath.Glob(at("proj/.venv/lib/python3*/site-packages"))
			if err != nil || len(found) != 1 {
				t.Fatal(found, err)
			}
			if err := os.WriteFile(filepath.Join(found[0], "brought.py"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			for _, dir := range []string{"proj", "linked"} {
				program := at(dir + "/.venv/bin/python3")
				cmd := exec.Command(program, "-c", "import ssl, json, ctypes, brought")
				cmd.Dir = at(dir)
				var output strings.Builder
				cmd.Stdout, cmd.Stderr = &output, &output
				s, err := Start(cmd, For(program, at(dir+"/s.py"), at("data"), nil), nil)
				if err != nil {
					t.Fatal(err)
				}
				if err := cmd.Wait(); err != nil {
					t.Errorf("%s, %s, in %s: %v: %s", python, links, dir, err, output.String())
				}
				s.Close()
			}
		}
	}
}

// A script that runs as a program, with "#!/usr/bin/env python3", starts in the environment that the
// user activated. Its Python used to stop at once, because it could not read pyvenv.cfg. The first
// line comes with the server, so it does not open an environment that is not in PATH.
func TestAScriptRunsInTheActiveEnvironment(t *testing.T) {
	for line, want := range map[string]bool{"#!/usr/bin/env python3": true, "#!HOME/work/venv/bin/python3": true, "#!HOME/other/venv/bin/python3": false} {
		home := makeHome(t, "srv/weather", "work/venv/pyvenv.cfg", "work/venv/bin/python3", "other/venv/pyvenv.cfg", "other/venv/bin/python3")
		at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
		if err := proctest.WriteProgram(at("srv/weather"), []byte(strings.ReplaceAll(line, "HOME", home)+"\n")); err != nil {
			t.Fatal(err)
		}
		p := For(at("srv/weather"), at("srv/weather"), at("data"), []string{"PATH=" + at("work/venv/bin")})
		if got := p.reads(at("work/venv/pyvenv.cfg")); got != want {
			t.Errorf("%s: it reads the active environment: %v", line, got)
		}
		if p.reads(at("other/venv/pyvenv.cfg")) {
			t.Errorf("%s: it reads another environment", line)
		}
	}
}
