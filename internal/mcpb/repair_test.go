package mcpb

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"goated/internal/waittest"
)

// A process that was killed between the two renames of an update lost the bundle and left its parts
// behind.
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

// Reading bundles restores a lost one, but not while another process is updating it.
func TestReadingBringsALostBundleBack(t *testing.T) {
	for name, find := range map[string]func(f Folder) bool{
		"List":  func(f Folder) bool { list, err := f.List(); return err == nil && len(list) == 1 },
		"Find":  func(f Folder) bool { _, err := f.Find("shop"); return err == nil },
		"Named": func(f Folder) bool { _, err := f.Named("shop"); return err == nil },
	} {
		folder := Folder{t.TempDir()}
		i, err := folder.Install(t.Context(), called(t, "shop", "one"), "")
		if err != nil {
			t.Fatal(err)
		}
		unlock, err := folder.lock(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(filepath.Dir(i.Dir), filepath.Join(folder.Path, ".part-1.old")); err != nil {
			t.Fatal(err)
		}
		if find(folder) {
			t.Errorf("%s disturbs an update", name)
		}
		if unlock(); !find(folder) {
			t.Errorf("%s does not find the bundle", name)
		}
	}
}

// Files that goated cannot remove now, for example another user's, do not prevent installing and
// removing other bundles, or removing the same bundle twice.
func TestRestsDoNotBlock(t *testing.T) {
	if os.Geteuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user can remove each file")
	}
	folder := Folder{t.TempDir()}
	fixed := func(dir string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Join(dir, "fixed", "sub"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(filepath.Join(dir, "fixed"), 0o555); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		_ = filepath.WalkDir(folder.Path, func(path string, e fs.DirEntry, _ error) error {
			if e.IsDir() {
				return os.Chmod(path, 0o755)
			}
			return nil
		})
	})
	fixed(filepath.Join(folder.Path, ".part-1"))
	for range 2 {
		i, err := folder.Install(t.Context(), called(t, "shop", "one"), "")
		if err != nil {
			t.Fatal(err)
		}
		fixed(i.Dir)
		if err := folder.Remove(t.Context(), "shop"); err != nil {
			t.Error(err)
		}
		if list, err := folder.List(); err != nil || len(list) > 0 {
			t.Errorf("left are %v, %v", list, err)
		}
	}
}

// A server that starts while its bundle is updated finds either the old or the new version.
func TestABundleIsThereDuringItsUpdate(t *testing.T) {
	folder := Folder{t.TempDir()}
	if exchange(t.TempDir(), t.TempDir()) != nil {
		t.Skip("this file system does not exchange folders")
	}
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
	if n := waittest.Receive(t, "the reader ends", missing); n > 0 {
		t.Errorf("the bundle was missing %d times", n)
	}
}
