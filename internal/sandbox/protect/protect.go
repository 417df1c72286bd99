// Package protect says which files of a folder other programs of the user run or obey, so
// that a server that may write the folder still must not write them.
//
// It knows names, and reads no file. The code that enforces a [Guard] passes it paths without
// links.
package protect

import (
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/paths"
)

// Project are protected files and folders of projects, at any depth of a writable folder. Of .git it
// has what makes git run programs, or sends it to another .git. A file named like the
// beginning of one of them, such as .git, is protected too.
var Project = []string{
	".git/hooks", ".git/config", ".git/config.worktree", ".git/commondir", ".git/modules", ".git/worktrees",
	".envrc", ".direnv", "mise.toml", "mise.local.toml", ".mise.toml", ".mise.local.toml", ".mise", ".config/mise",
	".vscode", ".idea", ".devcontainer", ".zed", ".cursor", ".fleet", ".exrc", ".nvimrc", ".nvim.lua", ".lvimrc",
	".mcp.json", ".claude", ".gemini", ".codex", ".windsurf", ".kiro", ".continue",
	"opencode.json", "opencode.jsonc", ".opencode", ".qwen", ".roo", ".amazonq", ".factory", ".trae", // programs with a model start servers and hooks from these
	".cargo/config", ".cargo/config.toml", ".npmrc", ".yarnrc", ".yarnrc.yml", ".yarn/releases", ".yarn/plugins", ".pnpmfile.cjs",
	".husky", ".githooks", ".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml", "lefthook-local.yml", ".lefthook.yml", ".lefthook", ".overcommit.yml",
	"node_modules/.bin", ".venv/bin", "venv/bin", "env/bin",
}

// Home are the files and folders of a home folder that start programs.
var Home = []string{
	".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".bash_functions", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout",
	".kshrc", ".cshrc", ".tcshrc", ".login", ".xprofile", ".xsessionrc", ".xinitrc", ".xsession", ".Xresources", ".pam_environment", ".inputrc", ".oh-my-zsh", ".zsh",
	".gitconfig", ".config/git", ".vimrc", ".gvimrc", ".vim", ".config/nvim", ".emacs", ".emacs.d", ".config/emacs", ".tmux.conf", ".config/tmux", ".screenrc",
	".config/Code", ".config/VSCodium", ".vscode", ".vscode-server", ".config/Cursor", ".cursor", ".config/zed", ".config/JetBrains", ".config/sublime-text",
	".config/alacritty", ".config/kitty", ".config/wezterm", ".config/i3", ".config/sway", ".config/hypr", ".config/starship.toml", ".config/direnv", ".config/mise",
	".config/autostart", ".config/systemd", ".config/environment.d", ".config/fish", ".config/plasma-workspace", ".local/bin", "bin", ".local/share/applications",
	".local/share/systemd", ".local/share/dbus-1", ".local/share/gnome-shell", ".local/share/nautilus/scripts",
	".pyenv/shims", ".pyenv/bin", ".rbenv/shims", ".asdf/shims", ".local/share/mise/shims", ".nvm", ".volta", ".nodenv", ".sdkman", ".cargo/bin", ".cargo/config.toml",
	"go/bin", ".go/bin", ".deno/bin", ".bun/bin", ".local/pipx", ".local/share/pipx", ".local/share/uv", ".npm-global", ".gem", ".pythonrc", ".pythonrc.py", ".gdbinit", ".lldbinit",
	"Library/LaunchAgents", "AppData/Roaming/Microsoft/Windows/Start Menu",
}

// Fixed returns the protected paths of a user, which do not depend on the writable folder:
// start-up files in the home folder, the folders of a search path, and cron.
func Fixed(home, search string) []string {
	out := []string{"/etc", "/var/spool/cron"}
	if filepath.IsAbs(home) {
		for _, name := range Home {
			out = append(out, filepath.Join(home, filepath.FromSlash(name)))
		}
	}
	for _, dir := range filepath.SplitList(search) {
		if filepath.IsAbs(dir) {
			out = append(out, filepath.Clean(dir))
		}
	}
	return out
}

// A Guard protects files in writable folders. It is immutable.
type Guard struct {
	Folders []string // the writable folders in which files are protected
	Named   []string // other files and folders that the user or goated allowed by name
	Fixed   []string // protected paths, see [Fixed]
}

// Covers reports whether a path is in a folder of g, and not in another one that is
// allowed by name.
func (g *Guard) Covers(path string) bool {
	root, guarded := g.root(path)
	return root != "" && guarded
}

// Allows reports whether a path is in any writable folder and not protected.
func (g *Guard) Allows(path string) bool {
	root, guarded := g.root(path)
	return root != "" && (!guarded || !g.Protects(path))
}

// root returns the nearest allowed path around a path, and whether it is a folder of g.
func (g *Guard) root(path string) (root string, guarded bool) {
	for _, dir := range g.Named {
		if paths.Within(path, dir) && len(dir) > len(root) {
			root = dir
		}
	}
	for _, dir := range g.Folders {
		if paths.Within(path, dir) && len(dir) >= len(root) {
			root, guarded = dir, true
		}
	}
	return root, guarded
}

// Protects reports whether a path that g covers is protected.
func (g *Guard) Protects(path string) bool {
	root, _ := g.root(path)
	for _, fixed := range g.Fixed {
		if paths.Within(path, fixed) && !paths.Within(root, fixed) {
			return true
		}
	}
	parts := split(root, path)
	return slices.ContainsFunc(Project, func(name string) bool {
		want := strings.Split(name, "/")
		for i := 0; i+len(want) <= len(parts); i++ {
			if equal(parts[i:i+len(want)], want) {
				return true
			}
		}
		return false
	})
}

// Leads reports whether protected files can be below a path that g covers: a program that puts
// something else there, such as a link or a renamed folder, replaces them.
func (g *Guard) Leads(path string) bool {
	if slices.ContainsFunc(g.Fixed, func(fixed string) bool { return fixed != path && paths.Within(fixed, path) }) {
		return true
	}
	root, _ := g.root(path)
	parts := split(root, path)
	return slices.ContainsFunc(Project, func(name string) bool {
		want := strings.Split(name, "/")
		for n := 1; n < len(want); n++ {
			if len(parts) >= n && equal(parts[len(parts)-n:], want[:n]) {
				return true
			}
		}
		return false
	})
}

// Redirects reports whether a regular file at path sends a program to protected files elsewhere: the
// file .git of a worktree or submodule names the .git whose configuration git obeys.
func (g *Guard) Redirects(path string) bool { return strings.EqualFold(filepath.Base(path), ".git") }

// split returns the names of a path below root.
func split(root, path string) []string {
	return strings.FieldsFunc(strings.TrimPrefix(path, root), func(r rune) bool { return r == '/' })
}

// equal compares names as file systems without cases do.
func equal(a, b []string) bool { return slices.EqualFunc(a, b, strings.EqualFold) }
