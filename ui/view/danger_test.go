package view

import (
	"path/filepath"
	"strings"
	"testing"

	"goated/internal/sandbox"
)

// What opens far more than a file is said so, in words that fit; a file or a
// folder of somebody's is not.
func TestDanger(t *testing.T) {
	home := filepath.Join(t.TempDir(), "ada")
	t.Setenv("HOME", home)
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
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
		{"trip/plan.md", "", ""},
		{".sshx", "", ""},
		{"/tmp/x", "", ""},
	} {
		path := tt.path
		if !filepath.IsAbs(path) {
			path = home + "/" + path // as a server may write it
		}
		for kind, want := range map[sandbox.Kind]string{sandbox.ToRead: tt.read, sandbox.ToWrite: tt.write} {
			got := Danger(sandbox.Permission{Kind: kind, Path: path}, own)
			if want == "" && got != "" || !strings.Contains(got, want) {
				t.Errorf("%s %s: %q, not %q", kind, tt.path, got, want)
			}
		}
	}
	if got := Danger(sandbox.Permission{Kind: sandbox.ToNetwork}, own); got != "" {
		t.Errorf("the network: %q", got)
	}
}
