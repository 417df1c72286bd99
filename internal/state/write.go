package state

import (
	"os"
	"path/filepath"
	"runtime"

	"github.com/google/renameio/v2/maybe"
)

// write replaces a file as a whole: temporary file, fsync, rename, fsync of the
// folder. Readers see the old one or the new one, also after a crash. Only its
// owner can read it.
func write(path string, data []byte) error {
	if err := maybe.WriteFile(path, data, 0o600); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes a rename in a folder outlast a crash. Where folders can't be
// synced, as on Windows, the system does it.
func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	if err := dir.Sync(); err != nil && runtime.GOOS != "windows" {
		return err
	}
	return nil
}
