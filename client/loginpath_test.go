//go:build unix

package client_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"goated/client"
	"goated/client/internal/searchpath"
	"goated/internal/servertest"
)

// A versionManager describes how a version manager is set up in a home folder according to its
// manual.
type versionManager struct {
	name    string
	profile string            // what the user adds to the shell's profile
	files   map[string]string // executable files in the home folder
	bin     string            // where its programs are
	older   string            // where the programs of an earlier version are
	shell   string            // the first folder in the shell's PATH; empty: the shell does not set one
	alone   bool              // goated finds it even without a shell
}

var versionManagers = []versionManager{
	{
		name:    "nvm",
		profile: `export NVM_DIR="$HOME/.nvm"` + "\n" + `[ -s "$NVM_DIR/nvm.sh" ] && \. "$NVM_DIR/nvm.sh"`,
		files:   map[string]string{".nvm/nvm.sh": `nvm() { PATH="$NVM_DIR/versions/node/$1/bin:$PATH"; }; nvm v9.9.0`},
		bin:     ".nvm/versions/node/v22.1.0/bin", older: ".nvm/versions/node/v9.9.0/bin",
		shell: ".nvm/versions/node/v9.9.0/bin", alone: true, // the shell reports the version in use
	},
	{
		name:    "volta",
		profile: `export VOLTA_HOME="$HOME/.volta"` + "\n" + `export PATH="$VOLTA_HOME/bin:$PATH"`,
		bin:     ".volta/bin", shell: ".volta/bin", alone: true,
	},
	{
		name:    "pyenv",
		profile: `export PYENV_ROOT="$HOME/.pyenv"` + "\n" + `[[ -d $PYENV_ROOT/bin ]] && export PATH="$PYENV_ROOT/bin:$PATH"` + "\n" + `eval "$(pyenv init - bash)"`,
		files:   map[string]string{".pyenv/bin/pyenv": "#!/bin/sh\n" + `echo 'export PATH="$PYENV_ROOT/shims:$PATH"'`},
		bin:     ".pyenv/shims", shell: ".pyenv/shims", alone: true,
	},
	{
		name: "pyenv without shims",
		bin:  ".pyenv/versions/3.12.4/bin", older: ".pyenv/versions/3.9.18/bin", alone: true,
	},
	{
		name:    "asdf",
		profile: `. "$HOME/.asdf/asdf.sh"`,
		files:   map[string]string{".asdf/asdf.sh": `export PATH="$HOME/.asdf/bin:$HOME/.asdf/shims:$PATH"`},
		bin:     ".asdf/shims", shell: ".asdf/bin", alone: true,
	},
	{
		name:    "mise", // sets the PATH at each prompt, but there is no prompt
		profile: `eval "$(~/.local/bin/mise activate bash)"`,
		files:   map[string]string{".local/bin/mise": "#!/bin/sh\n" + `echo '_mise_hook() { export PATH="$HOME/.local/share/mise/installs/node/24.2.0/bin:$PATH"; }; PROMPT_COMMAND=_mise_hook'`},
		bin:     ".local/share/mise/installs/node/24.2.0/bin", older: ".local/share/mise/installs/node/9.11.2/bin", alone: true,
	},
	{
		name:    "mise with shims",
		profile: `eval "$(~/.local/bin/mise activate bash --shims)"`,
		files:   map[string]string{".local/bin/mise": "#!/bin/sh\n" + `echo 'export PATH="$HOME/.local/share/mise/shims:$PATH"'`},
		bin:     ".local/share/mise/shims", shell: ".local/share/mise/shims", alone: true,
	},
	{
		name:    "fnm", // has a separate folder for each shell
		profile: `eval "$($HOME/.local/share/fnm/fnm env)"`,
		files:   map[string]string{".local/share/fnm/fnm": "#!/bin/sh\n" + `echo "export PATH=\"$HOME/.local/state/fnm_multishells/$$/bin:\$PATH\""`},
		bin:     ".local/share/fnm/node-versions/v22.1.0/installation/bin", older: ".local/share/fnm/node-versions/v9.9.0/installation/bin", alone: true,
	},
	{
		name:    "homebrew in a folder of the user's",
		profile: `eval "$($HOME/homebrew/bin/brew shellenv)"`,
		files:   map[string]string{"homebrew/bin/brew": "#!/bin/sh\n" + `echo 'export HOMEBREW_PREFIX="$HOME/homebrew"; export PATH="$HOME/homebrew/bin:$HOME/homebrew/sbin:$PATH"'`},
		bin:     "homebrew/bin", shell: "homebrew/bin",
	},
}

// goated finds the programs that each version manager has put into a home folder. It uses the
// login shell as the user has set it up. If the shell does not list the programs, it finds them
// by itself.
func TestVersionManagers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("login shells of many homes; TestLoginPath goes the same way")
	}
	const bash = "/bin/bash"
	if _, err := os.Stat(bash); err != nil {
		t.Skip(err)
	}
	programs, modules := servertest.Programs(t)
	node := filepath.Join(filepath.SplitList(programs)[1], "node")
	for _, m := range versionManagers {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			for _, dir := range []string{m.bin, m.older} {
				if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			for name, text := range m.files {
				path := filepath.Join(home, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				write(t, path, []byte(text+"\n"))
			}
			if err := os.WriteFile(filepath.Join(home, ".bash_profile"), []byte(m.profile+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			at := func(dir string) string { return filepath.Join(home, filepath.FromSlash(dir)) }
			got := filepath.SplitList(searchpath.Login(t.Context(), []string{"HOME=" + home, "SHELL=" + bash, "PATH=/usr/bin:/bin"}))
			if m.shell != "" && got[0] != at(m.shell) {
				t.Errorf("the shell has %q", got)
			}
			if !slices.Contains(got, at(m.bin)) {
				t.Errorf("with a shell: %q", got)
			}
			got = filepath.SplitList(searchpath.Login(t.Context(), []string{"HOME=" + home, "SHELL=/usr/bin/nu", "PATH=/usr/bin:/bin"}))
			if slices.Contains(got, at(m.bin)) != m.alone || m.older != "" && slices.Contains(got, at(m.older)) {
				t.Errorf("without: %q", got)
			}

			// A program in that folder runs a server.
			if err := os.Symlink(node, at(m.bin+"/node")); err != nil {
				t.Fatal(err)
			}
			if m.shell != "" && m.shell != m.bin && m.shell == m.older {
				if err := os.Symlink(node, at(m.shell+"/node")); err != nil {
					t.Fatal(err)
				}
			}
			h := host(t, client.Options{Process: client.ProcessOptions{LoginPath: true}, Env: []string{"PATH=/nowhere", "HOME=" + home, "SHELL=" + bash, "NODE_PATH=" + modules}})
			connect(t, h, client.Config{Path: servertest.Dice()})
			for _, v := range h.Environment("dice") {
				if v.Name == "PATH" && !strings.Contains(v.Value, at(m.bin)) {
					t.Errorf("the server's PATH is %q", v.Value)
				}
			}
		})
	}
}
