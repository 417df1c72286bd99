//go:build unix

package client_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"goated/client"
	"goated/internal/programs"
)

// A program that exists only in goated's folder of programs starts a server in the sandbox. The
// user's own program of the same name takes precedence, and a server cannot change the folder.
func TestProgramsThatGoatedInstalled(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	folder := filepath.Join(data, "programs")
	put := func(dir string) {
		real, err := os.ReadFile(misbehave(t).Path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "start-it"), real)
	}
	put(filepath.Join(folder, "it-1.2.3"))
	if err := os.MkdirAll(programs.Bin(folder), 0o700); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\nexec '" + filepath.Join(folder, "it-1.2.3", "start-it") + "' \"$@\"\n" // like npx
	write(t, filepath.Join(programs.Bin(folder), "start-it"), []byte(script))
	o := client.Options{Data: filepath.Join(data, "servers"), Private: []string{data}, Process: client.ProcessOptions{Programs: folder}}
	h := host(t, o)
	connect(t, h, client.Config{Command: "start-it", Name: "installed"})
	if path, err := client.LookPathFunc(h)("start-it"); err != nil || filepath.Dir(path) != programs.Bin(folder) {
		t.Errorf("found %s, %v", path, err)
	}
	for _, s := range h.Snapshot().Servers {
		for _, w := range append(s.Policy.Write, s.Policy.Present...) {
			if strings.HasPrefix(folder, w) {
				t.Errorf("the server may write %s", w)
			}
		}
	}
	own := t.TempDir()
	put(own)
	h = host(t, client.Options{Env: []string{"PATH=" + own + ":/usr/bin:/bin", "HOME=" + t.TempDir()}, Process: client.ProcessOptions{Programs: folder}})
	if path, err := client.LookPathFunc(h)("start-it"); err != nil || filepath.Dir(path) != own {
		t.Errorf("found %s, %v", path, err)
	}
}
