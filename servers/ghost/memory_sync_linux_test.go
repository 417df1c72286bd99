package ghost

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A write that cannot be made durable fails, and the memory is unchanged, because the new file is
// synced before it takes the old file's name.
func TestMemoryIsSyncedBeforeItIsReplaced(t *testing.T) {
	if out, err := exec.Command("strace", "-qq", "-o", "/dev/null", "true").CombinedOutput(); err != nil {
		t.Skipf("strace does not work here: %v %s", err, out)
	}
	path := filepath.Join(t.TempDir(), "clippy_memory.json")
	const before = "{\n  \"k\": \"old\"\n}\n"
	write(t, path, before)
	cmd := exec.Command("strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO", os.Args[0])
	cmd.Env = append(os.Environ(), "GHOST_TEST_ROLE=remember", "GHOST_TEST_MEMORY="+path, "GHOST_TEST_ID=1", "GHOST_TEST_COUNT=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "writing clippy_memory.json") {
		t.Errorf("a write without a sync: %v %s", err, out)
	}
	if got := content(t, path); got != before {
		t.Errorf("the memory is\n%s", got)
	}
}
