package browser

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The next browser starts even if a killed browser left its lock. The server's own folder contains
// files that would otherwise need a permission for the user's cache.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	own, home := t.TempDir(), t.TempDir()
	profile := filepath.Join(own, "cache", "ms-playwright-mcp", "mcp-chrome-1")
	if err := os.MkdirAll(profile, 0o700); err != nil {
		t.Fatal(err)
	}
	lock := filepath.Join(profile, "SingletonLock")
	if err := os.Symlink("host-35", lock); err != nil {
		t.Fatal(err)
	}
	env := Environment(own, home)
	if _, err := os.Lstat(lock); err == nil {
		t.Error("the lock of an ended browser is still there")
	}
	if !slices.Contains(env, "PLAYWRIGHT_BROWSERS_PATH="+filepath.Join(own, "cache", "ms-playwright")) || !slices.Contains(env, "XDG_CACHE_HOME="+filepath.Join(own, "cache")) {
		t.Errorf("%q", env)
	}
	installed := filepath.Join(home, ".cache", "ms-playwright")
	if err := os.MkdirAll(installed, 0o700); err != nil {
		t.Fatal(err)
	}
	if env := Environment(own, home); !slices.Contains(env, "PLAYWRIGHT_BROWSERS_PATH="+installed) {
		t.Errorf("the user's browsers are not used: %q", env)
	}
	if !slices.Contains(Places(home), installed) {
		t.Error("the user's browsers are not readable")
	}
	for _, kv := range Environment("", home) {
		if strings.Contains(kv, "/") {
			t.Errorf("%s without a folder", kv)
		}
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{"/usr/lib/chromium/chromium": true, "/opt/google/chrome/chrome": true, "/x/chrome-headless-shell": true, "/usr/bin/node": false} {
		if IsProgram(path) != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
	for path, want := range map[string]bool{"/h/.cache/ms-playwright-mcp": true, "/h/.cache/ms-playwright-mcp/a": true, "/h/.cache/ms-playwright": false, "/h/.cache": false} {
		if IsProfile(path, "/h") != want {
			t.Errorf("%s: %t", path, !want)
		}
	}
	if !IsService("update.googleapis.com") || IsService("example.org") {
		t.Error("services")
	}
}
