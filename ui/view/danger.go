package view

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"goated/internal/sandbox"
)

// Danger returns a warning for a permission that opens far more than a file: all of
// the user's files, keys, other programs, or goated itself. It is empty for any
// other permission. private are goated's own folders, see [client.Host.Private].
// The caller must resolve links in the path first.
func Danger(p sandbox.Permission, private []string) string {
	if p.Kind != sandbox.ToRead && p.Kind != sandbox.ToWrite && p.Kind != sandbox.ToWriteFile || !filepath.IsAbs(p.Path) {
		return ""
	}
	write := p.Kind != sandbox.ToRead
	path := filepath.Clean(p.Path)
	home := homes()
	switch {
	case path == filepath.Dir(path), slices.ContainsFunc(home, func(h string) bool { return below(h, path) }):
		if write {
			return "That is all your files: documents, pictures, mail, saved passwords, keys. The server could read, change and delete every one of them, and set programs to start when you log in, outside any sandbox. Servers rarely need this. Allow a single folder instead."
		}
		return "That is all your files: documents, pictures, mail, saved passwords, keys. The server could read every one of them and pass it on in its answers. Servers rarely need this. Allow a single folder instead."
	case slices.ContainsFunc(home, func(h string) bool { return holds(path, h, settings) }):
		if write {
			return "Your programs keep their settings there, often with passwords and keys. The server could read and change all of them, and so control your other programs. Allow a folder inside it instead."
		}
		return "Your programs keep their settings there, often with passwords and keys. The server could read all of them and pass them on in its answers. Allow a folder inside it instead."
	case slices.ContainsFunc(private, func(dir string) bool { return below(path, dir) || below(dir, path) }):
		if write {
			return "Your conversations and all permissions are stored there. The server could grant itself everything without asking you."
		}
		return "All your conversations are stored there. The server could read every one and pass it on in its answers."
	case among(path, home, secrets):
		return "Keys and passwords are stored there. Anyone who has them can log in elsewhere as you, and goated can't undo that. Servers rarely need this."
	case write && (among(path, home, started) || system(path) || onPath(path)):
		return "Programs in there start as yours, outside any sandbox. A server that writes there can do everything that you can."
	}
	if write {
		if found := runs(path); found != "" {
			return "It " + found + ", which other programs run or obey, outside any sandbox. A server that writes there can do everything that you can. Allow a folder without it if you can."
		}
	}
	return ""
}

// projectStarts are files and folders of a project that other programs run, or that
// make them run something.
var projectStarts = []string{
	".git", ".envrc", ".vscode", ".idea", ".devcontainer", ".zed", ".cursor", ".fleet", ".husky", ".githooks", ".pre-commit-config.yaml",
	"node_modules/.bin", ".venv/bin", "venv/bin", "Makefile", "package.json", ".github/workflows", ".gitlab-ci.yml", ".direnv", ".mise.toml", ".tool-versions",
}

// runs says which files in a writable path start programs: "contains …" or "is part of
// …"; empty if there are none.
func runs(path string) string {
	var found []string
	slashed := filepath.ToSlash(path) + "/"
	for _, name := range projectStarts {
		if strings.Contains(slashed, "/"+name+"/") {
			return "is part of " + name
		}
		if _, err := os.Lstat(filepath.Join(path, filepath.FromSlash(name))); err == nil && len(found) < 3 {
			found = append(found, name)
		}
	}
	if found == nil {
		return ""
	}
	return "contains " + strings.Join(found, ", ")
}

// system reports whether a path is in a folder of the whole system, from which programs
// start, or above one.
func system(path string) bool {
	for _, dir := range []string{"/etc", "/usr", "/opt", "/bin", "/sbin", "/lib", "/lib64", "/boot", "/var/spool/cron", "/var/lib", "/root", "/Library", "/System", "/Applications"} {
		if below(path, dir) || below(dir, path) {
			return true
		}
	}
	return false
}

// onPath reports whether a path is in a folder of the search path, or above one.
func onPath(path string) bool {
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if filepath.IsAbs(dir) && (below(path, dir) || path != "/" && below(dir, path)) {
			return true
		}
	}
	return false
}

// Paths in a home folder that need a warning: keys and passwords, files that start
// programs, and folders with the settings of all programs.
var (
	secrets = []string{
		".ssh", ".gnupg", ".pki", ".aws", ".azure", ".kube", ".docker", ".netrc", ".git-credentials", ".npmrc", ".pypirc", ".password-store",
		".local/share/keyrings", ".local/share/kwalletd", ".config/gcloud", ".config/gh", ".config/op",
		".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium", ".config/BraveSoftware", ".config/microsoft-edge",
		"Library/Keychains", "Library/Application Support/Google/Chrome", "Library/Application Support/Firefox",
		"AppData/Roaming/Mozilla", "AppData/Local/Google/Chrome", "AppData/Roaming/Microsoft/Credentials",
		"snap", ".var/app", ".config/Bitwarden", ".config/1Password", ".config/KeePassXC", ".config/keepassxc", ".config/rclone", ".config/hub", ".config/glab-cli",
		".config/configstore", ".config/sops", ".config/age", ".pgpass", ".my.cnf", ".vault-token", ".terraform.d", ".terraformrc", ".boto", ".s3cfg", ".databrickscfg",
		".bitcoin", ".ethereum", ".electrum", ".monero", ".config/solana", ".config/Exodus", ".config/Signal", ".config/Slack", ".config/discord",
		".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml", ".gradle/gradle.properties", ".composer/auth.json", ".config/pip",
		".bash_history", ".zsh_history", ".local/share/fish/fish_history", ".python_history", ".node_repl_history", ".psql_history", ".mysql_history", ".sqlite_history",
		".lesshst", ".viminfo", ".wget-hsts",
	}
	started = []string{
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
	settings = []string{".config", ".local", ".local/share", "Library", "Library/Application Support", "AppData", "AppData/Roaming", "AppData/Local"}
)

// homes returns the home folder, and its target if it is a link.
func homes() []string {
	home, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(home) {
		return nil
	}
	all := []string{filepath.Clean(home)}
	if real, err := filepath.EvalSymlinks(home); err == nil && real != all[0] {
		all = append(all, real)
	}
	return all
}

// below reports whether path is dir or is inside it.
func below(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// among reports whether path is one of names in a home folder, or inside or above
// it.
func among(path string, homes, names []string) bool {
	return slices.ContainsFunc(homes, func(home string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			dir := filepath.Join(home, filepath.FromSlash(name))
			// A folder in settings contains many of them and has its own warning.
			return below(path, dir) || below(dir, path) && !holds(path, home, settings)
		})
	})
}

// holds reports whether path is one of names in a home folder.
func holds(path, home string, names []string) bool {
	rel, err := filepath.Rel(home, path)
	return err == nil && slices.Contains(names, strings.ReplaceAll(rel, string(filepath.Separator), "/"))
}
