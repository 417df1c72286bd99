package sandbox

import (
	"os"
	"path/filepath"
	"testing"
)

// Version managers find an installation on another disk by a link of the user. Its interpreter was
// refused. Such a link opens only the parts of an installation, wherever it leads.
func TestInstallationsBehindLinks(t *testing.T) {
	const python, node = "lib/python3.12/os.py", "lib/node_modules/npm/x"
	for link, tt := range map[string]struct {
		to, mark string
		opens    bool
	}{
		".pyenv/versions/3.12.7":                    {"disk/py", python, true},
		".nvm/versions/node/v20":                    {"disk/node", node, true},
		".asdf/installs/python/3.12.7":              {"disk/py", python, true},
		".local/share/mise/installs/node/22":        {"disk/node", node, true},
		".volta/tools/image/node/20.1.0":            {"disk/node", node, true},
		".local/share/uv/tools/fs":                  {"disk/env", "pyvenv.cfg", true},
		".local/share/pipx/venvs/fs":                {"disk/env", "pyvenv.cfg", true},
		".local/share/uv/python/cpython-3.12":       {"disk/py", python, true},
		"miniconda3":                                {"disk/conda", python, true},
		"miniconda3/envs/fs":                        {"disk/conda", python, true},
		".fnm/node-versions/v20/installation":       {"disk/node", node, true},
		".pyenv/versions/planted":                   {"work", "main.py", false},
		".local/share/mise/installs/python/planted": {".ssh", "id", false},
		".local/share/uv/tools/planted":             {"", "pyvenv.cfg", false},
		".local/share/pipx/venvs2":                  {"work", python, false}, // not where pipx has its environments
	} {
		home := makeHome(t, filepath.Join(tt.to, tt.mark), filepath.Join(tt.to, "bin/python3"), filepath.Join(tt.to, "secret"), "work/.env")
		at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
		if err := os.MkdirAll(filepath.Dir(at(link)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(at(tt.to), at(link)); err != nil {
			t.Skip(err)
		}
		p := ForCommand("/bin/sh", at("data"), nil)
		p.System = resolved(p.System)
		if got := p.reads(at(tt.to + "/bin/python3")); got != tt.opens {
			t.Errorf("%s: the server runs its program: %t: %q", link, got, p.System)
		}
		if p.reads(at(tt.to+"/secret")) || p.reads(at("work/.env")) {
			t.Errorf("%s: the server reads other files: %q", link, p.System)
		}
	}
}

// uv lists the folder of its interpreters, and gave up if that is on another disk. A link to it opens the
// folder only if it holds nothing else.
func TestTheFolderOfInstallationsBehindALink(t *testing.T) {
	for name, tt := range map[string]struct {
		files []string
		want  bool
	}{
		"Pythons":          {[]string{"disk/cpython-3.12/lib/python3.12/os.py", "disk/.lock"}, true},
		"nothing yet":      {[]string{"disk/.lock"}, true},
		"a file beside it": {[]string{"disk/cpython-3.12/lib/python3.12/os.py", "disk/notes"}, false},
		"a project":        {[]string{"disk/cpython-3.12/lib/python3.12/os.py", "disk/work/main.py"}, false},
		"settings":         {[]string{"disk/cpython-3.12/lib/python3.12/os.py", "disk/.env"}, false},
	} {
		home := makeHome(t, append(tt.files, ".local/share/x")...)
		at := func(name string) string { return filepath.Join(home, filepath.FromSlash(name)) }
		if err := os.MkdirAll(at(".local/share/uv"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(at("disk"), at(".local/share/uv/python")); err != nil {
			t.Skip(err)
		}
		p := ForCommand("/bin/sh", at("data"), nil)
		if got := p.reads(at("disk")); got != tt.want {
			t.Errorf("%s: uv lists the folder: %t: %q", name, got, p.System)
		}
	}
}
