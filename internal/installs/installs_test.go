package installs

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func write(t *testing.T, text string, names ...string) string {
	t.Helper()
	file := filepath.Join(names...)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestRegistries(t *testing.T) {
	for name, test := range map[string]struct {
		files map[string]string
		env   []string
		want  []string
	}{
		"nothing configured": {nil, nil, []string{"registry.npmjs.org", "pypi.org", "files.pythonhosted.org"}},
		"by variables": {nil, []string{"npm_config_registry=https://npm.example.org:8443/", "PIP_INDEX_URL=https://py.example.org/simple", "UV_EXTRA_INDEX_URL=https://more.example.org/a https://pypi.org/simple"},
			[]string{"npm.example.org:8443", "py.example.org", "more.example.org", "pypi.org"}},
		"by files": {map[string]string{
			".npmrc":               "; mine\nregistry=https://npm.example.org/\n@team:registry = https://team.example.org/\n//npm.example.org/:_authToken=secret\n",
			".config/pip/pip.conf": "[global]\nindex-url = https://py.example.org/simple\nextra-index-url =\n    https://more.example.org/simple\n    https://other.example.org/simple\n",
			".config/uv/uv.toml":   "[[index]]\nurl = \"https://uv.example.org/simple\"\ndefault = true\n",
		}, nil, []string{"team.example.org", "npm.example.org", "more.example.org", "other.example.org", "uv.example.org", "py.example.org"}},
		"lines with = continue a value of pip": {map[string]string{
			".config/pip/pip.conf": "[global]\nINDEX_URL: https://py.example.org/simple\nfind-links =\n    https://links.example.org/?a=b\n\n    # ours\n    https://more.example.org/\n    index-url=https://no.example.org/\n" +
				"[install]\n  extra-index-url = https://extra.example.org/\n",
		}, nil, []string{"registry.npmjs.org", "links.example.org", "more.example.org", "extra.example.org", "py.example.org"}},
		"indented lines are settings of npm and uv": {map[string]string{
			".npmrc": "strict-ssl=true\n  registry=https://npm.example.org/\n", ".config/uv/uv.toml": "[[index]]\n  default = true\n    url = \"https://uv.example.org/simple\"\n",
		}, nil, []string{"npm.example.org", "uv.example.org", "pypi.org", "files.pythonhosted.org"}},
		"no hosts": {map[string]string{".npmrc": "registry=file:///etc/passwd\n"}, []string{"PIP_INDEX_URL=/opt/wheels", "UV_INDEX=mine=https://mine.example.org/simple"}, []string{"mine.example.org"}},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			for file, text := range test.files {
				write(t, text, home, file)
			}
			if got := Registries(test.env, home); !slices.Equal(got, test.want) {
				t.Errorf("registries %q, want %q", got, test.want)
			}
		})
	}
}

// A copy keeps a value of several lines complete. A program without configuration gets an empty
// copy.
func TestCopiesOfPip(t *testing.T) {
	home, folder := t.TempDir(), t.TempDir()
	write(t, "[global]\nfind-links =\n    https://links.example.org/?a=b\n    https://more.example.org/\n", home, ".config", "pip", "pip.conf")
	if _, err := Copies(t.Context(), folder, nil, home); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(folder, "pip.conf"))
	if want := "find-links = \n    https://links.example.org/?a=b\n    https://more.example.org/\n"; err != nil || !strings.Contains(string(text), want) {
		t.Errorf("pip gets %q, %v", text, err)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "npmrc")); err != nil || len(text) > 0 {
		t.Errorf("npm gets %q, %v", text, err)
	}
}

