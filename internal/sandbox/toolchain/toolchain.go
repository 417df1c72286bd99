// Package toolchain knows where version managers and package managers install interpreters below the home
// folder, and how to recognize an installation. It must not know rules or servers.
package toolchain

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// Environment is the file that marks a virtual environment.
const Environment = "pyvenv.cfg"

// Python reports whether a folder has the mark of an installed Python.
func Python(prefix string) bool { return marked(prefix, "lib*/python3*/os.py", "lib*/pypy3*/os.py") }

// Go reports whether a folder has the mark of an installed Go.
func Go(prefix string) bool { return marked(prefix, "pkg/tool/*/compile") }

// Installed reports whether a folder has the mark of an installed Python or Node, or of a virtual
// environment.
func Installed(prefix string) bool {
	return Python(prefix) || marked(prefix, Environment, "lib/node_modules/npm")
}

// marked reports whether a folder has one of the marks of an installed interpreter. Links and
// settings that come with a server could point to any folder.
func marked(prefix string, marks ...string) bool {
	for _, mark := range marks {
		if found, _ := fs.Glob(os.DirFS(prefix), mark); len(found) > 0 { // the pattern is well formed
			return true
		}
	}
	return false
}

// Managers returns the folders of tools that install interpreters.
func Managers(home string) []string {
	var out []string
	for _, dir := range []string{
		".pyenv", ".nvm", ".asdf", ".volta", ".nodenv", ".rye", ".fnm", ".bun", ".local/share/mise", ".local/share/fnm", ".local/share/uv",
		".local/share/pipx", ".local/share/rtx", ".cache/uv", ".npm/_npx", "miniconda3", "anaconda3", "miniforge3",
	} {
		out = append(out, filepath.Join(home, filepath.FromSlash(dir)))
	}
	return out
}

// Folders are folders below the home folder with installed interpreters and programs. Unlike
// the folders around them, they contain no settings and no credentials.
var Folders = []string{
	".pyenv/versions", ".pyenv/shims", ".pyenv/libexec", ".pyenv/bin", ".pyenv/version", ".pyenv/plugins", ".pyenv/completions", ".pyenv/src", ".pyenv/pyenv.d",
	".nvm/versions", ".nvm/alias", ".nvm/nvm.sh", ".nvm/nvm-exec", ".volta/bin", ".volta/tools", ".volta/hooks.json", ".asdf/installs", ".asdf/shims", ".asdf/bin", ".asdf/lib",
	".asdf/plugins", ".nodenv/versions", ".nodenv/shims", ".nodenv/libexec", ".nodenv/bin", ".nodenv/version", ".rbenv/versions", ".rbenv/shims", ".rbenv/libexec",
	".rye/py", ".rye/shims", ".rye/tools", ".rye/uv", ".fnm/node-versions", ".fnm/aliases", ".bun/bin", ".deno/bin", ".sdkman/candidates",
	".local/share/mise/installs", ".local/share/mise/shims", ".local/share/fnm/node-versions", ".local/share/fnm/aliases",
	".local/share/uv/python", ".local/share/uv/tools", ".local/share/pipx/venvs", ".local/share/pipx/shared", ".local/pipx/venvs", ".local/share/pnpm/global", ".local/share/pnpm/nodejs",
	".local/lib/node_modules", ".npm-global/lib", ".npm-packages/lib", ".config/yarn/global/node_modules", ".local/share/rtx/installs",
	"miniconda3/bin", "miniconda3/lib", "anaconda3/bin", "anaconda3/lib", "miniforge3/bin", "miniforge3/lib",
}

// Installations match the folders below the home folder in which version managers keep an interpreter
// or an environment each.
var Installations = []string{
	".pyenv/versions/*", ".nodenv/versions/*", ".nvm/versions/node/*", ".asdf/installs/*/*", ".volta/tools/image/*/*",
	".local/share/mise/installs/*/*", ".local/share/rtx/installs/*/*", ".fnm/node-versions/*/installation", ".local/share/fnm/node-versions/*/installation",
	".local/share/uv/python/*", ".local/share/uv/tools/*", ".local/share/pipx/venvs/*", ".local/pipx/venvs/*", ".rye/py/*", ".rye/tools/*",
	"miniconda3", "miniconda3/envs/*", "anaconda3", "anaconda3/envs/*", "miniforge3", "miniforge3/envs/*",
}

// OnlyInstalled reports whether a folder holds installations, or none yet, and nothing else of the user.
func OnlyInstalled(dir string) bool {
	entries, err := os.ReadDir(dir)
	return err == nil && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		switch name := e.Name(); {
		case name == ".lock" || name == ".gitignore" || name == ".temp" || e.Type()&fs.ModeSymlink != 0:
			return false
		default:
			return !e.IsDir() || !Installed(filepath.Join(dir, name))
		}
	})
}
