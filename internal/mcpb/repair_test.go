package mcpb

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A process that was killed between the two renames of an update lost the bundle, and left its parts.
func TestAnInterruptedUpdateKeepsTheBundle(t *testing.T) {
	folder := Folder{t.TempDir()}
	i, err := folder.Install(t.Context(), called(t, "shop", "one"), "")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Dir(i.Dir), filepath.Join(folder.Path, ".part-1.old")); err != nil {
		t.Fatal(err)
	}
	for _, left := range []string{".part-1", ".part-2.old", ".gone-notes"} {
		if err := os.MkdirAll(filepath.Join(folder.Path, left, files), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := folder.Install(t.Context(), called(t, "other", ""), ""); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(i.Dir, "server/index.js")); string(text) != "one" {
		t.Errorf("the bundle has %q, %v", text, err)
	}
	if left, _ := os.ReadDir(folder.Path); len(left) != 3 { // .lock, other, shop
		t.Errorf("left are %v", left)
	}
}

// A server that starts during the update of its bundle finds the old one or the new one.
func TestABundleIsThereDuringItsUpdate(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux exchanges folders")
	}
	folder := Folder{t.TempDir()}
	i, err := folder.Install(t.Context(), called(t, "shop", "one"), "")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	missing := make(chan int)
	go func() {
		n := 0
		for ctx.Err() == nil {
			if _, err := os.Lstat(i.Dir); err != nil {
				n++
			}
		}
		missing <- n
	}()
	b := called(t, "shop", "two")
	for range 100 {
		if _, err := folder.Install(t.Context(), b, ""); err != nil {
			t.Error(err)
		}
	}
	stop()
	if n := <-missing; n > 0 {
		t.Errorf("the bundle was missing %d times", n)
	}
}