// Copies contain what programs need, but neither tokens nor programs to run.
func TestCopiesHoldNoSecrets(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	home, folder := t.TempDir(), filepath.Join(t.TempDir(), "config")
	write(t, "registry=https://npm.example.org/\n//npm.example.org/:_authToken=SECRET\n_password=SECRET\n@a:registry=https://me:SECRET@npm.example.org/\nstrict-ssl=false\n", home, ".npmrc")
	write(t, "[global]\nindex-url = https://me:SECRET@py.example.org/simple\ntrusted-host = py.example.org\n", home, ".config", "pip", "pip.conf")
	write(t, "[user]\n\tname = Ann \\\"Q\\\" \\\\ Lee\n\temail = ann@example.org\n[init]\n\tdefaultBranch = main\n[branch \"a.b \\\"c\"]\n\tremote = up\n"+
		"[http]\n\textraHeader = Authorization: SECRET\n[credential]\n\thelper = store --file SECRET\n[alias]\n\tx = !SECRET\n[diff]\n\texternal = SECRET\n[url \"https://SECRET@h/\"]\n\tinsteadOf = h:\n[core]\n\tsshCommand = SECRET\n[merge \"m\"]\n\tdriver = SECRET\n[include]\n\tpath = SECRET\n", home, ".gitconfig")
	variables, err := Copies(t.Context(), folder, nil, home)
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string]string)
	for _, v := range variables {
		name, file, _ := strings.Cut(v, "=")
		if name == "PUPPETEER_SKIP_DOWNLOAD" {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil || filepath.Dir(file) != folder {
			t.Fatal(file, err)
		}
		if texts[name] = string(text); strings.Contains(string(text), "SECRET") {
			t.Errorf("%s holds a secret:\n%s", name, text)
		}
	}
	if want := "registry=https://npm.example.org/\nstrict-ssl=false\n"; texts["npm_config_userconfig"] != want {
		t.Errorf("npm gets %q", texts["npm_config_userconfig"])
	}
	if want := "[global]\ntrusted-host = py.example.org\n"; !strings.HasPrefix(texts["PIP_CONFIG_FILE"], want) { // /etc/pip.conf may add to it
		t.Errorf("pip gets %q", texts["PIP_CONFIG_FILE"])
	}
	for key, want := range map[string]string{"user.name": `Ann "Q" \ Lee`, "user.email": "ann@example.org", "init.defaultBranch": "main", `branch.a.b "c.remote`: "up"} {
		got, err := exec.Command("git", "config", "--file", filepath.Join(folder, "gitconfig"), key).Output()
		if strings.TrimSpace(string(got)) != want {
			t.Errorf("git reads %s as %q, want %q: %v", key, got, want, err)
		}
	}
	// A second start does not rewrite complete files.
	before, _ := os.Stat(filepath.Join(folder, "gitconfig"))
	if _, err := Copies(t.Context(), folder, nil, home); err != nil {
		t.Fatal(err)
	}
	if after, _ := os.Stat(filepath.Join(folder, "gitconfig")); !os.SameFile(before, after) {
		t.Error("an unchanged copy was written again")
	}
}

func TestInheritedHoldsNoPasswords(t *testing.T) {
	got := Inherited([]string{"npm_config_registry=https://npm.example.org", "PIP_INDEX_URL=https://me:SECRET@py.example.org", "NPM_TOKEN=SECRET", "UV_NATIVE_TLS=1", "npm_config__auth=SECRET"})
	if want := []string{"npm_config_registry=https://npm.example.org", "UV_NATIVE_TLS=1"}; !slices.Equal(got, want) {
		t.Errorf("inherited %q, want %q", got, want)
	}
}

// Repair removes an incomplete installation, and the mark with which its next start would get only
// little time. npx's downloads stay.
func TestDiscard(t *testing.T) {
	folder := t.TempDir()
	store := filepath.Join(folder, "packages")
	gone := []string{write(t, "x", store, "npm", "_npx", "e54c", "package.json"), write(t, "", folder, Mark)}
	stays := write(t, "x", store, "npm", "_cacache", "index")
	if err := discard(store); err != nil {
		t.Fatal(err)
	}
	for _, file := range gone {
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s is still there", file)
		}
	}
	if _, err := os.Stat(stays); err != nil {
		t.Error(err)
	}
	if err := discard(store); err != nil {
		t.Errorf("without one: %v", err)
	}
}

// Package managers write everything below the store.
func TestEnvironmentStaysInTheStore(t *testing.T) {
	values := make(map[string]string)
	for _, kv := range Environment("/store", t.TempDir()) {
		name, value, _ := strings.Cut(kv, "=")
		values[name] = value
		if strings.Contains(value, "/") && !strings.HasPrefix(value, "/store/") {
			t.Errorf("%s is elsewhere", kv)
		}
	}
	for _, name := range []string{"npm_config_cache", "YARN_CACHE_FOLDER", "BUN_INSTALL_CACHE_DIR", "DENO_DIR", "UV_CACHE_DIR", "PIP_CACHE_DIR", "PIPX_HOME"} {
		if !strings.HasPrefix(values[name], "/store/") {
			t.Errorf("%s is %q, which is not below the store", name, values[name])
		}
	}
}

// uv may download a missing Python as part of an installation. npm does not.
func TestPythons(t *testing.T) {
	for _, c := range []struct {
		program string
		env     []string
		want    []string
	}{
		{"uvx", nil, []string{"releases.astral.sh"}},
		{"/opt/uv/uv", nil, []string{"releases.astral.sh"}},
		{"uv.exe", []string{"UV_PYTHON_INSTALL_MIRROR=https://mirror.example:8443/python"}, []string{"mirror.example:8443"}},
		{"uvx", []string{"UV_PYTHON_INSTALL_MIRROR=file:///srv/python"}, nil},
		{"npx", nil, nil},
		{"", nil, nil},
	} {
		if got := Pythons(c.program, c.env); !slices.Equal(got, c.want) {
			t.Errorf("%s with %q downloads Python from %q, want %q", c.program, c.env, got, c.want)
		}
	}
}
