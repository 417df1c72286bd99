package ghost

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Without a backup nothing is written, because later damage would lose everything.
func TestMemoryNeedsItsBackup(t *testing.T) {
	b := newBench(t)
	c := b.connect(t, nil)
	c.succeed("manage_memory", remember("k", "old"))
	before := content(t, b.memory.path)
	// A folder that contains a file cannot be replaced.
	backup := b.memory.path + ".bak"
	os.Remove(backup)
	if err := os.Mkdir(backup, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(backup, "in the way"), "")
	c.fail("keeping clippy_memory.json as it was", "manage_memory", remember("k", "new"))
	if got := content(t, b.memory.path); got != before {
		t.Errorf("the memory is\n%s", got)
	}
	if err := os.RemoveAll(backup); err != nil {
		t.Fatal(err)
	}
	c.succeed("manage_memory", remember("k", "new"))
}

// A file system without hard links, such as FAT, gets a copy as the backup.
func TestMemoryBackupWithoutHardLinks(t *testing.T) {
	b := newBench(t)
	b.memory.link = func(*os.Root, string, string) error { return errors.ErrUnsupported }
	c := b.connect(t, nil)
	for i, value := range []string{"one", "two", "three"} {
		before, _ := os.ReadFile(b.memory.path)
		c.succeed("manage_memory", remember("k", value))
		if i == 0 {
			continue
		}
		if got := content(t, b.memory.path+".bak"); got != string(before) {
			t.Errorf("the backup is\n%s\nwant\n%s", got, before)
		}
	}
}
