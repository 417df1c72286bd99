//go:build linux && (amd64 || arm64)

package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
)

// goated must not ask about harmless failures: a search of the PATH, which lists ~/.cargo/bin, and
// caches that libraries and package managers fill incidentally. For mcp-mermaid, goated asked
// whether it may write /var/cache/apt.
func TestSearchesAndCachesAreNoQuestion(t *testing.T) {
	if s := Probe(); !s.Confined() || !s.Hosts {
		t.Skip(s)
	}
	home := resolveLinks(t.TempDir())
	t.Setenv("HOME", home)
	for _, dir := range []string{".cargo/bin", "go/bin", ".cache/fontconfig", ".cache/mine", "notes"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	p := For("/usr/bin/python3", "", t.TempDir(), nil)
	p.Reads = true
	cmd := exec.Command("/usr/bin/python3", "-c", `
import os
def quietly(call, *args):
    try: call(*args)
    except OSError: pass
home = os.environ["HOME"]
for dir in os.environ["PATH"].split(":"):
    quietly(os.listdir, dir)
quietly(open, "/var/cache/goated-none", "w")
quietly(open, home + "/.cache/fontconfig/x", "w")
quietly(os.mkdir, home + "/.cache/mesa_shader_cache")
quietly(os.listdir, home + "/notes")
quietly(open, home + "/.cache/mine/x", "w")
`)
	cmd.Env = []string{"HOME=" + home, "PATH=" + home + "/.cargo/bin:" + home + "/go/bin:" + home + "/missing:/usr/bin"}
	var mu sync.Mutex
	var refused []string
	s, err := Start(cmd, p, func(q Permission) {
		mu.Lock()
		defer mu.Unlock()
		refused = append(refused, q.String())
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	s.Close()
	if want := []string{"read ~/notes", "read and write ~/.cache/mine"}; !slices.Equal(refused, want) {
		t.Errorf("refused %q, want %q", refused, want)
	}
}
