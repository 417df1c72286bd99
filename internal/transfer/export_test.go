package transfer

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// An export is private, also in place of a file that others can read, and leaves a link a link.
func TestAReplacedExportIsPrivate(t *testing.T) {
	dir := t.TempDir()
	path, link := filepath.Join(dir, "servers.json"), filepath.Join(dir, "link.json")
	if err := os.WriteFile(path, []byte("a longer text than the new one"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, link); err != nil {
		link = path // Windows, without the right
	}
	if err := Write(link, []byte("{}"), false); err == nil {
		t.Error("a file is replaced without force")
	}
	if err := Write(link, []byte("{}"), true); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if text, _ := os.ReadFile(path); err != nil || string(text) != "{}" {
		t.Errorf("the file has %q, %v", text, err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the file has the mode %v", info.Mode())
	}
	if found, _ := os.Readlink(link); link != path && found != path {
		t.Error("the link was replaced")
	}
}
