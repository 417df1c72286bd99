package view

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/sandbox"
)

// A permission that opens far more than a file has a fitting warning. An ordinary file or folder
// of the user has none.
func TestDanger(t *testing.T) {
	home := filepath.Join(t.TempDir(), "ada")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	t.Setenv("PATH", "/tools/bin")
	for _, name := range []string{".git/hooks", ".envrc", "node_modules/.bin"} {
		if err := os.MkdirAll(filepath.Join(home, "work", name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(home, "browsers", "new one", "Default", "Login Data"), 0o700); err != nil {
		t.Fatal(err)
	}
	own := []string{filepath.Join(home, ".local", "share", "goated"), filepath.Join(home, ".config", "goated"), "/srv/moved/goated"}
	for _, tt := range []struct{ path, read, write string }{
		{"/", "all your files", "all your files"},
		{"..", "all your files", "all your files"},
		{".", "all your files", "change and delete every one"},
		{"./", "all your files", "all your files"},
		{".ssh", "Keys and passwords", "Keys and passwords"},
		{".ssh/id_ed25519", "Keys and passwords", "Keys and passwords"},
		{".config/google-chrome/Default/Cookies", "Keys and passwords", "Keys and passwords"},
		{".config", "Your programs", "read and change all of them"},
		{".local/share", "Your programs", "read and change all of them"},
		{".local/share/goated/history.db", "conversations", "without asking you"},
		{".config/goated", "conversations", "without asking you"},
		{"/srv/moved", "conversations", "without asking you"},
		{"/srv/moved/goated/history.db", "conversations", "without asking you"},
		{"/srv/else", "", ""},
		{".bashrc", "", "start as yours"},
		{".config/autostart/x.desktop", "", "start as yours"},
		{".config/weather/settings.toml", "", ""},
		{"Documents", "", ""},
		// These were missing once.
		{".gitconfig", "", "start as yours"},
		{".bash_aliases", "", "start as yours"},
		{".vimrc", "", "start as yours"},
		{".emacs.d/init.el", "", "start as yours"},
		{".tmux.conf", "", "start as yours"},
		{".pyenv/shims/python", "", "start as yours"},
		{".cargo/bin", "", "start as yours"},
		{"go/bin/gopls", "", "start as yours"},
		{".config/Code/User/settings.json", "", "start as yours"},
		{"trip/.git/hooks/pre-commit", "", "is part of .git"},
		{"trip/.envrc", "", "is part of .envrc"},
		{"trip/.mcp.json", "", "is part of .mcp.json"},
		{"trip/.cargo/config.toml", "", "is part of .cargo/config.toml"},
		{"work", "", "contains .git, .envrc, node_modules/.bin"},
		{"/etc", "", "start as yours"},
		{"/etc/cron.d/x", "", "start as yours"},
		{"/usr/local/bin", "", "start as yours"},
		{"/tools/bin/x", "", "start as yours"}, // in the PATH
		{"snap/firefox", "Keys and passwords", "Keys and passwords"},
		{".config/Bitwarden", "Keys and passwords", "Keys and passwords"},
		{".config/1Password", "Keys and passwords", "Keys and passwords"},
		{".config/rclone/rclone.conf", "Keys and passwords", "Keys and passwords"},
		{".pgpass", "Keys and passwords", "Keys and passwords"},
		{".vault-token", "Keys and passwords", "Keys and passwords"},
		{".bitcoin", "Keys and passwords", "Keys and passwords"},
		{".bash_history", "Keys and passwords", "Keys and passwords"},
		// Examples of these classes that no list for a single program contains.
		{"/etc/shadow", "Keys and passwords", "Keys and passwords"},
		{"/run/user/1000", "Keys and passwords", "Keys and passwords"},
		{"/proc/1/environ", "Keys and passwords", "Keys and passwords"},
		{"/home", "all your files", "all your files"},
		{"/home/some-other-user", "another user", "another user"},
		{"/home/some-other-user/.ssh", "another user", "another user"},
		{"/home/some-other-user/work", "", ""},
		{".claude.json", "Keys and passwords", "Keys and passwords"},
		{".codex/auth.json", "Keys and passwords", "Keys and passwords"},
		{".gemini", "Keys and passwords", "Keys and passwords"},
		{".config/Claude/claude_desktop_config.json", "Keys and passwords", "Keys and passwords"},
		{".config/vivaldi", "Keys and passwords", "Keys and passwords"},
		{".librewolf/x.default", "Keys and passwords", "Keys and passwords"},
		{".local/share/TelegramDesktop", "Keys and passwords", "Keys and passwords"},
		{".local/share/evolution", "Keys and passwords", "Keys and passwords"},
		{".config/filezilla/sitemanager.xml", "Keys and passwords", "Keys and passwords"},
		{".local/share/remmina", "Keys and passwords", "Keys and passwords"},
		{".config/git/credentials", "Keys and passwords", "Keys and passwords"},
		{".local/share/zsh/history", "Keys and passwords", "Keys and passwords"},
		{".irb-history", "Keys and passwords", "Keys and passwords"},
		{"Documents/vault.kdbx", "Keys and passwords", "Keys and passwords"},
		{"Documents/Passwords.xlsx", "Keys and passwords", "Keys and passwords"},
		{"trip/.env", "Keys and passwords", "Keys and passwords"},
		{"trip/.env.production", "Keys and passwords", "Keys and passwords"},
		{"/srv/app/.env.local", "Keys and passwords", "Keys and passwords"},
		{"trip/.env.example", "", ""},
		{"trip/service-account-1a2b.json", "Keys and passwords", "Keys and passwords"},
		{"trip/history.md", "", ""},
		{"trip/environment.py", "", ""},
		{"trip/passwords_test.go", "", ""},
		{"browsers/new one", "Keys and passwords", "Keys and passwords"},
		{"trip/plan.md", "", ""},
		{".sshx", "", ""},
		{"/tmp/x", "", ""},
	} {
		path := tt.path
		if !filepath.IsAbs(path) {
			path = home + "/" + path // as a server may write it
		}
		for kind, want := range map[sandbox.Kind]string{sandbox.ToRead: tt.read, sandbox.ToWrite: tt.write} {
			got := Danger(sandbox.Permission{Kind: kind, Path: path}, own, false)
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("%s %s: %q, not %q", kind, tt.path, got, want)
			}
		}
	}
	if got := Danger(sandbox.Permission{Kind: sandbox.ToNetwork}, own, false); got != "" {
		t.Errorf("the network: %q", got)
	}
}

// Safety 5: the question states what the sandbox of this system protects in a folder that the
// server may write, and warns only about the rest.
func TestTheQuestionSaysWhatStaysProtected(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, ".git", "hooks"), 0o700); err != nil {
		t.Fatal(err)
	}
	write := sandbox.Permission{Kind: sandbox.ToWrite, Path: dir}
	if got := Danger(write, nil, true) + ProtectedText(write, true); !strings.HasPrefix(got, "The sandbox keeps it from .git/hooks") {
		t.Errorf("where the system protects files: %q", got)
	}
	if got := Danger(write, nil, false); !strings.Contains(got, "contains .git") {
		t.Errorf("where it does not: %q", got)
	}
	if got := ProtectedText(write, false); !strings.HasPrefix(got, "This system can't keep it from") {
		t.Errorf("where it does not: %q", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "Makefile"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Danger(write, nil, true); !strings.Contains(got, "contains Makefile,") {
		t.Errorf("what nothing protects: %q", got)
	}
	hooks := sandbox.Permission{Kind: sandbox.ToWrite, Path: filepath.Join(dir, ".git", "hooks")}
	if got := ProtectedText(hooks, true) + Danger(hooks, nil, true); !strings.HasPrefix(got, "It is part of .git") {
		t.Errorf("a protected folder by name: %q", got)
	}
	for _, p := range []sandbox.Permission{{Kind: sandbox.ToRead, Path: dir}, {Kind: sandbox.ToNetwork}, {Kind: sandbox.ToWrite, Path: filepath.Join(dir, "Makefile")}} {
		if got := ProtectedText(p, true); got != "" {
			t.Errorf("%v: %q", p, got)
		}
	}
}
