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
	if p.Kind != sandbox.ToRead && p.Kind != sandbox.ToWrite || !filepath.IsAbs(p.Path) {
		return ""
	}
	write := p.Kind == sandbox.ToWrite
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
	case write && among(path, home, started):
		return "Programs in there start as yours, outside any sandbox. A server that writes there can do everything that you can."
	}
	return ""
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
	}
	started = []string{
		".profile", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".xprofile", ".xsessionrc",
		".config/autostart", ".config/systemd", ".config/environment.d", ".config/fish", ".local/bin", "bin", ".local/share/applications",
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
