// Package protect lists the files in a folder that the user's other programs execute or obey. A
// server that may write the folder must not write these files.
//
// It only handles names and reads no files. The code that enforces a [Guard] passes it paths
// without links.
package protect

import (
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/paths"
)

// Project lists protected files and folders of projects, at any depth of a writable folder. For
// .git, it lists the parts that make git run programs or that refer git to another .git. A file
// with the name of a parent folder in the list, such as .git, is protected too.
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

// Home lists the files and folders below a home folder that start programs.
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

// Fixed returns a user's protected paths that do not depend on the writable folder: start-up files
// in the home folder, the folders on a search path, and cron.
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
	Folders []string // the writable folders that contain protected files
	Named   []string // other files and folders that the user or goated allowed explicitly
	Fixed   []string // protected paths, see [Fixed]
}

// Covers reports whether a path is in a folder of g, and not in a deeper folder that is allowed
// explicitly.
func (g *Guard) Covers(path string) bool {
	root, guarded := g.root(path)
	return root != "" && guarded
}

// Allows reports whether a path is in a writable folder and not protected.
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

// Leads reports whether protected files can be below a path that g covers. A program that puts
// something else there, such as a link or a renamed folder, would replace them.
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

// Redirects reports whether a regular file at path refers a program to protected files elsewhere.
// The .git file of a worktree or submodule contains the path of the .git folder whose configuration
// git obeys.
func (g *Guard) Redirects(path string) bool { return strings.EqualFold(filepath.Base(path), ".git") }

// split returns the names of a path below root.
func split(root, path string) []string {
	return strings.FieldsFunc(strings.TrimPrefix(path, root), func(r rune) bool { return r == '/' })
}

// equal compares names like case-insensitive file systems do.
func equal(a, b []string) bool { return slices.EqualFunc(a, b, strings.EqualFold) }
